package m2m100

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dragoman/inference/openvino"
)

// wave is sentences that are decoded together from their first token on, one
// row each. A row that has come to its end, or is not wanted any more, gives its
// place up: the last one moves there.
type wave struct {
	d       *decoder
	request *openvino.InferRequest
	rows    []*sentence
	longest int // source, in tokens; the shorter ones are padded

	cross     [][]float32 // keys and values in turn, [rows, heads, longest, d/heads] each
	crossMask []float32   // [rows, 1, 1, longest]
	selfMask  []float32   // [rows, 1, 2, 2] at first, then nothing but zeros
	new       []float32   // embeddings of the new tokens, [rows, 2, d] at first, then [rows, 1, d]
	beams     []int32     // rows of the state that the rows go on from
	scores    []float32   // [rows, candidates]
	tokens    []int32     // [rows, candidates]

	bound map[string]*openvino.Tensor
	moved bool // rows have changed since the tensors were bound
	steps int

	failed bool // its sentences wait again
}

// newWave encodes the sentences and prepares their first step. The wave comes
// with an error too.
func (e *Engine) newWave(t *turn, rows []*sentence) (*wave, error) {
	w := &wave{d: e.decoder, rows: rows, bound: map[string]*openvino.Tensor{}}
	for _, s := range rows {
		w.longest = max(w.longest, len(s.source))
	}
	w.allocate()
	if err := e.fill(t, w); err != nil {
		return w, fmt.Errorf("encode: %w", err)
	}
	return w, w.begin()
}

// allocate makes room for all rows.
func (w *wave) allocate() {
	c, rows := w.d.config, len(w.rows)
	w.cross = make([][]float32, 2*c.DecoderLayers)
	for i := range w.cross {
		w.cross[i] = make([]float32, rows*w.longest*c.DModel)
	}
	w.crossMask = make([]float32, rows*w.longest)
	w.new = make([]float32, rows*2*c.DModel)
	w.beams = make([]int32, rows)
	w.scores, w.tokens = make([]float32, rows*candidates), make([]int32, rows*candidates)
	for i, s := range w.rows {
		w.beams[i] = int32(i)
		for j := len(s.source); j < w.longest; j++ {
			w.crossMask[i*w.longest+j] = padMask
		}
	}
}

// put takes a row's keys and values out of an encoder's outputs for several
// sources, [n, heads, length, d/heads] each; the row's is the one at index.
func (w *wave) put(row int, outputs [][]float32, index, length int) {
	c := w.d.config
	heads, head := c.DecoderHeads, c.DModel/c.DecoderHeads
	used := len(w.rows[row].source) * head
	for i, from := range outputs {
		for h := range heads {
			copy(w.cross[i][(row*heads+h)*w.longest*head:][:used], from[(index*heads+h)*length*head:])
		}
	}
}

// begin makes what keeps the rows' tokens.
func (w *wave) begin() error {
	for _, s := range w.rows {
		s.guard = newGuard(s.source)
		s.out.Tokens, s.out.Steps = make([]int32, 0, s.bounds.most), make([]time.Duration, 0, s.bounds.most+1)
	}
	request, err := w.d.graph.NewRequest() // a fresh state
	if err != nil {
		return err
	}
	w.request, w.moved = request, true
	return nil
}

// step gives each row its next token, after more urgent texts. The rows that it
// ends are told.
func (w *wave) step(t *turn) error {
	w.drop(func(s *sentence) bool {
		err := s.ctx.Err()
		if err == nil && len(s.out.Tokens) < s.bounds.most {
			return false
		}
		s.out.Cut = err == nil
		s.finish(err)
		return true
	})
	if len(w.rows) == 0 {
		return nil
	}
	_ = t.yield(context.Background()) // which has no end
	start := time.Now()
	if err := w.feed(); err != nil {
		return err
	}
	if err := w.bind(); err != nil {
		return err
	}
	inferred := time.Now()
	if err := w.d.infer(w.request); err != nil {
		return fmt.Errorf("decode token %d of %d sentences: %w", w.steps+1, len(w.rows), err)
	}
	took := time.Since(inferred)
	w.steps++
	for i := range w.beams {
		w.beams[i] = int32(i) // the state is in the rows' order now
	}
	row := 0
	w.drop(func(s *sentence) bool {
		scores, tokens := w.scores[row*candidates:][:candidates], w.tokens[row*candidates:][:candidates]
		row++
		token, err := w.d.choose(scores, tokens, &s.guard, s.bounds.least, &s.out)
		s.out.Infer += took
		s.out.Steps = append(s.out.Steps, time.Since(start))
		if err != nil || token == int32(w.d.config.EOS) {
			s.finish(err)
			return true
		}
		s.out.Tokens = append(s.out.Tokens, token)
		if len(s.out.Tokens) == s.bounds.most {
			s.out.Cut = true
			s.finish(nil)
			return true
		}
		return false
	})
	return nil
}

