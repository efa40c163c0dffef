//go:build unix

package ovtest_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/require"

	"dragoman/inference/ir"
	"dragoman/inference/openvino"
	"dragoman/inference/openvino/ovtest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	ovtest.RemoveShim()
	os.Exit(code)
}

// load returns the device and the runtime that has it.
func load(t *testing.T) (*ovtest.Device, *openvino.Core) {
	t.Helper()
	device := ovtest.Shim(t)
	rt, err := openvino.Load(device.Library, device.Preload...)
	require.NoError(t, err)
	core, err := rt.NewCore()
	require.NoError(t, err)
	return device, core
}

// width of the graph of these tests.
const width = 32

// double writes a graph that doubles [length, width] numbers.
func double(t *testing.T, core *openvino.Core, length int) *openvino.Model {
	t.Helper()
	var weights, xml strings.Builder
	g := ir.NewGraph("double", ir.NewWeights(&weights))
	x := g.Parameter("x", ir.F32, length, width)
	g.Result("y", g.Multiply(x, g.Floats("two", []int{1, 1}, []float32{2})))
	require.NoError(t, g.WriteXML(&xml))
	m, err := core.ReadModel([]byte(xml.String()), []byte(weights.String()))
	require.NoError(t, err)
	t.Cleanup(m.Close)
	return m
}

// run fills the input with 1, 2, 3… and returns the output.
func run(t *testing.T, c *openvino.CompiledModel) ([]float32, error) {
	t.Helper()
	q, err := c.NewRequest()
	require.NoError(t, err)
	defer q.Close()
	x, err := q.Tensor("x")
	require.NoError(t, err)
	defer x.Close()
	in, err := x.Float32s()
	require.NoError(t, err)
	for i := range in {
		in[i] = float32(i + 1)
	}
	if err := q.Infer(); err != nil {
		return nil, err
	}
	y, err := q.Tensor("y")
	require.NoError(t, err)
	defer y.Close()
	out, err := y.Float32s()
	require.NoError(t, err)
	return append([]float32(nil), out...), nil
}

