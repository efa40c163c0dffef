package m2m100

import (
	"slices"

	"dragoman/inference/m2m100/host"
)

// hostRows are the rows of a wave, each with its own length.
type hostRows struct {
	*hostDecoder
	rows  []*hostRow
	batch []*host.Sequence
}

// spareTokens is how many tokens of output a row has room for that is used again. With
// the largest model a token takes 100 kB: were the rows of long sentences used again for
// short ones, all rows would have that room in the end.
const spareTokens = 256

// hostRow is used again for later sentences.
type hostRow struct {
	hostOutput
	cross            []host.Cross
	source, capacity int
}

func (d *hostDecoder) rows(sentences []*sentence) rows {
	w := &hostRows{hostDecoder: d}
	w.join(sentences)
	return w
}

// join adds rows behind those that are there.
func (w *hostRows) join(sentences []*sentence) {
	for _, s := range sentences {
		r, ok := w.spare.Get().(*hostRow)
		if !ok {
			r = &hostRow{hostOutput: hostOutput{w.model.NewSequence()}, cross: make([]host.Cross, len(w.lanes[0].cross))}
		}
		r.source, r.capacity = len(s.source), s.bounds.most+2
		w.rows = append(w.rows, r)
	}
}

// put copies: the encoder's outputs last until its next run.
func (w *hostRows) put(row int, outputs [][]float32, index, length int) {
	r := w.rows[row]
	for l := range r.cross {
		r.cross[l].Keys = w.model.Cut(r.cross[l].Keys, outputs[2*l], index, length, r.source)
		r.cross[l].Values = w.model.Cut(r.cross[l].Values, outputs[2*l+1], index, length, r.source)
	}
}

func (w *hostRows) begin(first int) error {
	for _, r := range w.rows[first:] {
		r.Begin(w.model, r.cross, r.capacity)
	}
	return nil
}

func (w *hostRows) feed(row int, tokens []int32, position int) error {
	return w.table.feed(w.rows[row].Sequence, tokens, position)
}

func (w *hostRows) checker(row int) checker { return w.rows[row] }

func (w *hostRows) run() error {
	w.batch = w.batch[:0]
	for _, r := range w.rows {
		w.batch = append(w.batch, r.Sequence)
	}
	return w.step(w.batch...)
}

func (w *hostRows) best(row int) ([]float32, []int32) { return w.rows[row].best() }

func (w *hostRows) move(from, to int) { w.rows[from], w.rows[to] = w.rows[to], w.rows[from] }

func (w *hostRows) keep(n int) {
	for _, r := range w.rows[n:] {
		if r.capacity <= spareTokens {
			w.spare.Put(r)
		}
	}
	w.rows = slices.Delete(w.rows, n, len(w.rows))
}

func (w *hostRows) close() { w.keep(0) }
