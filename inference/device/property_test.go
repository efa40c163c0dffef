package device_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/device"
)

func TestTheRuntimeCompletesADevice(t *testing.T) {
	answers := map[string]string{
		"FULL_DEVICE_NAME": "Intel(R) AI Boost", "DEVICE_ARCHITECTURE": "4000", "NPU_DRIVER_VERSION": "2565",
		"NPU_COMPILER_VERSION": "524292", "NPU_MAX_TILES": "6", "NPU_DEVICE_TOTAL_MEM_SIZE": "17179869184",
	}
	get := func(name string) (string, error) {
		if s, ok := answers[name]; ok {
			return s, nil
		}
		return "", errors.New("Unsupported configuration key: " + name)
	}
	d := device.Device{Kind: device.NPU, Name: "Intel NPU", Tiles: 4, Driver: device.Driver{UserMode: "1.39.1"}}
	require.Equal(t, "NPU ? tiles=4 driver=1.39.1 compiler=?", d.Key())
	d = d.WithProperties(get)
	require.Equal(t, "NPU 4000 tiles=6 driver=2565/1.39.1 compiler=8.4", d.Key())
	require.Equal(t, int64(16<<30), d.Memory)
	require.Equal(t, "1.39.1", d.Driver.UserMode, "what the files say stays")
	require.Equal(t, "Intel(R) AI Boost", d.Name)

	clear(answers)
	require.Equal(t, d, d.WithProperties(get), "what the runtime does not tell stays")
}

func TestKeysOfOtherDevices(t *testing.T) {
	require.Equal(t, "CPU AMD EPYC", device.Device{Kind: device.CPU, Name: "AMD EPYC"}.Key())
	require.Equal(t, "GPU 8086:64a0 driver=32.0.101.8250",
		device.Device{Kind: device.GPU, PCI: "8086:64a0", Driver: device.Driver{Kernel: "32.0.101.8250"}}.Key())
	require.Equal(t, "NPU ? tiles=? driver=? compiler=?", device.Device{Kind: device.NPU}.Key())
}

// The texts are as OpenVINO 2026.4.1 writes them.
func TestErrorsOfTheRuntimeAreExplained(t *testing.T) {
	for message, want := range map[string]device.Problem{
		"Exception from src/inference/src/cpp/core.cpp:132:\nException from src/plugins/intel_npu/src/utils/src/vcl/vcl_api.cpp:22:\n" +
			"Cannot load library \"libs/libopenvino_intel_npu_compiler_loader.so\": cannot open shared object file: No such file or directory\n": device.NoCompiler,
		"Exception from src/plugins/intel_npu/src/plugin/src/plugin_property_manager.cpp:381:\nNo available backend\n": device.Denied,
		"No backend registered during model import": device.Denied,
		"Check '!m_device_map.empty()' failed at src/plugins/intel_gpu/src/plugin/plugin.cpp:559:\n[GPU] Can't get FULL_DEVICE_NAME property as no supported devices found or an error happened": device.Denied,
		"Compilation failed. vclAllocatedExecutableCreate4 result: 0x78000004 - [NPU_VCL] Compiler returned msg: Unsupported data type 'nf4'":                                                    device.BadFormat,
		"Unsupported configuration key: NPU_MAX_TILES":                       device.DriverTooOld,
		"zeCommandQueueExecuteCommandLists: ZE_RESULT_ERROR_DEVICE_LOST":     device.Lost,
		"L0 zeFenceHostSynchronize result: ZE_RESULT_ERROR_UNKNOWN":          device.DriverFault,
		"to_shape was called on a dynamic shape.":                            device.NotStatic,
		"Missing upper bound for one or more nodes.":                         device.NotStatic,
		"ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY":                               device.NoMemory,
		"Exception from src/a.cpp:1:\nsomething that nobody has seen before": device.Unexplained,
		"Exception from src/a.cpp:1:\n":                                      device.Unexplained,
	} {
		problem, text := device.Explain(device.NPU, errors.New(message))
		require.Equal(t, want, problem, message)
		require.NotEmpty(t, text)
		if want == device.Unexplained && message[len(message)-1] != '\n' {
			require.Equal(t, "something that nobody has seen before", text)
		}
	}
	require.Contains(t, device.Unlisted(device.NPU).Cure, "OV_NPU_LOG_LEVEL")
	require.Empty(t, device.Unlisted(device.GPU).Cure)
}
