package m2m100

import (
	"context"
	"time"

	"dragoman/inference/openvino"
)

// groupRows is how many sources are encoded in one run: enough to keep the
// processor's units busy, few enough to be about equally long and to let urgent
// texts go first soon.
const groupRows = 8

// fill encodes a wave's sentences, which are sorted by length.
func (e *Engine) fill(t *turn, w *wave) error {
	dynamic, ok := e.encoder.(*dynamicEncoder)
	if !ok || e.InUse() != nil {
		return e.fillOneByOne(t, w)
	}
	for first := 0; first < len(w.rows); first += groupRows {
		if first > 0 {
			_ = t.yield(context.Background()) // which has no end
		}
		group := w.rows[first:min(first+groupRows, len(w.rows))]
		start := time.Now()
		outputs, longest, err := dynamic.encodeGroup(group)
		if err != nil {
			return err
		}
		took := time.Since(start) / time.Duration(len(group))
		for i, s := range group {
			w.state.put(first+i, outputs, i, longest)
			s.out.Encode = took
		}
	}
	return nil
}

// fillOneByOne is for static graphs, of which accelerators have nothing else.
func (e *Engine) fillOneByOne(t *turn, w *wave) error {
	for i, s := range w.rows {
		if i > 0 {
			_ = t.yield(context.Background()) // which has no end
		}
		start := time.Now()
		out, err := e.encode(context.WithoutCancel(s.ctx), Batch, s.source)
		if err != nil {
			return err
		}
		outputs, err := views(out.cross)
		if err != nil {
			return err
		}
		w.state.put(i, outputs, 0, len(s.source))
		s.out.Encode = time.Since(start)
		s.out.Bucket, s.out.Padding, s.out.Accelerated = out.bucket, out.padding, out.accelerated
	}
	return nil
}

// encodeGroup runs sources together, padded to the longest. The outputs, keys
// and values in turn, [sources, heads, longest, d/heads], are valid until the
// next run.
func (e *dynamicEncoder) encodeGroup(group []*sentence) (outputs [][]float32, longest int, err error) {
	if e.group.request == nil {
		if e.group.request, err = e.graph.NewRequest(); err != nil {
			return nil, 0, err
		}
	}
	for _, s := range group {
		longest = max(longest, len(s.source))
	}
	rows, length, width := int64(len(group)), int64(longest), int64(e.config.DModel)
	data, mask := make([]float32, rows*length*width), make([]float32, rows*length)
	for i, s := range group {
		if err := e.table.lookUpAll(data[i*longest*e.config.DModel:], s.source, 0); err != nil {
			return nil, 0, err
		}
		for j := len(s.source); j < longest; j++ {
			mask[i*longest+j] = padMask
		}
	}
	input, err := openvino.NewTensorOn(e.rt, openvino.F32, data, rows, length, width)
	if err != nil {
		return nil, 0, err
	}
	defer input.Close()
	masks, err := openvino.NewTensorOn(e.rt, openvino.F32, mask, rows, 1, 1, length)
	if err != nil {
		return nil, 0, err
	}
	defer masks.Close()
	if err := e.group.request.SetTensor(encoderEmbeddings, input); err != nil {
		return nil, 0, err
	}
	if err := e.group.request.SetTensor(encoderMask, masks); err != nil {
		return nil, 0, err
	}
	if err := e.group.request.Infer(); err != nil {
		return nil, 0, err
	}
	if err := e.group.outputs(e.config.DecoderLayers); err != nil {
		return nil, 0, err
	}
	outputs, err = views(e.group.cross)
	return outputs, longest, err
}

// leaveGroup gives the memory of groups back.
func (e *dynamicEncoder) leaveGroup() {
	e.group.closeCross()
	e.group.request.Close()
	e.group.request = nil
}

// views are the contents of tensors.
func views(tensors []*openvino.Tensor) (all [][]float32, err error) {
	for _, t := range tensors {
		data, err := t.Float32s()
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}
