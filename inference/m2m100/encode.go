package m2m100

import (
	"context"

	"dragoman/inference/model"
	"dragoman/inference/openvino"
)

// encoder makes of source tokens what the decoder's cross-attention reads.
type encoder interface {
	encode(ctx context.Context, lane Lane, source []int32) (encoded, error)
	release() // pages of files that were packed
	close()
}

// encoded is one source. Its tensors are valid until the lane's next encode.
type encoded struct {
	cross           []*openvino.Tensor // keys and values in turn, f32 [1, heads, N, d/heads]
	bucket, padding int
	accelerated     bool
}

// dynamicEncoder runs the graph of dynamic length.
type dynamicEncoder struct {
	rt     *openvino.Runtime
	config model.Config
	table  *embedding
	graph  stored
	masks  masks
	lanes  [lanes]dynamicLane
	group  dynamicLane // of sources that are encoded together
}

// dynamicLane keeps what a lane's text needs while another lane's is on the
// device: a request's outputs last until its next run.
type dynamicLane struct {
	request *openvino.InferRequest // made when first needed
	cross   []*openvino.Tensor
}

func newDynamicEncoder(ctx context.Context, g graphs, c model.Config, table *embedding) (encoder, error) {
	graph, err := g.load(ctx, encoderFile)
	if err != nil {
		return nil, err
	}
	rt := g.core.Runtime()
	return &dynamicEncoder{rt: rt, config: c, table: table, graph: graph, masks: newMasks(rt, c.MaxPositions)}, nil
}

func (e *dynamicEncoder) encode(_ context.Context, lane Lane, source []int32) (encoded, error) {
	l := &e.lanes[lane]
	if l.request == nil {
		var err error
		if l.request, err = e.graph.NewRequest(); err != nil {
			return encoded{}, err
		}
	}
	data := make([]float32, len(source)*e.config.DModel)
	if err := e.table.lookUpAll(data, source, 0); err != nil {
		return encoded{}, err
	}
	input, err := openvino.NewTensorOn(e.rt, openvino.F32, data, 1, int64(len(source)), int64(e.config.DModel))
	if err != nil {
		return encoded{}, err
	}
	defer input.Close()
	if err := l.request.SetTensor(encoderEmbeddings, input); err != nil {
		return encoded{}, err
	}
	mask, err := e.masks.get(len(source))
	if err != nil {
		return encoded{}, err
	}
	if err := l.request.SetTensor(encoderMask, mask); err != nil {
		return encoded{}, err
	}
	if err := l.request.Infer(); err != nil {
		return encoded{}, err
	}
	err = l.outputs(e.config.DecoderLayers)
	return encoded{cross: l.cross}, err
}

// outputs takes what the last run left.
func (l *dynamicLane) outputs(layers int) error {
	l.closeCross()
	for layer := range layers {
		key, value := crossNames(layer)
		for _, name := range []string{key, value} {
			t, err := l.request.Tensor(name)
			if err != nil {
				return err
			}
			l.cross = append(l.cross, t)
		}
	}
	return nil
}

func (l *dynamicLane) closeCross() {
	for _, t := range l.cross {
		t.Close()
	}
	l.cross = l.cross[:0]
}

func (e *dynamicEncoder) release() { e.graph.release() }

func (e *dynamicEncoder) close() {
	e.leaveGroup()
	for i := range e.lanes {
		e.lanes[i].closeCross()
		e.lanes[i].request.Close()
	}
	e.masks.close()
	e.graph.close()
}
