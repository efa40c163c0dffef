package m2m100

import (
	"context"
	"fmt"
	"slices"
	"time"

	"dragoman/inference/model"
	"dragoman/inference/openvino"
)

// decoder runs the step graph. Everything that a step reads and writes lies in
// tensors that are made once.
type decoder struct {
	config model.Config
	table  *embedding
	graph  stored

	prefix, prefixMask boundFloats // first step: start and language token
	next               boundFloats // later steps: one token
	nextMasks          masks
	beams              *openvino.Tensor
	scores             boundFloats
	tokens             []int32
	tokensTensor       *openvino.Tensor
}

// boundFloats is Go memory with a tensor on it.
type boundFloats struct {
	data   []float32
	tensor *openvino.Tensor
}

func newDecoder(ctx context.Context, g graphs, c model.Config, table *embedding) (*decoder, error) {
	graph, err := g.load(ctx, decoderFile)
	if err != nil {
		return nil, err
	}
	d := &decoder{config: c, table: table, graph: graph}
	if err := d.makeTensors(g.core.Runtime()); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *decoder) makeTensors(rt *openvino.Runtime) (err error) {
	floats := func(dims ...int64) (b boundFloats) {
		if err != nil {
			return b
		}
		n := int64(1)
		for _, dim := range dims {
			n *= dim
		}
		b.data = make([]float32, n)
		b.tensor, err = openvino.NewTensorOn(rt, openvino.F32, b.data, dims...)
		return b
	}
	width := int64(d.config.DModel)
	d.prefix, d.prefixMask = floats(1, 2, width), floats(1, 1, 2, 2)
	d.next = floats(1, 1, width)
	d.nextMasks = newMasks(rt, d.config.MaxPositions)
	d.scores = floats(1, candidates)
	if err != nil {
		return err
	}
	// The start token must not look at the language token that comes after it.
	d.prefixMask.data[1] = padMask
	if d.beams, err = openvino.NewTensorOn(rt, openvino.I32, make([]int32, 1), 1); err != nil {
		return err
	}
	d.tokens = make([]int32, candidates)
	d.tokensTensor, err = openvino.NewTensorOn(rt, openvino.I32, d.tokens, 1, candidates)
	return err
}

func (d *decoder) close() {
	if d == nil {
		return
	}
	for _, b := range []boundFloats{d.prefix, d.prefixMask, d.next, d.scores} {
		b.tensor.Close()
	}
	d.nextMasks.close()
	d.beams.Close()
	d.tokensTensor.Close()
	d.graph.close()
}

// lengths bound an output, in tokens without the end token.
type lengths struct{ least, most int }

// decode generates greedily into g. A fresh request is a fresh state.
func (d *decoder) decode(ctx context.Context, cross []*openvino.Tensor, source []int32, target int32, n lengths, g *Generation) error {
	request, err := d.graph.NewRequest()
	if err != nil {
		return err
	}
	defer request.Close()
	if err := d.bind(request, cross); err != nil {
		return err
	}
	if err := d.table.lookUpAll(d.prefix.data, []int32{int32(d.config.DecoderStart), target}, 0); err != nil {
		return err
	}
	guard := newGuard(source)
	g.Tokens, g.Steps = make([]int32, 0, n.most), make([]time.Duration, 0, n.most+1)
	for len(g.Tokens) < n.most {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := time.Now()
		if err := request.Infer(); err != nil {
			return fmt.Errorf("decode token %d: %w", len(g.Tokens)+1, err)
		}
		g.Infer += time.Since(start)
		token, err := d.choose(&guard, n.least, g)
		if err != nil {
			return err
		}
		if token == int32(d.config.EOS) {
			g.Steps = append(g.Steps, time.Since(start))
			return nil
		}
		g.Tokens = append(g.Tokens, token)
		if err := d.feed(request, token, len(g.Tokens)); err != nil {
			return err
		}
		g.Steps = append(g.Steps, time.Since(start))
	}
	g.Cut = true
	return nil
}

func (d *decoder) bind(request *openvino.InferRequest, cross []*openvino.Tensor) error {
	bound := map[string]*openvino.Tensor{
		decoderEmbeddings: d.prefix.tensor, decoderMask: d.prefixMask.tensor, decoderBeams: d.beams,
		decoderScores: d.scores.tensor, decoderTokens: d.tokensTensor,
	}
	for l := range d.config.DecoderLayers {
		key, value := crossNames(l)
		bound[key], bound[value] = cross[2*l], cross[2*l+1]
	}
	for name, t := range bound {
		if err := request.SetTensor(name, t); err != nil {
			return fmt.Errorf("bind %s: %w", name, err)
		}
	}
	return nil
}

// feed gives the next step its one new token, the n-th of the output.
func (d *decoder) feed(request *openvino.InferRequest, token int32, n int) error {
	if n == 1 { // the first step had two tokens
		if err := request.SetTensor(decoderEmbeddings, d.next.tensor); err != nil {
			return err
		}
	}
	mask, err := d.nextMasks.get(n + 2)
	if err != nil {
		return err
	}
	if err := request.SetTensor(decoderMask, mask); err != nil {
		return err
	}
	return d.table.lookUp(d.next.data, token, n+1)
}

// choose takes the best candidate that may come next. The end token is refused
// before the least length: a source that is not empty has a translation.
func (d *decoder) choose(guard *guard, least int, g *Generation) (int32, error) {
	if best := d.scores.data[0]; best-best != 0 {
		return 0, fmt.Errorf("decode token %d: the model's scores are %v: the device computes wrongly or the model is damaged", len(g.Tokens)+1, best)
	}
	eos := int32(d.config.EOS)
	i := slices.IndexFunc(d.tokens, func(token int32) bool {
		if token == eos {
			return len(g.Tokens) >= least
		}
		return !guard.refuses(g.Tokens, token)
	})
	if i > 0 {
		g.Guarded++
	}
	if i < 0 {
		return eos, nil
	}
	return d.tokens[i], nil
}
