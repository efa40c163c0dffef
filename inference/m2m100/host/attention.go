package host

import "dragoman/inference/kernel"

// selfAttention reads queries, keys and values from wide and leaves what was
// attended to in attended.
func (m *member) selfAttention(l int) {
	s, d, heads := &m.step, m.config.DModel, m.config.DecoderHeads
	m.share(len(s.sequences)*heads, 1, 1, func(unit, _ int) {
		q, head, first := s.sequences[unit/heads], unit%heads, s.first[unit/heads]
		at := head * kernel.Head
		for i := range q.New {
			row := s.wide[(first+i)*3*d+at:][:2*d+kernel.Head]
			q.remember(l, head, q.length+i, row[d:][:kernel.Head], row[2*d:])
			m.attendTo(s.heads[(first+i)*d+at:][:kernel.Head], row[:kernel.Head], q, l, head, q.length+i+1)
		}
	})
	m.quantise(s.attended, s.heads, d)
}

// crossAttention is selfAttention on the source.
func (m *member) crossAttention(l int) {
	s, d, heads := &m.step, m.config.DModel, m.config.DecoderHeads
	m.share(len(s.sequences)*heads, 1, 1, func(unit, _ int) {
		q, first := s.sequences[unit/heads], s.first[unit/heads]
		at := unit % heads * kernel.Head
		for i := range q.New {
			to := (first+i)*d + at
			m.attend(s.heads[to:][:kernel.Head], s.wide[to:][:kernel.Head], q.cross[l].Keys[at*q.source:], q.cross[l].Values[at*q.source:], q.source)
		}
	})
	m.quantise(s.attended, s.heads, d)
}

// attend is scaled dot-product attention of one query (Vaswani et al. 2017,
// section 3.2.1), of one head; the query is scaled already.
func (m *member) attend(out, q, keys, values []float32, length int) {
	p := m.attention[:length]
	kernel.Dots(p, q, keys)
	kernel.Softmax(p)
	kernel.Weigh(out, p, values)
}
