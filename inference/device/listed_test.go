package device_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/device"
	"dragoman/inference/device/devicetest"
)

func TestTheRuntimeConfirmsOrRefutes(t *testing.T) {
	names := func(device, name string) (string, error) {
		if name == "FULL_DEVICE_NAME" {
			return "the " + device, nil
		}
		return "", errors.New("Unsupported configuration key: " + name)
	}
	for _, test := range []struct {
		machine string
		listed  []string
		serve   []device.Kind
		why     device.Problem // of the NPU, "" where it serves
	}{
		{"meteor-lake", []string{"CPU", "GPU", "NPU"}, []device.Kind{device.CPU, device.GPU, device.NPU}, ""},
		{"meteor-lake", []string{"CPU", "GPU"}, []device.Kind{device.CPU, device.GPU}, device.Unseen},
		{"meteor-lake-no-group", []string{"CPU"}, []device.Kind{device.CPU}, device.NoPermission},
		{"build-machine", []string{"CPU"}, []device.Kind{device.CPU}, device.NoHardware},
		{"build-machine", []string{"CPU", "NPU"}, []device.Kind{device.CPU, device.NPU}, ""},
		{"wsl2", []string{"CPU", "GPU.0"}, []device.Kind{device.CPU, device.GPU}, device.InWSL},
		{"lunar-lake-old-driver", []string{"CPU", "GPU", "NPU"}, []device.Kind{device.CPU, device.GPU}, device.DriverTooOld},
		{"lunar-lake-wheel", []string{"CPU", "GPU", "NPU"}, []device.Kind{device.CPU, device.GPU}, device.NoCompiler},
	} {
		before := device.Survey(t.Context(), devicetest.Roots(test.machine))
		m := before.WithRuntime(test.listed, names)
		var serve []device.Kind
		for _, d := range m.Devices {
			if m.Serves(d) {
				serve = append(serve, d.Kind)
				require.Equal(t, "the "+d.Listed, d.Name)
			}
		}
		require.Equal(t, test.serve, serve, test.machine)
		if test.why == "" {
			require.Empty(t, m.Why(device.NPU))
		} else {
			require.Equal(t, test.why, m.Why(device.NPU)[0].Problem)
		}
		require.Equal(t, before, device.Survey(t.Context(), devicetest.Roots(test.machine)), "unchanged")
	}
}

// What blocks nothing is worth knowing of a device that serves.
func TestTheRuntimeRefutesOnlyWhatBlocks(t *testing.T) {
	m := device.Survey(t.Context(), devicetest.Roots("lunar-lake-driver-compiler")).
		WithRuntime([]string{"CPU", "GPU", "NPU"}, func(_, name string) (string, error) { return "", errors.New(name) })
	require.Len(t, m.Findings, 1)
	require.Equal(t, device.MixedCompiler, m.Findings[0].Problem)
}
