package device_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/device"
	"dragoman/inference/device/devicetest"
)

const small = 418_000_000

func npu(g device.Generation) device.Device { return device.Device{Kind: device.NPU, Generation: g} }

func TestWhichWeightsMayGoWhere(t *testing.T) {
	cpu, gpu := device.Device{Kind: device.CPU}, device.Device{Kind: device.GPU}
	for _, test := range []struct {
		format     device.Format
		device     device.Device
		parameters int64
		why        string // a part of the reason, "" where it may
	}{
		{device.Int8, cpu, small, ""},
		{device.F32, cpu, small, ""},
		{device.BF16, cpu, small, ""},
		{device.Int4Asym, cpu, small, ""},
		{device.Int8, gpu, small, ""},
		{device.Int8Asym, gpu, small, ""},
		{device.BF16, gpu, small, "f16 or f32"},
		{device.NF4, gpu, small, "documented"},
		{device.Int8, npu(device.NPU3720), small, ""},
		{device.Int8, npu(""), small, ""},
		{device.F32, npu(device.NPU3720), small, ""},
		{device.BF16, npu(device.NPU5010), small, "f16"},
		{device.Int8Asym, npu(device.NPU5010), small, "symmetric weights only"},
		{device.Int4Asym, npu(device.NPU3720), small, "symmetric weights only"},
		{device.Int4, npu(device.NPU3720), small, ""},
		{device.Int4, npu(device.NPU3720), 0, ""},
		{device.Int4, npu(device.NPU4000), 7_000_000_000, "up to 4 billion parameters, this one has 7 billion"},
		{device.Int4Row, npu(device.NPU4000), 7_000_000_000, ""},
		{device.NF4, npu(device.NPU3720), small, "NPU 4 (4000) or newer"},
		{device.NF4, npu(device.NPU4000), small, ""},
		{device.NF4, npu(device.NPU5020), small, ""},
		{device.NF4, npu(""), small, "not known"},
		{device.FP8, npu(device.NPU4000), small, "NPU 5 (5010) or newer"},
		{device.FP8, npu(device.NPU5010), small, ""},
		{device.FP8, npu(device.NPU5020), small, ""},
		{"int3", cpu, small, "unknown"},
		{device.NF4, npu("6000"), small, "NPU 4"},
	} {
		err := device.Check(test.format, test.device, test.parameters)
		if test.why == "" {
			require.NoError(t, err)
			require.Contains(t, device.Formats(test.device, test.parameters), test.format)
			continue
		}
		require.ErrorContains(t, err, test.why)
		require.ErrorContains(t, err, "use one of int8, ", "the way out")
		require.NotContains(t, device.Formats(test.device, test.parameters), test.format)
	}
}

func TestEachFormatHasARuleForEachDevice(t *testing.T) {
	formats := map[device.Format]bool{}
	for _, r := range device.Rules() {
		formats[r.Format] = true
		require.NotEmpty(t, r.Source, "%s on %s", r.Format, r.Device)
	}
	require.Len(t, device.Rules(), 3*len(formats))
	for _, k := range []device.Kind{device.CPU, device.GPU, device.NPU} {
		require.Equal(t, device.Int8, device.Formats(device.Device{Kind: k}, small)[0])
	}
}

// The table agrees with what the NPU's compiler did: it compiles what is
// allowed, and what it takes apart into f16 is refused or says so.
func TestTheNPUsCompilerAgrees(t *testing.T) {
	text, err := os.ReadFile("testdata/formats/npu.tsv")
	require.NoError(t, err)
	const asF16 = 512 * 512 * 2
	rows := 0
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		rows++
		format, g := device.Format(f[0]), device.Generation(f[1])
		allowed := device.Check(format, npu(g), small) == nil
		if f[2] != "compiled" {
			require.False(t, allowed, line)
			continue
		}
		size, err := strconv.Atoi(f[3])
		require.NoError(t, err)
		floats := format == device.F16 || format == device.F32
		if !allowed {
			require.Greater(t, size, asF16, "%s is refused and gains something", line)
		} else if size > asF16 && !floats {
			for _, r := range device.Rules() {
				if r.Device == device.NPU && r.Format == format {
					require.Contains(t, r.Note, "nothing is gained", line)
				}
			}
		}
	}
	require.Equal(t, 10*len(device.Generations()), rows)
}

func TestGenerations(t *testing.T) {
	require.Equal(t, []device.Generation{device.NPU3720, device.NPU4000, device.NPU5010, device.NPU5020}, device.Generations())
	for _, g := range device.Generations() {
		parsed, err := device.ParseGeneration(string(g))
		require.NoError(t, err)
		require.Equal(t, g, parsed)
		require.True(t, g.AtLeast(device.NPU3720))
	}
	_, err := device.ParseGeneration("4100")
	require.ErrorContains(t, err, "3720, 4000, 5010 or 5020")
	require.Equal(t, "NPU 4", device.NPU4000.Name())
	require.False(t, device.NPU4000.AtLeast(device.NPU5020))
	require.True(t, device.NPU5020.AtLeast(device.NPU5010))
	require.False(t, device.Generation("9999").AtLeast(device.NPU3720))
}

func TestWeightsForTheDeviceThatWasAskedFor(t *testing.T) {
	on := func(name string) func() device.Machine {
		return func() device.Machine { return device.Survey(t.Context(), devicetest.Roots(name)) }
	}
	unneeded := func() device.Machine { t.Fatal("looked at the machine for nothing"); return device.Machine{} }
	require.NoError(t, device.CheckAsked(device.NF4, "", small, unneeded))
	require.NoError(t, device.CheckAsked(device.Int8, "cpu-static", small, unneeded))
	require.NoError(t, device.CheckAsked(device.Int8, "TPU", small, unneeded))
	require.ErrorContains(t, device.CheckAsked(device.NF4, "GPU", small, unneeded), "cannot go to the GPU")
	require.NoError(t, device.CheckAsked(device.Int8, "NPU", small, on("meteor-lake")))
	require.NoError(t, device.CheckAsked(device.NF4, "NPU", small, on("lunar-lake-wheel")))
	require.ErrorContains(t, device.CheckAsked(device.NF4, "NPU", small, on("meteor-lake")), "cannot go to the NPU (3720): only an NPU 4 (4000) or newer")
	require.ErrorContains(t, device.CheckAsked(device.FP8, "NPU", small, on("build-machine")), "not known")
}
