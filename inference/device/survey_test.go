package device_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"dragoman/inference/device"
	"dragoman/inference/device/devicetest"
)

// found is what a test expects of a finding: which, and a part of its text and
// of its cure that a user needs.
type found struct {
	device  device.Kind
	problem device.Problem
	text    string
	cure    string
}

// noGPU is of machines whose bus shows none whose maker is known.
var noGPU = found{device.GPU, device.NoHardware, "", ""}

// Keys of NPUs with the newest drivers.
const (
	npu3720        = "NPU 3720 tiles=2 driver=1.39.1 compiler=?"
	npu4000        = "NPU 4000 tiles=4 driver=1.39.1 compiler=?"
	npu5010        = "NPU 5010 tiles=3 driver=1.39.1 compiler=?"
	windowsNPU4000 = "NPU 4000 tiles=4 driver=32.0.100.5540 compiler=?"
)

// Every machine has no NPU or one; key is "" where it has none. What is not in
// findings is not found.
var machines = map[string]struct {
	key      string
	findings []found
}{
	"alder-lake": {"", []found{
		{device.GPU, device.NoUserDriver, "8086:46a6", "intel-opencl-icd"},
		{device.NPU, device.NoHardware, "i7-1260P", ""},
	}},
	"amd-desktop": {"", []found{
		{device.GPU, device.NoHardware, "AMD", ""},
		{device.NPU, device.NoHardware, "AMD Ryzen 7 7700X", ""},
	}},
	"amd-xdna": {"", []found{
		{device.GPU, device.NoHardware, "AMD", ""},
		{device.NPU, device.ForeignNPU, "AMD XDNA", ""},
	}},
	"arm-server": {"", []found{
		noGPU,
		{device.NPU, device.NoHardware, "ARM", ""},
	}},
	"arrow-lake-no-driver": {"NPU 3720 tiles=2 driver=6.17.0-40-generic compiler=?", []found{
		{device.NPU, device.NoUserDriver, "libze_intel_npu.so.1", "sudo apt install libze1"},
	}},
	"arrow-lake-no-loader": {npu3720, []found{
		{device.NPU, device.NoLoader, "libze_loader.so.1", "sudo apt install libze1"},
	}},
	"arrow-lake-not-loaded": {npu3720, []found{
		{device.NPU, device.NoModule, "intel_vpu is not loaded", "sudo modprobe intel_vpu"},
	}},
	"build-machine": {"", []found{
		noGPU,
		{device.NPU, device.NoHardware, "none on the PCI bus, and this processor (AMD EPYC) has none", ""},
	}},
	"docker-in-wsl2": {"", []found{
		noGPU,
		{device.NPU, device.InWSL, "nor to its containers", "dragoman.exe translate"},
	}},
	"docker-lunar-lake": {npu4000, []found{
		{device.GPU, device.NotPassed, "docker", "--device=/dev/dri/renderD128"},
		{device.NPU, device.NotPassed, "docker", "--device=/dev/accel/accel0 --group-add=$(stat -c %g /dev/accel/accel0)"},
	}},
	"kvm-meteor-lake": {"", []found{
		noGPU,
		{device.NPU, device.NotPassed, "this virtual machine (Standard PC (Q35 + ICH9, 2009))", "on the host"},
	}},
	"lunar-lake-driver-compiler": {npu4000, []found{
		{device.NPU, device.MixedCompiler, "that of the driver is used", "dragoman runtime install --from FILE"},
	}},
	"lunar-lake-no-plugin": {npu4000, []found{
		{device.NPU, device.NoPlugin, "/usr/lib/x86_64-linux-gnu", "dragoman runtime install"},
	}},
	"lunar-lake-old-driver": {"NPU 4000 tiles=4 driver=1.32.1 compiler=?", []found{
		{device.NPU, device.DriverTooOld, "NPU_MAX_TILES", "release 1.39 or newer"},
	}},
	"lunar-lake-wheel": {npu4000, []found{
		{device.NPU, device.NoCompiler, "every Python wheel", "dragoman runtime install --from FILE"},
	}},
	"meteor-lake": {npu3720, nil},
	"meteor-lake-no-group": {npu3720, []found{
		{device.GPU, device.NoPermission, "group render", "sudo usermod -aG render someone"},
		{device.NPU, device.NoPermission, "/dev/accel/accel0", "sudo usermod -aG render someone"},
	}},
	"meteor-lake-root-node": {npu3720, []found{
		{device.GPU, device.NoPermission, "group render", "usermod"},
		{device.NPU, device.NoPermission, "root alone", "sudo chown root:render /dev/accel/accel0"},
	}},
	"meteor-lake-switched-off": {"", []found{
		{device.NPU, device.SwitchedOff, "Ultra 7 155H, Meteor Lake", "BIOS"},
	}},
	"nova-lake": {"NPU ? tiles=? driver=1.39.1 compiler=?", []found{
		{device.NPU, device.NewerNPU, "Nova Lake", "update dragoman"},
	}},
	"panther-lake": {npu5010, nil},
	"panther-lake-no-module": {npu5010, []found{
		{device.NPU, device.NoModule, "has no module intel_vpu", "linux-modules-extra"},
	}},
	"panther-lake-old-driver": {"NPU 5010 tiles=3 driver=1.26.0 compiler=?", []found{
		{device.NPU, device.DriverTooOld, "does not know Panther Lake", "release 1.28 or newer"},
	}},
	"panther-lake-old-kernel": {npu5010, []found{
		{device.NPU, device.NoModule, "6.8.0-35-generic", "newer kernel"},
	}},
	"panther-lake-unseen-modules": {npu5010, []found{
		{device.NPU, device.NoModule, "no module of the kernel (6.17.0-custom) took it", "sudo modprobe intel_vpu"},
	}},
	"podman-lunar-lake-no-group": {npu4000, []found{
		{device.GPU, device.NoPermission, "/dev/dri/renderD128", "--group-add"},
		{device.NPU, device.NoPermission, "/dev/accel/accel0", "--group-add"},
	}},
	"wildcat-lake-no-firmware": {"NPU 5020 tiles=1 driver=1.39.1 compiler=?", []found{
		{device.NPU, device.NoNode, "firmware is missing", "intel-fw-npu"},
	}},
	"windows10-meteor-lake": {"NPU 3720 tiles=2 driver=? compiler=?", []found{
		{device.NPU, device.NoUserDriver, "Multimedia Video Controller", "Windows Update"},
		{device.NPU, device.Windows10, "build 19045", "update to Windows 11"},
	}},
	"windows11-hyper-v": {"", []found{
		{device.GPU, device.NoHardware, "Microsoft", ""},
		{device.NPU, device.NotPassed, "this virtual machine", "on the host"},
	}},
	"windows11-lunar-lake": {windowsNPU4000, nil},
	"windows11-lunar-lake-code-43": {windowsNPU4000, []found{
		{device.NPU, device.DriverFault, "code 43", "restart the machine"},
	}},
	"windows11-lunar-lake-disabled": {windowsNPU4000, []found{
		{device.NPU, device.SwitchedOff, "Device Manager", `pnputil /enable-device "PCI\VEN_8086&DEV_643E`},
	}},
	"windows11-meteor-lake-no-driver": {"NPU 3720 tiles=2 driver=? compiler=?", []found{
		{device.NPU, device.NoUserDriver, "8086:7d1d", "Windows Update"},
	}},
	"windows11-meteor-lake-old-driver": {"NPU 3720 tiles=2 driver=32.0.100.2540 compiler=?", []found{
		{device.NPU, device.DriverTooOld, "32.0.100.2540 is too old", "32.0.100.2565"},
	}},
	"windows11-panther-lake-bad-driver": {"NPU 5010 tiles=3 driver=32.0.100.4512 compiler=?", []found{
		{device.NPU, device.DriverBad, "CVS-233822", "32.0.100.5540"},
	}},
	"wine-lunar-lake": {windowsNPU4000, []found{
		noGPU,
	}},
	"wsl2": {"", []found{
		{device.NPU, device.InWSL, "does not pass an NPU", "dragoman.exe translate"},
	}},
	"wsl2-with-npu": {"", []found{
		{device.NPU, device.InWSL, "Windows itself has an NPU", "dragoman service install"},
	}},
}

