package host

import (
	"fmt"
	"io"
	"unsafe"

	"dragoman/inference/kernel"
	"dragoman/inference/m2m100/rounding"
	"dragoman/inference/model"
)

// Format is how the weights of the layers are stored.
type Format string

const (
	// Int8 has one scale a row.
	Int8 Format = "int8"
	// Int4 has one scale a group of kernel.Group weights of a row. Matrices that lose
	// most by it stay Int8, see of.
	Int4 Format = "int4"
)

// of is the format of the matrices that are multiplied with an input: where four
// bits cost the most for each byte that they save it is Int8, as measured
// (docs/performance.md).
func (f Format) of(i input) Format {
	if f == Int4 && (i == selfAttended || i == crossAttended || i == feedForwardInner) {
		return Int8
	}
	return f
}

// input is what one of a layer's matrices is multiplied with, in the order in which
// a step comes to them.
type input int

const (
	selfIn input = iota
	selfAttended
	crossIn
	crossAttended
	feedForwardIn
	feedForwardInner
	inputs
)

// at is an input of a layer.
type at struct {
	layer int
	input input
}

// alignment is that of every section of the file.
const alignment = 64

// section is a part of the file: how it is filled, and where it goes when the
// file is open.
type section struct {
	name string
	size int64
	fill func(io.Writer) error
	bind func([]byte)
}

// matrix is a weight of one of the formats.
type matrix struct {
	rows  int
	eight kernel.Int8
	four  kernel.Int4
	int4  bool
}

// layer is what a decoder layer needs. Vectors are in the file's memory.
type layer struct {
	self, cross, final norm
	qkv, selfOut       linear // qkv: queries, keys and values one below the other
	crossQuery         linear
	crossOut           linear
	fc1, fc2           linear
}

type linear struct {
	matrix
	bias  []float32
	input input // of a decoder's
}

type norm struct{ weight, bias []float32 }

// weights are all of the decoder.
type weights struct {
	layers []layer
	norm   norm
	output matrix // of all tokens, four bits
}

// layout lists the file's sections in order, bound to weights.
type layout struct {
	checkpoint *model.Checkpoint
	threads    int
	calibrated *Calibration // nil: four bits are rounded weight by weight
	sections   []section
	err        error
}

func newLayout(c *model.Checkpoint, f Format, calibrated *Calibration, threads int, w *weights) (*layout, error) {
	l := &layout{checkpoint: c, threads: threads, calibrated: calibrated}
	d := c.Config.DModel
	w.layers = make([]layer, c.Config.DecoderLayers)
	for i := range w.layers {
		l.layer(&w.layers[i], f, i)
	}
	l.norm(&w.norm, "model.decoder.layer_norm", d)
	embedding, err := c.Embedding()
	if err != nil {
		return nil, err
	}
	l.matrix(&w.output, Int4, c.Config.VocabSize, d, nil, source{embedding, 1})
	return l, l.err
}

// layer is the decoder's layer i. Its matrices are in the order of their inputs.
func (l *layout) layer(y *layer, f Format, i int) {
	d, ffn, name := l.checkpoint.Config.DModel, l.checkpoint.Config.DecoderFFN, fmt.Sprintf("model.decoder.layers.%d.", i)
	self, cross := name+"self_attn", name+"encoder_attn"
	l.norm(&y.self, self+"_layer_norm", d)
	l.linear(&y.qkv, f, at{i, selfIn}, d, part{self + ".q_proj", d, queryScale}, part{self + ".k_proj", d, 1}, part{self + ".v_proj", d, 1})
	l.linear(&y.selfOut, f, at{i, selfAttended}, d, part{self + ".out_proj", d, 1})
	l.norm(&y.cross, cross+"_layer_norm", d)
	l.linear(&y.crossQuery, f, at{i, crossIn}, d, part{cross + ".q_proj", d, queryScale})
	l.linear(&y.crossOut, f, at{i, crossAttended}, d, part{cross + ".out_proj", d, 1})
	l.norm(&y.final, name+"final_layer_norm", d)
	l.linear(&y.fc1, f, at{i, feedForwardIn}, d, part{name + "fc1", ffn, 1})
	l.linear(&y.fc2, f, at{i, feedForwardInner}, ffn, part{name + "fc2", d, 1})
}

// queryScale is the attention's 1/√head for heads of kernel.Head. It is a power
// of two, so that multiplying weights with it changes nothing else.
const queryScale = 1.0 / 8

// part is rows of a linear layer, times a factor.
type part struct {
	name   string
	rows   int
	factor float32
}

func (l *layout) add(name string, size int64, fill func(io.Writer) error, bind func([]byte)) {
	l.sections = append(l.sections, section{name, size, fill, bind})
}

func (l *layout) norm(n *norm, name string, d int) {
	l.vector(&n.weight, d, part{name + ".weight", d, 1})
	l.vector(&n.bias, d, part{name + ".bias", d, 1})
}

func (l *layout) linear(y *linear, f Format, of at, in int, parts ...part) {
	out := 0
	var tensors []source
	var biases []part
	for _, p := range parts {
		out += p.rows
		biases = append(biases, part{p.name + ".bias", p.rows, p.factor})
		tensors = append(tensors, source{l.tensor(p.name+".weight", p.rows, in), p.factor})
	}
	y.input = of.input
	l.matrix(&y.matrix, f.of(of.input), out, in, l.calibrated.feedback(of), tensors...)
	l.vector(&y.bias, out, biases...)
}

func (l *layout) matrix(m *matrix, f Format, out, in int, feedback func() (*rounding.Feedback, error), tensors ...source) {
	m.rows, m.int4 = out, f == Int4
	name := tensors[0].Name
	q := &quantised{sources: tensors, width: in, threads: l.threads, feedback: feedback}
	if m.int4 {
		groups := in / kernel.Group
		m.four.Width = in
		l.add(name+".int4", int64(out*in/2), q.writeInt4, func(b []byte) { m.four.Weights = b })
		l.add(name+".scale", int64(out*groups*2), q.writeScales4, func(b []byte) { m.four.Scales = view[uint16](b) })
		return
	}
	m.eight.Width = in
	l.add(name+".int8", int64(out*in), q.writeInt8, func(b []byte) { m.eight.Weights = view[int8](b) })
	l.add(name+".scale", int64(out*4), q.writeScales8, func(b []byte) { m.eight.Scales = view[float32](b) })
}

func (l *layout) vector(v *[]float32, n int, parts ...part) {
	var tensors []source
	for _, p := range parts {
		tensors = append(tensors, source{l.tensor(p.name, p.rows), p.factor})
	}
	l.add(parts[0].name, int64(4*n), func(w io.Writer) error { return writeVectors(w, tensors) },
		func(b []byte) { *v = view[float32](b) })
}

// tensor looks a tensor of one shape up. The first failure is kept in err.
func (l *layout) tensor(name string, shape ...int) model.Tensor {
	t, err := l.checkpoint.Shaped(name, shape...)
	if err != nil && l.err == nil {
		l.err = err
	}
	return t
}

func view[T any](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

func bytesOf[T any](v []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(zero)))
}
