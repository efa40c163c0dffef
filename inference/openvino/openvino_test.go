package openvino_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/ir"
	"dragoman/inference/mapped"
	"dragoman/inference/openvino"
	"dragoman/inference/openvino/ovtest"
)

// affine writes the graph y = x·[[1,2,3],[4,5,6]]ᵀ + [10,20] for any number of rows.
func affine(t testing.TB) (xml, weights []byte) {
	t.Helper()
	var bin, text bytes.Buffer
	w := ir.NewWeights(&bin)
	g := ir.NewGraph("affine", w)
	x := g.Parameter("x", ir.F32, ir.Dynamic, 3)
	m := g.Floats("m", []int{2, 3}, []float32{1, 2, 3, 4, 5, 6})
	g.Result("y", g.Add(g.MatMulTransposed(x, m), g.Floats("b", []int{1, 2}, []float32{10, 20})))
	require.NoError(t, g.WriteXML(&text))
	return text.Bytes(), bin.Bytes()
}

// counter writes a graph that adds x to a state and returns the sum.
func counter(t testing.TB) (xml, weights []byte) {
	t.Helper()
	var bin, text bytes.Buffer
	w := ir.NewWeights(&bin)
	g := ir.NewGraph("counter", w)
	x := g.Parameter("x", ir.F32, 1)
	sum := g.Add(x, g.ReadState("sum", g.Floats("zero", []int{1}, []float32{0}), 1))
	g.WriteState("sum", sum)
	g.Result("sum", sum)
	require.NoError(t, g.WriteXML(&text))
	return text.Bytes(), bin.Bytes()
}