// feed looks up what the step reads: the start and the language token, later
// the last token of each row.
func (w *wave) feed() error {
	width := w.d.config.DModel
	for i, s := range w.rows {
		if w.steps == 0 {
			prefix := []int32{int32(w.d.config.DecoderStart), s.target}
			if err := w.d.table.lookUpAll(w.new[i*2*width:], prefix, 0); err != nil {
				return err
			}
			w.beams[i] = int32(i) // of a state without rows yet
			continue
		}
		if err := w.d.table.lookUp(w.new[i*width:][:width], s.out.Tokens[len(s.out.Tokens)-1], w.steps+1); err != nil {
			return err
		}
	}
	if w.steps == 1 { // the first step had two tokens
		w.moved = true
	}
	return nil
}

// drop takes out the rows of which ended says so. It asks of each row once, in
// their order.
func (w *wave) drop(ended func(*sentence) bool) {
	gone := make([]bool, len(w.rows))
	for i, s := range w.rows {
		gone[i] = ended(s)
	}
	left := len(w.rows)
	for i := 0; i < left; {
		if !gone[i] {
			i++
			continue
		}
		left--
		if i < left {
			w.move(left, i)
			gone[i] = gone[left]
		}
	}
	if left < len(w.rows) {
		clear(w.rows[left:])
		w.rows, w.moved = w.rows[:left], true
	}
}

// move gives a row another place.
func (w *wave) move(from, to int) {
	w.rows[to], w.beams[to] = w.rows[from], w.beams[from]
	size := w.longest * w.d.config.DModel
	for _, data := range w.cross {
		copy(data[to*size:(to+1)*size], data[from*size:])
	}
	copy(w.crossMask[to*w.longest:(to+1)*w.longest], w.crossMask[from*w.longest:])
}

// bind gives the request what the step reads and writes.
func (w *wave) bind() error {
	rows, d := int64(len(w.rows)), w.d
	width, longest := int64(d.config.DModel), int64(w.longest)
	if w.moved {
		heads := int64(d.config.DecoderHeads)
		new := int64(1)
		if w.steps == 0 {
			new = 2
		}
		err := errors.Join(
			bind(w, decoderEmbeddings, openvino.F32, w.new, rows, new, width),
			bind(w, decoderCrossMask, openvino.F32, w.crossMask, rows, 1, 1, longest),
			bind(w, decoderBeams, openvino.I32, w.beams, rows),
			bind(w, decoderScores, openvino.F32, w.scores, rows, candidates),
			bind(w, decoderTokens, openvino.I32, w.tokens, rows, candidates),
		)
		for l := range d.config.DecoderLayers {
			key, value := crossNames(l)
			err = errors.Join(err,
				bind(w, key, openvino.F32, w.cross[2*l], rows, heads, longest, width/heads),
				bind(w, value, openvino.F32, w.cross[2*l+1], rows, heads, longest, width/heads))
		}
		if err != nil {
			return err
		}
		w.moved = false
	}
	if w.steps == 0 {
		w.selfMask = make([]float32, 4*rows)
		for i := range rows {
			w.selfMask[4*i+1] = padMask // the start token must not look at the language token
		}
		return bind(w, decoderMask, openvino.F32, w.selfMask, rows, 1, 2, 2)
	}
	seen := w.steps + 2
	if need := len(w.rows) * seen; w.steps == 1 || need > len(w.selfMask) {
		w.selfMask = make([]float32, 2*need)
	}
	return bind(w, decoderMask, openvino.F32, w.selfMask, rows, 1, 1, int64(seen))
}

// bind puts a tensor on the beginning of data. The one before is given back.
func bind[T any](w *wave, name string, kind openvino.ElementType, data []T, dims ...int64) error {
	elements := int64(1)
	for _, d := range dims {
		elements *= d
	}
	t, err := openvino.NewTensorOn(w.d.nextMasks.rt, kind, data[:elements], dims...)
	if err != nil {
		return err
	}
	if err := w.request.SetTensor(name, t); err != nil {
		t.Close()
		return fmt.Errorf("bind %s: %w", name, err)
	}
	w.bound[name].Close()
	w.bound[name] = t
	return nil
}

func (w *wave) close() {
	w.request.Close()
	for _, t := range w.bound {
		t.Close()
	}
}
