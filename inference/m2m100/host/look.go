package host

import (
	"slices"

	"dragoman/inference/kernel"
)

// look asks a step for cross-attention instead of candidates.
type look struct {
	layers  []int
	weights [][][]float32 // by sequence and layer, [New, source]
}

// Look tells how the sequences' new tokens look at their sources: of each sequence, by
// layer, the weights of the cross-attention, [New, source], which are the means of the
// heads' and add up to 1 for each token. Nothing behind the last of the layers is
// computed, and the sequences stay as long as they were.
func (m *Model) Look(layers []int, sequences ...*Sequence) ([][][]float32, error) {
	s := &m.step
	l := &look{layers: layers}
	rows := 0
	for _, q := range sequences {
		rows += q.New
		weights := make([][]float32, len(layers))
		for i := range weights {
			weights[i] = make([]float32, q.New*q.source)
		}
		l.weights = append(l.weights, weights)
	}
	if rows == 0 || len(layers) == 0 {
		return l.weights, nil
	}
	s.take(m, sequences, len(sequences))
	s.unclaim()
	s.look = l
	err := m.runAs(m.looks.of(rows))
	s.look = nil
	return l.weights, err
}

// lookAt is a member's part of a look.
func (m *member) lookAt(look *look) {
	last := slices.Max(look.layers)
	for l := range last + 1 {
		m.untilCross(l)
		for i, asked := range look.layers {
			if asked == l {
				m.seeCross(l, func(sequence int) []float32 { return look.weights[sequence][i] })
			}
		}
		if l < last {
			m.fromCross(l)
		}
	}
}

// seeCross computes the weights of a layer's cross-attention.
func (m *member) seeCross(l int, into func(sequence int) []float32) {
	s, d, heads := &m.step, m.config.DModel, m.config.DecoderHeads
	m.share(s.rows, 1, 1, func(row, _ int) {
		n := len(s.first) - 1
		for s.first[n] > row {
			n--
		}
		q := s.sequences[n]
		mean, p := into(n)[(row-s.first[n])*q.source:][:q.source], m.attention[:q.source]
		for head := range heads {
			at := head * kernel.Head
			kernel.Dots(p, s.wide[row*d+at:][:kernel.Head], q.cross[l].Keys[at*q.source:])
			kernel.Softmax(p)
			for i, weight := range p {
				mean[i] += weight / float32(heads)
			}
		}
	})
}
