package m2m100

import (
	"context"
	"time"

	"dragoman/inference/m2m100/host"
	"dragoman/inference/openvino"
)

// groupRows is how many sources the runtime encodes in one run: enough to keep the
// processor's units busy, few enough to be about equally long.
const groupRows = 8

// Bounds of what package host encodes in one run. Sources are not padded there, and the
// more there are the less often the weights are read; but urgent texts are to go first
// soon, and the threads are to end together.
const (
	leastGroup = 48 // tokens
	mostGroup  = 512
	groupTime  = 10 * time.Millisecond

	// To read the weights of a large model takes longer than that, and longer than to
	// multiply them with so many tokens. So long nobody notices to have waited.
	largeGroup     = 128
	largeGroupTime = 50 * time.Millisecond
)

// groupTokens is how many tokens go together, by the time that one took lately, 0 where
// that is not known.
func groupTokens(token time.Duration) int {
	if token <= 0 {
		return leastGroup
	}
	most := max(int(groupTime/token), min(largeGroup, int(largeGroupTime/token)))
	return max(leastGroup, min(mostGroup, most))
}

// fill encodes a wave's sentences from the first new one on; they are sorted by length.
func (e *Engine) fill(t *turn, w *wave, first int) error {
	encode, take := e.fillOne, func([]*sentence) int { return 1 }
	switch encoder := e.encoder.(type) {
	case *dynamicEncoder:
		if e.InUse() == nil {
			encode, take = encoder.fill, func(left []*sentence) int { return min(groupRows, len(left)) }
		}
	case *hostEncoder:
		if rows, ok := w.state.(*hostRows); ok && e.InUse() == nil {
			encode, take = encoder.groups(rows)
		}
	}
	return w.encode(t, first, encode, take)
}

// groups is how package host encodes rows: some at once, and how many.
func (e *hostEncoder) groups(rows *hostRows) (encode func(w *wave, first, n int) error, take func(left []*sentence) int) {
	return func(w *wave, first, n int) error { return e.fill(w, rows, first, n) },
		func(left []*sentence) int { return fitting(left, groupTokens(e.token)) }
}

// encode encodes sentences from one on, as many at once as take says. Those that nobody
// wants any more are dropped before. More urgent texts go between, unless t is nil.
func (w *wave) encode(t *turn, begin int, encode func(w *wave, first, n int) error, take func(left []*sentence) int) error {
	for first := begin; first < len(w.rows); {
		if first > begin && t != nil {
			_ = t.yield(context.Background()) // which has no end
		}
		w.dropCancelled(first)
		if first == len(w.rows) {
			break
		}
		n := take(w.rows[first:])
		start := time.Now()
		if err := encode(w, first, n); err != nil {
			return err
		}
		for _, s := range w.rows[first : first+n] {
			s.out.Encode = time.Since(start) / time.Duration(n)
		}
		first += n
	}
	return nil
}

// fitting is how many of the sentences have at most so many tokens, one at least.
func fitting(left []*sentence, most int) (n int) {
	for tokens := 0; n < len(left); n++ {
		if tokens += len(left[n].source); n > 0 && tokens > most {
			break
		}
	}
	return n
}

// dropCancelled takes out rows that nobody wants any more, from one on.
func (w *wave) dropCancelled(first int) {
	row := -1
	w.drop(func(s *sentence) bool {
		row++
		if row < first { // encoded already
			return false
		}
		err := s.ctx.Err()
		if err != nil {
			s.finish(err)
		}
		return err != nil
	})
}

// fill encodes n rows of a wave together.
func (e *dynamicEncoder) fill(w *wave, first, n int) error {
	outputs, longest, err := e.encodeGroup(w.rows[first : first+n])
	if err != nil {
		return err
	}
	for i := range n {
		w.state.put(first+i, outputs, i, longest)
	}
	return nil
}

// fill encodes n rows of a wave together, into where their steps read.
func (e *hostEncoder) fill(w *wave, rows *hostRows, first, n int) error {
	sources, into := make([][]int32, n), make([][]host.Cross, n)
	tokens := 0
	for i := range n {
		sources[i], into[i] = w.rows[first+i].source, rows.rows[first+i].cross
		tokens += len(sources[i])
	}
	start := time.Now()
	err := e.encodeInto(sources, into)
	if took := time.Since(start) / time.Duration(tokens); e.token == 0 {
		e.token = took
	} else {
		e.token += (took - e.token) / 4
	}
	return err
}

// fillOne is for static graphs, of which accelerators have nothing else.
func (e *Engine) fillOne(w *wave, row, _ int) error {
	s := w.rows[row]
	out, err := e.encode(context.WithoutCancel(s.ctx), Batch, s.source)
	if err != nil {
		return err
	}
	outputs, err := views(out.cross)
	if err != nil {
		return err
	}
	w.state.put(row, outputs, 0, len(s.source))
	s.out.Bucket, s.out.Padding, s.out.Accelerated = out.bucket, out.padding, out.accelerated
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
