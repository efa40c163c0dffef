package m2m100

import (
	"io"

	"dragoman/inference/ir"
	"dragoman/inference/m2m100/host"
	"dragoman/inference/model"
)

// builder adds the layers of one graph. The first failure to read the
// checkpoint is kept in err; the values after it are worthless.
type builder struct {
	*ir.Graph
	checkpoint *model.Checkpoint
	config     model.Config
	err        error
}

func newBuilder(name string, c *model.Checkpoint, w *ir.Weights) *builder {
	return &builder{Graph: ir.NewGraph(name, w), checkpoint: c, config: c.Config}
}

func (b *builder) writeXML(out io.Writer) error {
	if b.err != nil {
		return b.err
	}
	return b.WriteXML(out)
}

func (b *builder) tensor(name string, shape ...int) model.Tensor {
	t, err := b.checkpoint.Shaped(name, shape...)
	if err != nil && b.err == nil {
		b.err = err
	}
	return t
}

// vector is a bias or a scale of n numbers, shaped to be added to [1, T, n]. Numbers
// that are not finite would not always reach the scores, where decoding looks for
// them: the CPU plugin's ReLU makes NaN 0.
func (b *builder) vector(name string, n int) ir.Value {
	t := b.tensor(name, n)
	values := make([]float32, n)
	if b.err == nil {
		b.err = t.FiniteVector(values)
	}
	return b.Floats(name, []int{1, 1, n}, values)
}

// linear is x·Wᵀ + bias for a weight of shape [out, in].
func (b *builder) linear(x ir.Value, name string, out, in int, f Format) ir.Value {
	w := b.matrix(b.tensor(name+".weight", out, in), f)
	return b.Add(b.MatMulTransposed(x, w), b.vector(name+".bias", out))
}

func (b *builder) layerNorm(x ir.Value, name string) ir.Value {
	d := b.config.DModel
	scaled := b.Multiply(b.Normalise(x, host.LayerNormEpsilon), b.vector(name+".weight", d))
	return b.Add(scaled, b.vector(name+".bias", d))
}

// split makes [1, T, d] into [1, heads, T, d/heads].
func (b *builder) split(x ir.Value, heads int) ir.Value {
	d := int64(b.config.DModel)
	x = b.Reshape(x, 0, -1, int64(heads), d/int64(heads))
	return b.Transpose(x, 0, 2, 1, 3)
}

// join undoes split.
func (b *builder) join(x ir.Value) ir.Value {
	return b.Reshape(b.Transpose(x, 0, 2, 1, 3), 0, -1, int64(b.config.DModel))
}

// project is one head-split projection of an attention block.
func (b *builder) project(x ir.Value, name string, heads int, f Format) ir.Value {
	d := b.config.DModel
	return b.split(b.linear(x, name, d, d, f), heads)
}

// closeAttention joins the heads, projects them and adds the residual.
func (b *builder) closeAttention(residual, attended ir.Value, name string, f Format) ir.Value {
	d := b.config.DModel
	return b.Add(residual, b.linear(b.join(attended), name+".out_proj", d, d, f))
}

// feedForward is a layer's second half with its residual.
func (b *builder) feedForward(h ir.Value, layer string, inner int, f Format) ir.Value {
	d := b.config.DModel
	x := b.layerNorm(h, layer+".final_layer_norm")
	x = b.ReLU(b.linear(x, layer+".fc1", inner, d, f))
	return b.Add(h, b.linear(x, layer+".fc2", d, inner, f))
}
