package m2m100

import (
	"context"
	"fmt"
	"time"

	"dragoman/inference/ir"
	"dragoman/inference/m2m100/host"
	"dragoman/inference/model"
	"dragoman/inference/openvino"
)

// hostEncoder encodes without the runtime, whose tensors only carry the results.
type hostEncoder struct {
	rt      *openvino.Runtime
	config  model.Config
	table   *embedding
	encoder *host.Encoder
	data    []float32     // embeddings of sources
	token   time.Duration // that a source's token took lately, of several sources together
	lanes   [lanes]hostEncoderLane
}

// hostEncoderLane keeps a lane's results while another's are made.
type hostEncoderLane struct {
	cross   []host.Cross
	tensors []*openvino.Tensor
}

// newHostEncoder reads the weights where the graphs' constants are.
func newHostEncoder(g graphs, c model.Config, table *embedding, threads int) (*hostEncoder, error) {
	weights, err := g.weights()
	if err != nil {
		return nil, err
	}
	e, err := host.OpenEncoder(constants(weights, g.constants), c, threads)
	if err != nil {
		return nil, fmt.Errorf("open the prepared model: %w", err)
	}
	h := &hostEncoder{rt: g.core.Runtime(), config: c, table: table, encoder: e}
	for i := range h.lanes {
		h.lanes[i].cross = make([]host.Cross, c.DecoderLayers)
	}
	return h, nil
}

// constants finds what is written of an encoder among weights.
func constants(weights []byte, spans map[string]ir.Span) func(key string) ([]byte, error) {
	return func(key string) ([]byte, error) {
		s, ok := spans[key]
		if !ok || s.Offset < 0 || s.Size < 0 || s.Size > int64(len(weights)) || s.Offset > int64(len(weights))-s.Size {
			return nil, fmt.Errorf("%w: %s has no %s", errDamaged, weightsFile, key)
		}
		return weights[s.Offset : s.Offset+s.Size], nil
	}
}

func (e *hostEncoder) encode(_ context.Context, lane Lane, source []int32) (encoded, error) {
	l := &e.lanes[lane]
	l.close()
	if err := e.encodeInto([][]int32{source}, [][]host.Cross{l.cross}); err != nil {
		return encoded{}, err
	}
	heads := int64(e.config.DecoderHeads)
	for _, c := range l.cross {
		for _, data := range [][]float32{c.Keys, c.Values} {
			t, err := openvino.NewTensorOn(e.rt, openvino.F32, data, 1, heads, int64(len(source)), int64(e.config.DModel)/heads)
			if err != nil {
				return encoded{}, err
			}
			l.tensors = append(l.tensors, t)
		}
	}
	return encoded{cross: l.tensors}, nil
}

// encodeInto encodes sources together, each into its own keys and values.
func (e *hostEncoder) encodeInto(sources [][]int32, into [][]host.Cross) error {
	tokens := 0
	for _, source := range sources {
		tokens += len(source)
	}
	if n := tokens * e.config.DModel; len(e.data) < n {
		e.data = make([]float32, n)
	}
	together := make([]host.Source, len(sources))
	data := e.data
	for i, source := range sources {
		if err := e.table.lookUpAll(data, source, 0); err != nil {
			return err
		}
		together[i] = host.Source{Embeddings: data, Rows: len(source), Out: into[i]}
		data = data[len(source)*e.config.DModel:]
	}
	return e.encoder.Encode(together...)
}

func (l *hostEncoderLane) close() {
	for _, t := range l.tensors {
		t.Close()
	}
	l.tensors = l.tensors[:0]
}

// release keeps the pages: each source reads all of them.
func (e *hostEncoder) release() {}

func (e *hostEncoder) close() {
	for i := range e.lanes {
		e.lanes[i].close()
	}
	e.encoder.Close()
}
