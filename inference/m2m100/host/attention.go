package host

import (
	"math"

	"dragoman/inference/kernel"
)

// headsAtOnce is how many heads fill a group of activations.
const headsAtOnce = kernel.Group / kernel.Head

// selfAttention reads queries, keys and values from wide and leaves what was
// attended to in attended.
func (m *member) selfAttention(l int) {
	s, d := &m.step, m.config.DModel
	pairs := d / kernel.Group
	m.share(len(s.sequences)*pairs, 1, 1, func(unit, _ int) {
		n, pair := unit/pairs, unit%pairs
		q := s.sequences[n]
		for i := range q.New {
			row := s.wide[(s.first[n]+i)*3*d:][:3*d]
			for half := range headsAtOnce {
				head := headsAtOnce*pair + half
				at := head * kernel.Head
				q.remember(l, head, q.length+i, row[d+at:d+at+kernel.Head], row[2*d+at:2*d+at+kernel.Head])
				m.attendTo(half, row[at:at+kernel.Head], q, l, head, q.length+i+1)
			}
			s.attended.Set(s.first[n]+i, pair, m.attended)
		}
	})
}

// crossAttention is selfAttention on the source.
func (m *member) crossAttention(l int) {
	s, d := &m.step, m.config.DModel
	pairs := d / kernel.Group
	m.share(len(s.sequences)*pairs, 1, 1, func(unit, _ int) {
		n, pair := unit/pairs, unit%pairs
		q := s.sequences[n]
		for i := range q.New {
			row := s.wide[(s.first[n]+i)*d:][:d]
			for half := range headsAtOnce {
				at := (headsAtOnce*pair + half) * kernel.Head
				m.attend(half, row[at:at+kernel.Head], q.cross[l].Keys[at*q.source:], q.cross[l].Values[at*q.source:], q.source)
			}
			s.attended.Set(s.first[n]+i, pair, m.attended)
		}
	})
}

// attend is scaled dot-product attention of one query (Vaswani et al. 2017,
// section 3.2.1); the query is scaled already.
func (m *member) attend(half int, q, keys, values []float32, length int) {
	p := m.attention[:length]
	kernel.Dots(p, q, keys)
	softmax(p)
	kernel.Weigh(m.attended[half*kernel.Head:(half+1)*kernel.Head], p, values)
}

func softmax(p []float32) {
	largest := p[0]
	for _, v := range p[1:] {
		largest = max(largest, v)
	}
	sum := float32(0)
	for i, v := range p {
		p[i] = exp(v - largest)
		sum += p[i]
	}
	inverse := 1 / sum
	for i := range p {
		p[i] *= inverse
	}
}

// exp is e to the power of x ≤ 0, to about 1e-7 of it: 2^k·e^r with |r| ≤ ln(2)/2,
// and e^r by its series.
func exp(x float32) float32 {
	if !(x > -80) {
		if x != x {
			return x
		}
		return 0
	}
	const (
		log2e = 1.44269504088896341
		high  = 0.693359375 // ln 2 in two parts, the first with few bits
		low   = -2.12194440e-4
	)
	k := round(x * log2e)
	r := x - k*high - k*low
	e := 1 + r*(1+r*(1.0/2+r*(1.0/6+r*(1.0/24+r*(1.0/120+r*(1.0/720))))))
	return e * math.Float32frombits(uint32(int32(k)+127)<<23)
}