func TestEveryMachineIsUnderstood(t *testing.T) {
	for _, name := range devicetest.Names() {
		t.Run(name, func(t *testing.T) {
			want, listed := machines[name]
			require.True(t, listed, "no expectation for this machine")
			m := device.Survey(t.Context(), devicetest.Roots(name))
			require.Equal(t, device.CPU, m.Devices[0].Kind)
			npu, there := m.Find(device.NPU)
			require.Equal(t, want.key != "", there)
			if there {
				require.Equal(t, want.key, npu.Key())
			}
			require.Len(t, m.Findings, len(want.findings), "%v", m.Findings)
			for i, f := range m.Findings {
				w := want.findings[i]
				require.Equal(t, w.device, f.Device)
				require.Equal(t, w.problem, f.Problem)
				require.Contains(t, f.Text, w.text)
				require.Contains(t, f.Cure, w.cure)
				require.Equal(t, f.Problem != device.MixedCompiler && f.Problem != device.NewerNPU, f.Blocks)
			}
		})
	}
	require.Len(t, machines, len(devicetest.Names()))
}

// What keeps an NPU from serving is said for each that does not, and for none
// that does.
func TestWhyIsEmptyExactlyWhereTheNPUServes(t *testing.T) {
	serves := []string{"meteor-lake", "panther-lake", "nova-lake", "lunar-lake-driver-compiler", "windows11-lunar-lake", "wine-lunar-lake"}
	for _, name := range devicetest.Names() {
		m := device.Survey(t.Context(), devicetest.Roots(name))
		if len(m.Why(device.NPU)) == 0 {
			require.Contains(t, serves, name)
		} else {
			require.NotContains(t, serves, name)
		}
		require.Empty(t, m.Why(device.CPU), name)
	}
}

