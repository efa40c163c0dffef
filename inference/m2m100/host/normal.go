package host

import (
	"math"

	"dragoman/inference/kernel"
)

// blockSum is what a block of scores adds to the sum of all exponentials: sum times
// e to the power of largest. Blocks are added in their order, whoever computed them,
// so that the sum is the same in each run.
type blockSum struct{ largest, sum float32 }

func sumOf(scores []float32) (b blockSum) {
	b.largest, b.sum = kernel.SumExp(scores)
	return b
}

// blocks is how many blocks a vocabulary has.
func (s *step) blocks(vocabulary int) int { return (vocabulary + outputRows - 1) / outputRows }

// makeSums makes room for the sums of those that are asked about in a beam search.
func (s *step) makeSums(vocabulary int) {
	n := 0
	for i, a := range s.asked {
		if a.beam {
			n = (i + 1) * s.blocks(vocabulary)
		}
	}
	if n > len(s.sums) {
		s.sums = make([]blockSum, n)
	}
}

// normal is the logarithm of the sum of the exponentials of all scores. Those of the
// first stage stand for the exact ones but for the candidates, whose exact scores are
// there: so the more likely the candidates are, the less there is to be wrong.
// docs/performance.md says how much it is.
func (s *step) normal(vocabulary, i int, first, exact *Best) float32 {
	n := s.blocks(vocabulary)
	sums := s.sums[i*n : (i+1)*n]
	largest := exact.Scores[0]
	for _, b := range sums {
		largest = max(largest, b.largest)
	}
	power := func(score float32) float64 { return math.Exp(float64(score) - float64(largest)) }
	rest := 0.0
	for _, b := range sums {
		rest += float64(b.sum) * power(b.largest)
	}
	for k, token := range first.Tokens[:first.size()] {
		if token == math.MaxInt32 {
			break
		}
		rest -= power(first.Scores[k])
	}
	sum := max(rest, 0) // what is left of almost nothing
	for k, token := range exact.Tokens[:exact.size()] {
		if token == math.MaxInt32 {
			break
		}
		sum += power(exact.Scores[k])
	}
	return largest + float32(math.Log(sum))
}
