package m2m100

import (
	"errors"
	"fmt"
	"slices"

	"dragoman/inference/openvino"
)

// graphRows are the rows of a wave in one request of the step graph.
type graphRows struct {
	d       *graphDecoder
	graph   stored
	wanted  int // candidates of a row
	request *openvino.InferRequest
	count   int
	longest int // source, in tokens; the shorter ones are padded
	lengths []int

	cross     [][]float32 // keys and values in turn, [rows, heads, longest, d/heads] each
	crossMask []float32   // [rows, 1, 1, longest]
	selfMask  []float32   // [rows, 1, 2, 2] at first where two tokens are, then nothing but zeros
	start     int         // tokens before the first of an output, 1 or 2
	new       []float32   // embeddings of the new tokens, [rows, start, d] at first, then [rows, 1, d]
	beams     []int32     // rows of the state that the rows go on from
	scores    []float32   // [rows, wanted]
	tokens    []int32     // [rows, wanted]

	bound map[string]*openvino.Tensor
	moved bool // rows have changed since the tensors were bound
	steps int
}

func (d *graphDecoder) rows(sentences []*sentence) rows {
	var lengths []int
	for _, s := range sentences {
		lengths = append(lengths, len(s.source))
	}
	return d.newRows(d.graph, candidates, lengths)
}

// newRows makes a row for a source of each length.
func (d *graphDecoder) newRows(graph stored, wanted int, lengths []int) *graphRows {
	w := &graphRows{
		d: d, graph: graph, wanted: wanted, count: len(lengths), lengths: lengths, longest: slices.Max(lengths),
		bound: map[string]*openvino.Tensor{},
	}
	c := d.config
	w.cross = make([][]float32, 2*c.DecoderLayers)
	for i := range w.cross {
		w.cross[i] = make([]float32, w.count*w.longest*c.DModel)
	}
	w.crossMask = make([]float32, w.count*w.longest)
	w.new = make([]float32, w.count*2*c.DModel)
	w.beams = make([]int32, w.count)
	w.scores, w.tokens = make([]float32, w.count*wanted), make([]int32, w.count*wanted)
	for i, length := range w.lengths {
		w.beams[i] = int32(i)
		for j := length; j < w.longest; j++ {
			w.crossMask[i*w.longest+j] = padMask
		}
	}
	return w
}

func (w *graphRows) put(row int, outputs [][]float32, index, length int) {
	c := w.d.config
	heads, head := c.DecoderHeads, c.DModel/c.DecoderHeads
	used := w.lengths[row] * head
	for i, from := range outputs {
		for h := range heads {
			copy(w.cross[i][(row*heads+h)*w.longest*head:][:used], from[(index*heads+h)*length*head:])
		}
	}
}

func (w *graphRows) begin(int) error {
	request, err := w.graph.NewRequest() // a fresh state
	if err != nil {
		return err
	}
	w.request, w.moved = request, true
	return nil
}

func (w *graphRows) feed(row int, tokens []int32, position int) error {
	if w.steps == 0 {
		w.start = len(tokens)
	}
	n := len(tokens) * w.d.config.DModel
	return w.d.table.lookUpAll(w.new[row*n:(row+1)*n], tokens, position)
}

func (w *graphRows) run() error {
	if w.steps == 1 { // the first step may have had two tokens
		w.moved = true
	}
	if err := w.bind(); err != nil {
		return err
	}
	if err := w.d.infer(w.request); err != nil {
		return err
	}
	w.steps++
	for i := range w.beams {
		w.beams[i] = int32(i) // the state is in the rows' order now
	}
	return nil
}

func (w *graphRows) best(row int) ([]float32, []int32) {
	return w.scores[row*w.wanted:][:w.wanted], w.tokens[row*w.wanted:][:w.wanted]
}

// checker is nil: what the graph keeps cannot be taken back.
func (w *graphRows) checker(int) checker { return nil }

func (w *graphRows) move(from, to int) {
	if w.steps > 0 {
		w.beams[to] = w.beams[from]
	}
	w.lengths[to] = w.lengths[from]
	size := w.longest * w.d.config.DModel
	for _, data := range w.cross {
		copy(data[to*size:(to+1)*size], data[from*size:])
	}
	copy(w.crossMask[to*w.longest:(to+1)*w.longest], w.crossMask[from*w.longest:])
}

func (w *graphRows) keep(rows int) { w.count, w.moved = rows, true }

// bind gives the request what the step reads and writes.
func (w *graphRows) bind() error {
	rows, d := int64(w.count), w.d
	width, longest := int64(d.config.DModel), int64(w.longest)
	if w.moved {
		heads := int64(d.config.DecoderHeads)
		new := int64(1)
		if w.steps == 0 {
			new = int64(w.start)
		}
		err := errors.Join(
			bind(w, decoderEmbeddings, openvino.F32, w.new, rows, new, width),
			bind(w, decoderCrossMask, openvino.F32, w.crossMask, rows, 1, 1, longest),
			bind(w, decoderBeams, openvino.I32, w.beams, rows),
			bind(w, decoderScores, openvino.F32, w.scores, rows, int64(w.wanted)),
			bind(w, decoderTokens, openvino.I32, w.tokens, rows, int64(w.wanted)),
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
	if w.steps == 0 && w.start == 2 {
		w.selfMask = make([]float32, 4*rows)
		for i := range rows {
			w.selfMask[4*i+1] = padMask // the start token must not look at the language token
		}
		return bind(w, decoderMask, openvino.F32, w.selfMask, rows, 1, 2, 2)
	}
	seen := w.start + w.steps
	if need := w.count * seen; w.steps <= 1 || need > len(w.selfMask) {
		w.selfMask = make([]float32, 2*need)
	}
	return bind(w, decoderMask, openvino.F32, w.selfMask, rows, 1, 1, int64(seen))
}

// bind puts a tensor on the beginning of data. The one before is given back.
func bind[T any](w *graphRows, name string, kind openvino.ElementType, data []T, dims ...int64) error {
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

func (w *graphRows) close() {
	w.request.Close()
	for _, t := range w.bound {
		t.Close()
	}
}