func TestProcessors(t *testing.T) {
	for name, want := range map[string]device.Processor{
		"meteor-lake":          {Model: "Intel(R) Core(TM) Ultra 7 155H", Chip: "Meteor Lake", Threads: 22, Cores: 16, Performance: 6, Efficient: 10, Features: []string{"AVX2", "AVX-VNNI"}},
		"lunar-lake-wheel":     {Model: "Intel(R) Core(TM) Ultra 7 258V", Chip: "Lunar Lake", Threads: 8, Cores: 8, Performance: 4, Efficient: 4, Features: []string{"AVX2", "AVX-VNNI", "AVX-VNNI-INT8"}},
		"amd-desktop":          {Model: "AMD Ryzen 7 7700X 8-Core Processor", Threads: 16, Cores: 8, Features: []string{"AVX2", "AVX512", "AVX512-VNNI", "AVX512-BF16"}},
		"arm-server":           {Threads: 4, Features: []string{"NEON", "DOTPROD", "I8MM", "BF16", "SVE"}},
		"build-machine":        {Model: "AMD EPYC", Threads: 2, Cores: 2, Features: []string{"AVX2"}},
		"windows11-lunar-lake": {Model: "Intel(R) Core(TM) Ultra 7 258V", Chip: "Lunar Lake", Threads: 8, Cores: 8, Performance: 4, Efficient: 4, Features: []string{"AVX2", "AVX-VNNI"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := device.Survey(t.Context(), devicetest.Roots(name))
			require.Equal(t, want, m.Processor)
			require.Positive(t, m.Memory)
			require.Equal(t, m.Memory, m.Devices[0].Memory)
			require.True(t, m.Processor.Has(want.Features[0]))
			require.False(t, m.Processor.Has("AMX-BF16"))
		})
	}
}

