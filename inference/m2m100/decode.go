package m2m100

import (
	"context"
	"errors"
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
	infer  func(*openvino.InferRequest) error

	prefixMask boundFloats // first step, start and language token
	nextMasks  masks       // later steps, one token each
	beams      *openvino.Tensor
	lanes      [lanes]decoderLane
}

// decoderLane keeps what a lane's text reads and writes, because another lane's
// text may come between two of its steps.
type decoderLane struct {
	prefix, next boundFloats
	scores       boundFloats
	tokens       []int32
	tokensTensor *openvino.Tensor
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
	d := &decoder{config: c, table: table, graph: graph, infer: (*openvino.InferRequest).Infer}
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
	d.prefixMask = floats(1, 1, 2, 2)
	d.nextMasks = newMasks(rt, d.config.MaxPositions)
	for i := range d.lanes {
		d.lanes[i] = decoderLane{
			prefix: floats(1, 2, width), next: floats(1, 1, width), scores: floats(1, candidates),
			tokens: make([]int32, candidates),
		}
	}
	if err != nil {
		return err
	}
	// The start token must not look at the language token that comes after it.
	d.prefixMask.data[1] = padMask
	if d.beams, err = openvino.NewTensorOn(rt, openvino.I32, make([]int32, 1), 1); err != nil {
		return err
	}
	for i := range d.lanes {
		l := &d.lanes[i]
		if l.tokensTensor, err = openvino.NewTensorOn(rt, openvino.I32, l.tokens, 1, candidates); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) close() {
	if d == nil {
		return
	}
	for _, l := range d.lanes {
		for _, t := range []*openvino.Tensor{l.prefix.tensor, l.next.tensor, l.scores.tensor, l.tokensTensor} {
			t.Close()
		}
	}
	d.prefixMask.tensor.Close()
	d.nextMasks.close()
	d.beams.Close()
	d.graph.close()
}

// lengths bound an output, in tokens without the end token.
type lengths struct{ least, most int }

// decode generates greedily into g. A fresh request is a fresh state.
func (d *decoder) decode(ctx context.Context, turn *turn, cross []*openvino.Tensor, source []int32, target int32, n lengths, g *Generation) (err error) {
	request, err := d.graph.NewRequest()
	if err != nil {
		return err
	}
	defer func() {
		if !errors.Is(err, ErrHung) { // what hangs still uses it
			request.Close()
		}
	}()
	l := &d.lanes[turn.lane]
	if err := d.bind(request, l, cross, len(source)); err != nil {
		return err
	}
	if err := d.table.lookUpAll(l.prefix.data, []int32{int32(d.config.DecoderStart), target}, 0); err != nil {
		return err
	}
	guard := newGuard(source)
	g.Tokens, g.Steps = make([]int32, 0, n.most), make([]time.Duration, 0, n.most+1)
	for len(g.Tokens) < n.most {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := turn.yield(ctx); err != nil {
			return err
		}
		start := time.Now()
		if err := d.infer(request); err != nil {
			return fmt.Errorf("decode token %d: %w", len(g.Tokens)+1, err)
		}
		g.Infer += time.Since(start)
		token, err := d.choose(l.scores.data, l.tokens, &guard, n.least, g)
		if err != nil {
			return err
		}
		if token == int32(d.config.EOS) {
			g.Steps = append(g.Steps, time.Since(start))
			return nil
		}
		g.Tokens = append(g.Tokens, token)
		if err := d.feed(request, l, token, len(g.Tokens)); err != nil {
			return err
		}
		g.Steps = append(g.Steps, time.Since(start))
	}
	g.Cut = true
	return nil
}

func (d *decoder) bind(request *openvino.InferRequest, l *decoderLane, cross []*openvino.Tensor, source int) error {
	crossMask, err := d.nextMasks.get(source)
	if err != nil {
		return err
	}
	bound := map[string]*openvino.Tensor{
		decoderEmbeddings: l.prefix.tensor, decoderMask: d.prefixMask.tensor, decoderCrossMask: crossMask, decoderBeams: d.beams,
		decoderScores: l.scores.tensor, decoderTokens: l.tokensTensor,
	}
	for layer := range d.config.DecoderLayers {
		key, value := crossNames(layer)
		bound[key], bound[value] = cross[2*layer], cross[2*layer+1]
	}
	for name, t := range bound {
		if err := request.SetTensor(name, t); err != nil {
			return fmt.Errorf("bind %s: %w", name, err)
		}
	}
	return nil
}

// feed gives the next step its one new token, the n-th of the output.
func (d *decoder) feed(request *openvino.InferRequest, l *decoderLane, token int32, n int) error {
	if n == 1 { // the first step had two tokens
		if err := request.SetTensor(decoderEmbeddings, l.next.tensor); err != nil {
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
	return d.table.lookUp(l.next.data, token, n+1)
}

// choose takes the best candidate that may come next. The end token is refused
// before the least length: a source that is not empty has a translation.
func (d *decoder) choose(scores []float32, tokens []int32, guard *guard, least int, g *Generation) (int32, error) {
	if best := scores[0]; best-best != 0 {
		return 0, fmt.Errorf("decode token %d: the model's scores are %v: the device computes wrongly or the model is damaged", len(g.Tokens)+1, best)
	}
	eos := int32(d.config.EOS)
	i := slices.IndexFunc(tokens, func(token int32) bool {
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
	return tokens[i], nil
}