func onNPU(t *testing.T, core *openvino.Core) *openvino.CompiledModel {
	t.Helper()
	c, err := core.Compile(double(t, core, 4), "NPU", nil)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func TestShimIsADevice(t *testing.T) {
	device, core := load(t)
	devices, err := core.Devices()
	require.NoError(t, err)
	require.Subset(t, devices, []string{"CPU", "NPU"})
	for key, want := range map[string]string{
		"FULL_DEVICE_NAME": "Intel(R) AI Boost", "DEVICE_ARCHITECTURE": "4000", "NPU_COMPILER_VERSION": "524292", "NPU_MAX_TILES": "4",
	} {
		got, err := core.Property("NPU", key)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err = core.Property("NPU", "NO_SUCH_KEY")
	require.ErrorContains(t, err, "Unsupported configuration key: NO_SUCH_KEY")
	_, err = core.Property("CPU", "NO_SUCH_KEY")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "Unsupported configuration key", "the real library's message")
	device.Play(t, "driver=1900")
	driver, err := core.Property("NPU", "NPU_DRIVER_VERSION")
	require.NoError(t, err)
	require.Equal(t, "1900", driver)
	device.Play(t, "device=gone")
	devices, err = core.Devices()
	require.NoError(t, err)
	require.NotContains(t, devices, "NPU")
}

func TestShimComputes(t *testing.T) {
	_, core := load(t)
	out, err := run(t, onNPU(t, core))
	require.NoError(t, err)
	require.Equal(t, float32(2), out[0])
	require.Equal(t, float32(2*4*width), out[4*width-1])
	_, err = core.Compile(double(t, core, ir.Dynamic), "NPU", nil)
	require.ErrorContains(t, err, "to_shape was called on a dynamic shape")
	_, err = core.Compile(double(t, core, ir.Dynamic), "CPU", nil)
	require.NoError(t, err)
}

func TestShimSpoilsResults(t *testing.T) {
	device, core := load(t)
	c := onNPU(t, core)
	for fault, wrong := range map[string]func(out []float32) bool{
		"nan":   func(out []float32) bool { return math.IsNaN(float64(out[7])) },
		"inf":   func(out []float32) bool { return math.IsInf(float64(out[7]), 1) },
		"zero":  func(out []float32) bool { return out[0] == 0 && out[len(out)-1] == 0 },
		"lanes": func(out []float32) bool { return out[2] == 6 && out[3] != 8 && out[4] == 10 && out[19] != 40 },
	} {
		device.Play(t, "infer="+fault, "infer.from=2", "infer.count=1")
		for i, spoiled := range []bool{false, true, false} {
			out, err := run(t, c)
			require.NoError(t, err)
			require.Equal(t, spoiled, wrong(out), "%s, inference %d", fault, i+1)
		}
	}
}

func TestShimFails(t *testing.T) {
	device, core := load(t)
	c := onNPU(t, core)
	device.Play(t, "infer=lost", "infer.from=3")
	for i := range 4 {
		_, err := run(t, c)
		if i < 2 {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, "ZE_RESULT_ERROR_DEVICE_LOST")
	}
	for fault, message := range map[string]string{
		"oom": "ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY", "version": "ZE_RESULT_ERROR_UNSUPPORTED_VERSION", "unknown": "ZE_RESULT_ERROR_UNKNOWN",
	} {
		device.Play(t, "compile="+fault)
		_, err := core.Compile(double(t, core, 4), "NPU", nil)
		require.ErrorContains(t, err, message)
	}
	device.Play(t, "device=lost")
	_, err := core.Property("NPU", "DEVICE_ARCHITECTURE")
	require.ErrorContains(t, err, "ZE_RESULT_ERROR_DEVICE_LOST")
}

func TestShimStoresModels(t *testing.T) {
	device, core := load(t)
	path := filepath.Join(t.TempDir(), "model.blob")
	require.NoError(t, onNPU(t, core).Export(path))
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, strings.Contains(string(content), "compiler=8.4;npu=4000;t=4;"))
	restore := func() (*openvino.CompiledModel, error) { return core.Import(content, "NPU") }
	c, err := restore()
	require.NoError(t, err)
	defer c.Close()
	out, err := run(t, c)
	require.NoError(t, err)
	require.Equal(t, float32(2), out[0])
	device.Play(t, "import=refuse")
	_, err = restore()
	require.ErrorContains(t, err, "Metadata version is not supported")
	device.Play(t, "import=garbage")
	spoiled, err := restore()
	require.NoError(t, err)
	defer spoiled.Close()
	wrong, err := run(t, spoiled)
	require.NoError(t, err)
	require.NotEqual(t, out, wrong)
	_, err = core.Import(content[:len(content)-9], "NPU")
	require.ErrorContains(t, err, "missing NPU metadata")
}

// crashVariable has this test binary play a process that the device ends.
const crashVariable = "DRAGOMAN_TEST_CRASH"

func TestShimCrashes(t *testing.T) {
	device, core := load(t)
	if os.Getenv(crashVariable) != "" {
		_, err := core.Compile(double(t, core, 4), "NPU", nil)
		t.Fatalf("the device went on: %v", err)
	}
	for fault, says := range map[string]string{"abort": "SIGABRT", "segv": "segmentation fault"} {
		device.Play(t, "compile="+fault)
		cmd := exec.Command(os.Args[0], "-test.run=^TestShimCrashes$")
		cmd.Env = append(os.Environ(), append(device.Environment(), crashVariable+"=1")...)
		out, err := cmd.CombinedOutput()
		var ended *exec.ExitError
		require.ErrorAs(t, err, &ended)
		require.Contains(t, ended.Error()+string(out), says)
		require.NotContains(t, string(out), "the device went on")
	}
}

func TestShimHangs(t *testing.T) {
	device, core := load(t)
	c := onNPU(t, core)
	device.Play(t, "infer=hang")
	done := make(chan error, 1)
	go func() {
		_, err := run(t, c)
		done <- err
	}()
	select {
	case <-done:
		t.Fatal("it did not hang")
	default:
	}
	device.Play(t)
	require.NoError(t, <-done)
}

// Functions that the shim knows nothing of are the real library's.
func TestShimPassesOn(t *testing.T) {
	device, _ := load(t)
	handle, err := purego.Dlopen(device.Library, purego.RTLD_NOW)
	require.NoError(t, err)
	text, err := purego.Dlsym(handle, "ov_get_error_info") // of a status, as static text
	require.NoError(t, err)
	address, _, _ := purego.SyscallN(text, ^uintptr(13)) // -14
	require.NotZero(t, address)
	require.Equal(t, byte('i'), **(**byte)(unsafe.Pointer(&address)), "invalid C input parameters")
}
