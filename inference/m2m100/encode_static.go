package m2m100

import (
	"context"
	"fmt"

	"dragoman/inference/model"
	"dragoman/inference/openvino"
)

// staticEncoder runs the graphs of fixed length that accelerators need. A
// bucket is compiled when a source first needs it.
type staticEncoder struct {
	graphs graphs
	config model.Config
	table  *embedding
	ready  map[int]*bucket
	packed [lanes]packing
}

// bucket is a static graph with its tensors bound once.
type bucket struct {
	graph            stored
	request          *openvino.InferRequest
	embeddings, mask []float32
	tensors          []*openvino.Tensor // whose memory the slices are
	cross            [][]float32        // outputs, [heads, bucket, head] each
}

func newStaticEncoder(g graphs, c model.Config, table *embedding) *staticEncoder {
	return &staticEncoder{graphs: g, config: c, table: table, ready: map[int]*bucket{}}
}

func (e *staticEncoder) encode(ctx context.Context, lane Lane, source []int32) (encoded, error) {
	return e.encodeInto(ctx, source, &e.packed[lane], (*openvino.InferRequest).Infer)
}

// encodeInto runs a source with infer and packs the outputs.
func (e *staticEncoder) encodeInto(ctx context.Context, source []int32, p *packing, infer func(*openvino.InferRequest) error) (encoded, error) {
	size, ok := bucketFor(len(source))
	if !ok {
		return encoded{}, fmt.Errorf("%d tokens do not fit the largest bucket of %d", len(source), size)
	}
	b, err := e.bucket(ctx, size)
	if err != nil {
		return encoded{}, err
	}
	used := len(source) * e.config.DModel
	if err := e.table.lookUpAll(b.embeddings[:used], source, 0); err != nil {
		return encoded{}, err
	}
	clear(b.embeddings[used:])
	for i := range b.mask {
		b.mask[i] = 0
		if i >= len(source) {
			b.mask[i] = padMask
		}
	}
	if err := infer(b.request); err != nil {
		return encoded{}, err
	}
	cross, err := p.pack(e.graphs.core.Runtime(), e.config, b, size, len(source))
	return encoded{cross: cross, bucket: size, padding: size - len(source)}, err
}

// bucket compiles a graph and binds its tensors, once.
func (e *staticEncoder) bucket(ctx context.Context, size int) (*bucket, error) {
	if b, ok := e.ready[size]; ok {
		return b, nil
	}
	graph, err := e.graphs.load(ctx, staticEncoderFile(size))
	if err != nil {
		return nil, err
	}
	b := &bucket{graph: graph}
	if b.request, err = graph.NewRequest(); err == nil {
		err = b.bind(e.config)
	}
	if err != nil {
		b.close()
		return nil, err
	}
	e.ready[size] = b
	return b, nil
}

// bind takes the request's own tensors: on an NPU their memory is the one that
// the device reads, so that nothing is copied twice.
func (b *bucket) bind(c model.Config) (err error) {
	own := func(name string) (data []float32) {
		if err != nil {
			return nil
		}
		var t *openvino.Tensor
		if t, err = b.request.Tensor(name); err != nil {
			return nil
		}
		b.tensors = append(b.tensors, t)
		data, err = t.Float32s()
		return data
	}
	b.embeddings, b.mask = own(encoderEmbeddings), own(encoderMask)
	for l := range c.DecoderLayers {
		key, value := crossNames(l)
		b.cross = append(b.cross, own(key), own(value))
	}
	return err
}

func (b *bucket) close() {
	for _, t := range b.tensors {
		t.Close()
	}
	b.request.Close()
	b.graph.close()
}

func (e *staticEncoder) release() {
	for _, b := range e.ready {
		b.graph.release()
	}
}

func (e *staticEncoder) close() {
	for i := range e.packed {
		e.packed[i].close()
	}
	for _, b := range e.ready {
		b.close()
	}
}
