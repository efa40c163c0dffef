package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/device"
	"dragoman/inference/device/devicetest"
)

func TestDevicesOfThisMachine(t *testing.T) {
	t.Parallel()
	c := newCommand(t)
	out := c.succeeds("devices")
	require.Contains(t, out, ": can be used\n")
	require.Contains(t, out, "NPU")
	var m jsonMachine
	require.NoError(t, json.Unmarshal([]byte(c.succeeds("devices", "--json")), &m))
	require.Equal(t, device.CPU, m.Devices[0].Kind)
	require.True(t, m.Devices[0].Serves)
	require.Contains(t, m.Devices[0].Weights, device.Int8)
	require.NotEmpty(t, m.Devices[0].Key)

	require.Contains(t, c.succeeds("devices", "--record", "machine.json"), "machine.json")
	var recording device.Recording
	require.NoError(t, json.Unmarshal([]byte(c.read("machine.json")), &recording))
	replayed := device.Survey(t.Context(), devicetest.Replay(recording))
	require.Equal(t, m.Processor, replayed.Processor)

	requireRefused(t, c, exitUsage, []string{"devices"}, "devices", "NPU")
	requireRefused(t, c, exitUsage, []string{"use one of them"}, "devices", "--json", "--record", "x")
	requireRefused(t, c, exitFailed, []string{"record the machine"}, "devices", "--record", "missing/x")
}

func TestDevicesAreListedWithoutARuntime(t *testing.T) {
	t.Parallel()
	c := newCommand(t)
	c.env["DRAGOMAN_OPENVINO"] = c.dir
	out := c.succeeds("devices")
	require.Contains(t, out, "runtime    none: `dragoman runtime install`\n")
	require.Contains(t, out, ": cannot be used\n")
}

func TestWhatIsShownOfAMachine(t *testing.T) {
	show := func(name string, listed ...string) string {
		var out strings.Builder
		m := device.Survey(t.Context(), devicetest.Roots(name))
		writeMachine(&out, m.WithRuntime(listed, func(string, string) (string, error) { return "", nil }))
		return out.String()
	}
	require.Equal(t, `system     Ubuntu 24.04.3 LTS, kernel 6.17.0-40-generic, amd64
runtime    OpenVINO 2026.4.1 in /home/user/.local/share/dragoman/runtime/2026.4.1, for CPU, GPU, NPU (without compiler)

CPU        Intel(R) Core(TM) Ultra 7 258V: can be used
           4 fast and 4 efficient cores, threads: 8, AVX2 AVX-VNNI AVX-VNNI-INT8, Lunar Lake, 33.3 GB of memory
           takes weights in int8, f32, f16, bf16, int4, int4-row, int8-asym, int4-asym, nf4, f8e4m3

GPU        Intel GPU: can be used
           PCI 8086:64a0, driver of 0001-01-01T00:00:00Z, kernel driver xe 6.17.0-40-generic, OpenCL loader 1, /dev/dri/renderD128 of group render
           takes weights in int8, f16, f32, int4, int4-row, int8-asym, int4-asym

NPU        Intel NPU 4: cannot be used
           Lunar Lake, generation 4000, tiles: 4, PCI 8086:643e, driver 1.39.1, kernel driver intel_vpu 6.17.0-40-generic, level-zero loader 1.34.0, firmware vpu_40xx_v1.bin.zst, /dev/accel/accel0 of group render
           takes weights in int8, f16, f32, int4-row, int4, nf4
           this runtime (OpenVINO 2026.4.1 in /home/user/.local/share/dragoman/runtime/2026.4.1) lacks the NPU's compiler library (libopenvino_intel_npu_compiler.so), as every Python wheel for Linux does, and the driver brings none either
           -> take Intel's archive of OpenVINO for Linux instead, which has it: dragoman runtime install --from FILE; or install the package intel-driver-compiler-npu of the driver
`, show("lunar-lake-wheel", "CPU", "GPU"))
	require.Contains(t, show("wsl2-with-npu", "CPU"), "amd64, in WSL2\n")
	require.Contains(t, show("build-machine", "CPU"), ", in a container (docker), in a virtual machine\n")
	require.Contains(t, show("windows11-lunar-lake", "CPU", "GPU", "NPU"), "Windows 11 Pro 24H2, build 26100.6899, amd64\n")
}

func TestDoctorOnDevices(t *testing.T) {
	t.Parallel()
	out := newCommand(t).succeeds("doctor")
	require.Contains(t, out, "ok    device    CPU: ")
	require.Contains(t, out, "NPU: ")
}
