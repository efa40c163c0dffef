package host

import (
	"fmt"
	"math"

	"dragoman/inference/kernel"
)

// Best are the best tokens of some, best first. Of two with one score the
// earlier id is the better.
type Best struct {
	Tokens [BeamCandidates]int32 // Candidates of them, all in a beam search
	Scores [BeamCandidates]float32
	// Normal is the logarithm of the sum of all tokens' exponentials: a score less
	// it is the logarithm of a probability. It is there in a beam search only.
	Normal float32

	beam bool
}

// size is how many candidates there are.
func (b *Best) size() int {
	if b.beam {
		return BeamCandidates
	}
	return Candidates
}

func (b *Best) clear() {
	for i := range b.Scores {
		b.Tokens[i], b.Scores[i] = math.MaxInt32, float32(math.Inf(-1))
	}
}

// insert is for scores above the last one, and those that equal it.
func (b *Best) insert(token int32, score float32) {
	size := b.size()
	i := size
	for i > 0 && (score > b.Scores[i-1] || score == b.Scores[i-1] && token < b.Tokens[i-1]) {
		i--
	}
	if i == size {
		return
	}
	copy(b.Scores[i+1:size], b.Scores[i:])
	copy(b.Tokens[i+1:size], b.Tokens[i:])
	b.Scores[i], b.Tokens[i] = score, token
}

// found has room for what the first stage finds: more than is asked for, so that what it
// loses does not show in those.
func found() Best {
	b := Best{beam: true}
	b.clear()
	return b
}

// lastNormal is the last layer normalisation, of the tokens that are asked about.
func (m *member) lastNormal() {
	s, d := &m.step, m.config.DModel
	for i := range s.asked {
		m.candidates[i] = found()
	}
	m.share(len(s.asked), 1, 1, func(i, _ int) {
		row := s.asked[i].row
		last := s.last[i*d : (i+1)*d]
		m.weights.norm.apply(last, s.hidden[row*d:(row+1)*d])
		s.lastVectors().Set(i, last)
	})
	m.pack(s.lastVectors(), len(s.asked))
}

func (s *step) lastVectors() kernel.Vectors {
	if s.many {
		return s.lastMany
	}
	return s.lastQ
}

// outputRows is how many rows of the output matrix meet all vectors before the next.
const outputRows = 64

// score is the first stage: four bits of the output matrix. Many vectors meet them as
// eight bits, which loses less than four bits do; not those of beam searches, whose sums
// must not depend on how many there are.
func (m *member) score() {
	s := &m.step
	n, x := len(s.asked), s.lastVectors()
	vectors := filled(x, n)
	m.share(m.config.VocabSize, outputRows, outputChunk, func(from, to int) {
		for at := from; at < to; at += outputRows {
			rows := min(outputRows, to-at)
			if four := &m.weights.output.four; s.many {
				four.Expand(m.expanded, at, rows)
				m.expanded.Multiply(m.output, outputRows, x, vectors, 0, (rows+3)&^3) // they go in fours
			} else {
				four.Multiply(m.output, outputRows, x, vectors, at, rows)
			}
			for i := range n {
				scores := m.output[i*outputRows:][:rows]
				m.keep(&m.candidates[i], scores, at)
				if s.asked[i].beam {
					s.sums[i*s.blocks(m.config.VocabSize)+at/outputRows] = sumOf(scores)
				}
			}
		}
	})
}

func (m *member) keep(best *Best, scores []float32, first int) {
	last := best.size() - 1
	worst := best.Scores[last]
	for r := kernel.Find(scores, worst); r < len(scores); r += 1 + kernel.Find(scores[r+1:], worst) {
		if !m.forbidden[first+r] {
			best.insert(int32(first+r), scores[r])
			worst = best.Scores[last]
		}
	}
}

// rank is the second stage: the exact scores of the candidates.
func (m *member) rank() {
	s, d := &m.step, m.config.DModel
	m.share(len(s.asked), 1, 1, func(i, _ int) {
		found := found()
		working := s.working()
		for j := range working {
			c := &working[j].candidates[i]
			for k, token := range c.Tokens[:c.size()] {
				found.insert(token, c.Scores[k])
			}
		}
		best := s.asked[i].follow(s.asked[i].before)
		best.clear()
		last := s.last[i*d : (i+1)*d]
		sound := sum(last)
		for _, token := range found.Tokens[:found.size()] {
			if token == math.MaxInt32 {
				break
			}
			score, err := m.exact(token, last)
			if err != nil {
				s.asked[i].err = err
				return
			}
			best.insert(token, score)
			sound += score
		}
		if best.beam {
			best.Normal = s.normal(m.config.VocabSize, i, &found, best)
		}
		if sound-sound != 0 {
			best.Scores[0] = float32(math.NaN())
		}
	})
}

// exact is the score of a token in the checkpoint's own precision.
func (m *member) exact(token int32, last []float32) (float32, error) {
	row := m.normal
	if err := m.embedding.Row(row, int(token)); err != nil {
		return 0, fmt.Errorf("score token %d: %w", token, err)
	}
	return kernel.Dot(last, row), nil
}

func sum(x []float32) (sum float32) {
	for _, v := range x {
		sum += v
	}
	return sum
}
