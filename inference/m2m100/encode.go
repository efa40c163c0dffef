package m2m100

import (
	"context"

	"dragoman/inference/model"
	"dragoman/inference/openvino"
)

// encoder makes of source tokens what the decoder's cross-attention reads.
type encoder interface {
	encode(ctx context.Context, source []int32) (encoded, error)
	release() // pages of files that were packed
	close()
}

// encoded is one source. Its tensors are valid until the next encode.
type encoded struct {
	cross           []*openvino.Tensor // keys and values in turn, f32 [1, heads, N, d/heads]
	bucket, padding int
}

// dynamicEncoder runs the graph of dynamic length.
type dynamicEncoder struct {
	rt      *openvino.Runtime
	config  model.Config
	table   *embedding
	graph   stored
	request *openvino.InferRequest
	cross   []*openvino.Tensor
}

func newDynamicEncoder(ctx context.Context, g graphs, c model.Config, table *embedding) (encoder, error) {
	graph, err := g.load(ctx, encoderFile)
	if err != nil {
		return nil, err
	}
	request, err := graph.NewRequest()
	if err != nil {
		graph.close()
		return nil, err
	}
	return &dynamicEncoder{rt: g.core.Runtime(), config: c, table: table, graph: graph, request: request}, nil
}

func (e *dynamicEncoder) encode(_ context.Context, source []int32) (encoded, error) {
	data := make([]float32, len(source)*e.config.DModel)
	if err := e.table.lookUpAll(data, source, 0); err != nil {
		return encoded{}, err
	}
	input, err := openvino.NewTensorOn(e.rt, openvino.F32, data, 1, int64(len(source)), int64(e.config.DModel))
	if err != nil {
		return encoded{}, err
	}
	defer input.Close()
	if err := e.request.SetTensor(encoderEmbeddings, input); err != nil {
		return encoded{}, err
	}
	if err := e.request.Infer(); err != nil {
		return encoded{}, err
	}
	e.closeCross()
	for l := range e.config.DecoderLayers {
		key, value := crossNames(l)
		for _, name := range []string{key, value} {
			t, err := e.request.Tensor(name)
			if err != nil {
				return encoded{}, err
			}
			e.cross = append(e.cross, t)
		}
	}
	return encoded{cross: e.cross}, nil
}

func (e *dynamicEncoder) closeCross() {
	for _, t := range e.cross {
		t.Close()
	}
	e.cross = e.cross[:0]
}

func (e *dynamicEncoder) release() { e.graph.release() }

func (e *dynamicEncoder) close() {
	e.closeCross()
	e.request.Close()
	e.graph.close()
}