func compile(t testing.TB, core *openvino.Core, xml, weights []byte) *openvino.CompiledModel {
	t.Helper()
	m, err := core.ReadModel(xml, weights)
	require.NoError(t, err)
	defer m.Close()
	c, err := core.Compile(m, "CPU", openvino.Properties{"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func run(t testing.TB, core *openvino.Core, c *openvino.CompiledModel, x []float32, dims ...int64) []float32 {
	t.Helper()
	q, err := c.NewRequest()
	require.NoError(t, err)
	defer q.Close()
	input, err := openvino.NewTensorOn(core.Runtime(), openvino.F32, x, dims...)
	require.NoError(t, err)
	defer input.Close()
	require.NoError(t, q.SetTensor("x", input))
	require.NoError(t, q.Infer())
	output, err := q.Tensor("y")
	require.NoError(t, err)
	defer output.Close()
	y, err := output.Float32s()
	require.NoError(t, err)
	return append([]float32(nil), y...)
}

func TestVersion(t *testing.T) {
	rt := ovtest.Core(t).Runtime()
	year, err := strconv.Atoi(strings.SplitN(rt.Version(), ".", 2)[0])
	require.NoError(t, err)
	require.GreaterOrEqual(t, year, 2025)
	require.True(t, strings.HasPrefix(rt.Build, rt.Version()))
}

func TestLoadTwice(t *testing.T) {
	rt := ovtest.Core(t).Runtime()
	again, err := openvino.Load(rt.Path)
	require.NoError(t, err)
	require.Same(t, rt, again)
	_, err = openvino.Load(filepath.Join(t.TempDir(), "libopenvino_c.so"))
	require.ErrorContains(t, err, "already uses")
}

func TestInferAnyNumberOfRows(t *testing.T) {
	core := ovtest.Core(t)
	xml, weights := affine(t)
	c := compile(t, core, xml, weights)
	require.Equal(t, []float32{11, 24}, run(t, core, c, []float32{1, 0, 0}, 1, 3))
	require.Equal(t, []float32{12, 25, 16, 35}, run(t, core, c, []float32{0, 1, 0, 1, 1, 1}, 2, 3))
}

func TestReadModelFile(t *testing.T) {
	core := ovtest.Core(t)
	xml, weights := affine(t)
	path := filepath.Join(t.TempDir(), "affine.xml")
	require.NoError(t, os.WriteFile(path, xml, 0o600))
	require.NoError(t, os.WriteFile(strings.TrimSuffix(path, ".xml")+".bin", weights, 0o600))
	m, err := core.ReadModelFile(path)
	require.NoError(t, err)
	defer m.Close()
	c, err := core.Compile(m, "CPU", nil)
	require.NoError(t, err)
	defer c.Close()
	require.Equal(t, []float32{11, 24}, run(t, core, c, []float32{1, 0, 0}, 1, 3))
}

func TestExportAndImport(t *testing.T) {
	core := ovtest.Core(t)
	xml, weights := affine(t)
	path := filepath.Join(t.TempDir(), "affine.blob")
	require.NoError(t, compile(t, core, xml, weights).Export(path))
	content, err := mapped.Open(path)
	require.NoError(t, err)
	defer content.Close()
	c, err := core.Import(content.Bytes(), "CPU")
	require.NoError(t, err)
	defer c.Close()
	require.Equal(t, []float32{11, 24}, run(t, core, c, []float32{1, 0, 0}, 1, 3))
}

func TestNewRequestStartsWithFreshState(t *testing.T) {
	core := ovtest.Core(t)
	xml, weights := counter(t)
	c := compile(t, core, xml, weights)
	x := []float32{2}
	input, err := openvino.NewTensorOn(core.Runtime(), openvino.F32, x, 1)
	require.NoError(t, err)
	defer input.Close()
	for range 2 {
		q, err := c.NewRequest()
		require.NoError(t, err)
		require.NoError(t, q.SetTensor("x", input))
		for step := 1; step <= 3; step++ {
			require.NoError(t, q.Infer())
			output, err := q.Tensor("sum")
			require.NoError(t, err)
			sum, err := output.Float32s()
			require.NoError(t, err)
			require.Equal(t, []float32{2 * float32(step)}, sum)
			output.Close()
		}
		q.Close()
	}
}

func TestTensorOnRuntimeMemory(t *testing.T) {
	rt := ovtest.Core(t).Runtime()
	tensor, err := rt.NewTensor(openvino.I32, 2, 3)
	require.NoError(t, err)
	defer tensor.Close()
	shape, err := tensor.Shape()
	require.NoError(t, err)
	require.Equal(t, []int64{2, 3}, shape)
	require.NoError(t, tensor.SetShape(4))
	values, err := tensor.Int32s()
	require.NoError(t, err)
	require.Len(t, values, 4)
	_, err = tensor.Float32s()
	require.ErrorContains(t, err, "i32, not f32")
}

func TestDevicesAndProperties(t *testing.T) {
	core := ovtest.Core(t)
	devices, err := core.Devices()
	require.NoError(t, err)
	require.Contains(t, devices, "CPU")
	name, err := core.Property("CPU", "FULL_DEVICE_NAME")
	require.NoError(t, err)
	require.NotEmpty(t, name)
	build, err := core.PluginVersion("CPU")
	require.NoError(t, err)
	require.Equal(t, core.Runtime().Version(), strings.SplitN(build, "-", 2)[0])
	require.NoError(t, core.SetProperty("CPU", "INFERENCE_NUM_THREADS", "1"))
	threads, err := core.Property("CPU", "INFERENCE_NUM_THREADS")
	require.NoError(t, err)
	require.Equal(t, "1", threads)
	require.NoError(t, core.SetProperty("CPU", "INFERENCE_NUM_THREADS", "0"))
	xml, weights := affine(t)
	executes, err := compile(t, core, xml, weights).Property("EXECUTION_DEVICES")
	require.NoError(t, err)
	require.Equal(t, "CPU", executes)
}

func TestFailuresSayWhatFailed(t *testing.T) {
	core := ovtest.Core(t)
	xml, weights := affine(t)
	c := compile(t, core, xml, weights)
	q, err := c.NewRequest()
	require.NoError(t, err)
	defer q.Close()
	m, err := core.ReadModel(xml, weights)
	require.NoError(t, err)
	defer m.Close()
	for _, test := range []struct {
		call string
		do   func() error
	}{
		{"ov_core_read_model", func() error { _, err := core.ReadModelFile("missing.xml"); return err }},
		{"ov_core_read_model_from_memory_buffer", func() error { _, err := core.ReadModel([]byte("<net"), nil); return err }},
		{"ov_core_compile_model", func() error { _, err := core.Compile(m, "TOASTER", nil); return err }},
		{"ov_core_compile_model", func() error { _, err := core.Compile(m, "CPU", openvino.Properties{"NO_SUCH": "1"}); return err }},
		{"ov_core_import_model", func() error { _, err := core.Import([]byte("no blob"), "CPU"); return err }},
		{"ov_core_get_property", func() error { _, err := core.Property("CPU", "NO_SUCH"); return err }},
		{"ov_infer_request_get_tensor", func() error { _, err := q.Tensor("no such name"); return err }},
		{"ov_compiled_model_export_model", func() error { return c.Export(filepath.Join(t.TempDir(), "no", "folder")) }},
	} {
		err := test.do()
		var failure *openvino.Error
		require.ErrorAs(t, err, &failure, test.call)
		require.True(t, strings.HasPrefix(failure.Call, test.call), "%v", err)
		require.Negative(t, int(failure.Status))
		require.NotEmpty(t, failure.Message, test.call)
	}
}

func TestTensorOnMemoryOfAnotherSize(t *testing.T) {
	rt := ovtest.Core(t).Runtime()
	before := rt.Live()
	_, err := openvino.NewTensorOn(rt, openvino.F32, make([]float32, 5), 2, 3)
	require.ErrorContains(t, err, "24 bytes, not 20")
	require.Equal(t, before, rt.Live())
}