func TestWhatASystemRunsIn(t *testing.T) {
	for name, want := range map[string]device.System{
		"meteor-lake":                {OS: "linux", Arch: "amd64", Name: "Ubuntu 24.04.3 LTS", Kernel: "6.17.0-40-generic"},
		"build-machine":              {OS: "linux", Arch: "amd64", Name: "Debian GNU/Linux 12 (bookworm)", Kernel: "6.18.44-fc-v595", Inside: []device.Layer{device.Container, device.VirtualMachine}, By: "docker"},
		"podman-lunar-lake-no-group": {OS: "linux", Arch: "amd64", Name: "Ubuntu 24.04.3 LTS", Kernel: "6.17.0-40-generic", Inside: []device.Layer{device.Container}, By: "podman"},
		"wsl2":                       {OS: "linux", Arch: "amd64", Name: "Ubuntu 24.04.3 LTS", Kernel: "6.6.87.2-microsoft-standard-WSL2", Inside: []device.Layer{device.WSL}},
		"windows11-lunar-lake":       {OS: "windows", Arch: "amd64", Name: "Windows 11 Pro 24H2", Kernel: "26100.6899"},
		"windows10-meteor-lake":      {OS: "windows", Arch: "amd64", Name: "Windows 10 Pro 22H2", Kernel: "19045.6899"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, want, device.Survey(t.Context(), devicetest.Roots(name)).System)
		})
	}
}

func TestAnNPUIsDescribed(t *testing.T) {
	npu, _ := device.Survey(t.Context(), devicetest.Roots("meteor-lake")).Find(device.NPU)
	require.Equal(t, device.Device{
		Kind: device.NPU, Name: "Intel NPU 3", PCI: "8086:7d1d", Slot: "0000:00:0b.0", Generation: device.NPU3720, Chip: "Meteor Lake", Tiles: 2,
		Driver: device.Driver{Module: "intel_vpu", Kernel: "6.17.0-40-generic", UserMode: "1.39.1", Loader: "1.34.0", Firmware: "vpu_37xx_v1.bin.zst"},
		Node:   device.Node{Path: "/dev/accel/accel0", Group: "render", Open: true},
	}, npu)
}

// A recording of a recorded machine shows the same machine: nothing that a
// survey looks at is forgotten.
func TestARecordingShowsTheSameMachine(t *testing.T) {
	for _, name := range devicetest.Names() {
		m, recording := device.Record(t.Context(), devicetest.Roots(name))
		require.Equal(t, m, device.Survey(t.Context(), devicetest.Replay(recording)), name)
	}
}

func TestThisMachineIsSurveyed(t *testing.T) {
	m, recording := device.Record(t.Context(), device.Host(device.Runtime{}))
	require.NotEmpty(t, m.Processor.Model)
	require.Positive(t, m.Processor.Threads)
	require.Positive(t, m.Memory)
	require.NotEmpty(t, m.System.Kernel)
	require.Equal(t, device.NoRuntime, m.Findings[0].Problem)
	replayed := device.Survey(t.Context(), devicetest.Replay(recording))
	require.Equal(t, m.Processor, replayed.Processor)
	require.Equal(t, m.System, replayed.System)
}

// A driver that is part of the kernel itself is listed in a file whose entries
// end with zeros; on a real machine it is longer than any line may be.
func TestADriverWithinTheKernelIsKnown(t *testing.T) {
	roots := devicetest.Roots("panther-lake-no-module")
	files := roots.Files.(fstest.MapFS)
	files["lib/modules/6.17.0-custom/modules.builtin.modinfo"] = &fstest.MapFile{Data: []byte(
		strings.Repeat("ext4.license=GPL\x00", 10_000) + "intel_vpu.alias=pci:v00008086d0000B03Esv*sd*bc*sc*i*\x00")}
	files["sys/module/intel_vpu/parameters/dbg_mask"] = &fstest.MapFile{}
	m := device.Survey(t.Context(), roots)
	require.Contains(t, m.Why(device.NPU)[0].Text, "intel_vpu is loaded, but did not take it")
}

func TestAnEmptyMachineIsSurveyedToo(t *testing.T) {
	for _, system := range []string{"linux", "windows"} {
		m := device.Survey(t.Context(), device.Roots{OS: system, Arch: "amd64"})
		require.Len(t, m.Devices, 1)
		require.NotEmpty(t, m.Why(device.NPU))
	}
}

func TestASurveyThatIsCutShortEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := device.Survey(ctx, devicetest.Roots("meteor-lake"))
	require.Empty(t, m.Processor.Model)
	require.Len(t, m.Devices, 1)
}
