package m2m100

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"dragoman/inference/model"
	"dragoman/inference/openvino"
)

// graphDecoder runs the step graph. Everything that a step reads and writes lies
// in tensors that are made once.
type graphDecoder struct {
	config model.Config
	table  *embedding
	graph  stored
	infer  func(*openvino.InferRequest) error

	prefixMask boundFloats // first step, start and language token
	nextMasks  masks       // later steps, one token each
	oneBeam    *openvino.Tensor
	lanes      [lanes]graphLane

	making    sync.Mutex // of the graph of beams
	load      func(ctx context.Context, file string) (stored, error)
	beamGraph stored
}

// graphLane keeps what a lane's text reads and writes, because another lane's
// text may come between two of its steps.
type graphLane struct {
	*graphDecoder
	request      *openvino.InferRequest
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

func newGraphDecoder(ctx context.Context, g graphs, c model.Config, table *embedding) (*graphDecoder, error) {
	graph, err := g.load(ctx, decoderFile)
	if err != nil {
		return nil, err
	}
	d := &graphDecoder{config: c, table: table, graph: graph, infer: (*openvino.InferRequest).Infer, load: g.load}
	if err := d.makeTensors(g.core.Runtime()); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *graphDecoder) makeTensors(rt *openvino.Runtime) (err error) {
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
		d.lanes[i] = graphLane{
			graphDecoder: d,
			prefix:       floats(1, 2, width), next: floats(1, 1, width), scores: floats(1, candidates),
			tokens: make([]int32, candidates),
		}
	}
	if err != nil {
		return err
	}
	// The start token must not look at the language token that comes after it.
	d.prefixMask.data[1] = padMask
	if d.oneBeam, err = openvino.NewTensorOn(rt, openvino.I32, make([]int32, 1), 1); err != nil {
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

func (d *graphDecoder) release() { d.graph.release() }

func (d *graphDecoder) close() {
	for _, l := range d.lanes {
		for _, t := range []*openvino.Tensor{l.prefix.tensor, l.next.tensor, l.scores.tensor, l.tokensTensor} {
			t.Close()
		}
	}
	d.prefixMask.tensor.Close()
	d.nextMasks.close()
	d.oneBeam.Close()
	d.graph.close()
	d.beamGraph.close()
}

// begin makes a fresh request, which has a fresh state.
func (d *graphDecoder) begin(lane Lane, cross []*openvino.Tensor, source, _ int) (steps, error) {
	l := &d.lanes[lane]
	var err error
	if l.request, err = d.graph.NewRequest(); err != nil {
		return nil, err
	}
	if err := l.bind(cross, source); err != nil {
		l.end(err)
		return nil, err
	}
	return l, nil
}

func (l *graphLane) bind(cross []*openvino.Tensor, source int) error {
	crossMask, err := l.nextMasks.get(source)
	if err != nil {
		return err
	}
	bound := map[string]*openvino.Tensor{
		decoderCrossMask: crossMask, decoderBeams: l.oneBeam, decoderScores: l.scores.tensor, decoderTokens: l.tokensTensor,
	}
	for layer := range l.config.DecoderLayers {
		key, value := crossNames(layer)
		bound[key], bound[value] = cross[2*layer], cross[2*layer+1]
	}
	for name, t := range bound {
		if err := l.request.SetTensor(name, t); err != nil {
			return fmt.Errorf("bind %s: %w", name, err)
		}
	}
	return nil
}

// feed takes the one or two tokens before the first of an output, then one at a
// time.
func (l *graphLane) feed(tokens []int32, position int) error {
	if len(tokens) == 2 {
		if err := l.request.SetTensor(decoderEmbeddings, l.prefix.tensor); err != nil {
			return err
		}
		if err := l.request.SetTensor(decoderMask, l.prefixMask.tensor); err != nil {
			return err
		}
		return l.table.lookUpAll(l.prefix.data, tokens, 0)
	}
	if position == 0 || position == 2 { // the first step of one token
		if err := l.request.SetTensor(decoderEmbeddings, l.next.tensor); err != nil {
			return err
		}
	}
	mask, err := l.nextMasks.get(position + 1)
	if err != nil {
		return err
	}
	if err := l.request.SetTensor(decoderMask, mask); err != nil {
		return err
	}
	return l.table.lookUp(l.next.data, tokens[0], position)
}

func (l *graphLane) run() error { return l.infer(l.request) }

func (l *graphLane) best() ([]float32, []int32) { return l.scores.data, l.tokens }

func (l *graphLane) end(err error) {
	if !errors.Is(err, ErrHung) { // what hangs still uses it
		l.request.Close()
	}
	l.request = nil
}
