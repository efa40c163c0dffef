package host

import "dragoman/inference/kernel"

// MostBeams is how many outputs a beam search may keep.
const MostBeams = 8

// Beams are outputs of one source that go on from each other: what they have in
// common is in the cache once, and nothing is copied when one takes the place of
// another. Each writes what its new tokens leave into a cache of its own; where the
// earlier ones lie is a list.
type Beams struct {
	all    []*Sequence
	live   int
	pasts  [][]span // spare memory of the lists
	before [][]span
}

// span is tokens that lie in the cache of one output.
type span struct {
	of       *Sequence
	from, to int
}

// NewBeams makes at most MostBeams outputs of the model, which get BeamCandidates
// and Normal.
func (m *Model) NewBeams(n int) *Beams {
	b := &Beams{pasts: make([][]span, n), before: make([][]span, n)}
	for range n {
		q := m.NewSequence()
		q.beam = true
		b.all = append(b.all, q)
	}
	return b
}

// Begin is that of each Sequence. There is one output until Follow.
func (b *Beams) Begin(m *Model, cross []Cross, capacity int) {
	for _, q := range b.all {
		q.Begin(m, cross, capacity)
	}
	b.live = 1
}

// Live are the outputs that a step takes.
func (b *Beams) Live() []*Sequence { return b.all[:b.live] }

// Follow has each output go on from the parent with its number; there are as many
// outputs as parents from now on.
func (b *Beams) Follow(parents []int) {
	length := b.all[0].length
	for i, q := range b.all {
		b.before[i] = q.past
	}
	for i, parent := range parents {
		past := append(b.pasts[i][:0], b.before[parent]...)
		own := 0
		if n := len(past); n > 0 {
			own = past[n-1].to
		}
		switch n := len(past); {
		case own == length:
		case n > 0 && past[n-1].of == b.all[parent]:
			past[n-1].to = length
		default:
			past = append(past, span{b.all[parent], own, length})
		}
		b.all[i].past, b.all[i].length = past, length
	}
	for i := range parents {
		b.pasts[i] = b.before[i]
	}
	b.live = len(parents)
}

// attendTo is attend to the first tokens of a sequence, in whatever cache they lie.
func (m *member) attendTo(out, query []float32, q *Sequence, l, head, length int) {
	if len(q.past) == 0 {
		m.attend(out, query, q.keys[l][q.at(head, 0):], q.values[l][q.at(head, 0):], length)
		return
	}
	own := q.past[len(q.past)-1].to
	p := m.attention[:length]
	for _, s := range q.past {
		kernel.Dots(p[s.from:s.to], query, s.of.keys[l][s.of.at(head, s.from):])
	}
	kernel.Dots(p[own:], query, q.keys[l][q.at(head, own):])
	kernel.Softmax(p)
	clear(out)
	for _, s := range q.past {
		kernel.WeighMore(out, p[s.from:s.to], s.of.values[l][s.of.at(head, s.from):])
	}
	kernel.WeighMore(out, p[own:], q.values[l][q.at(head, own):])
}

// at is where a head's keys and values of a token begin in the cache.
func (s *Sequence) at(head, token int) int { return (head*s.capacity + token) * kernel.Head }
