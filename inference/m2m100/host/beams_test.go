package host

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/kernel"
)

// TestBeamsAreSequences: an output of a beam search gets what a sequence with its
// history gets by itself, to the bit, whoever it went on from.
func TestBeamsAreSequences(t *testing.T) {
	c := smallCheckpoint(t)
	const source, steps = 11, 30
	for _, f := range []Format{Int8, Int4} {
		t.Run(string(f), func(t *testing.T) {
			r := rand.New(rand.NewPCG(19, 20))
			m := openModel(t, c, f, nil, 2)
			d := c.Config.DModel
			tokens := makeSequence(r, c.Config, source, 2+MostBeams*steps)
			b := m.NewBeams(MostBeams)
			for range 2 { // the second time in memory that was used
				b.Begin(m, tokens.cross, steps+2)
				first := b.Live()[0]
				first.Embeddings, first.New = tokens.embeddings, 2
				require.NoError(t, m.Step(b.Live()...))
				histories := [][]float32{append([]float32{}, tokens.embeddings[:2*d]...)}
				for step := range steps {
					parents := make([]int, 1+r.IntN(MostBeams))
					next := make([][]float32, len(parents))
					for i := range parents {
						parents[i] = r.IntN(len(histories))
						next[i] = append(append([]float32{}, histories[parents[i]]...), tokens.embeddings[(2+step*MostBeams+i)*d:][:d]...)
					}
					histories = next
					b.Follow(parents)
					require.Len(t, b.Live(), len(parents))
					for i, q := range b.Live() {
						q.Embeddings, q.New = histories[i][len(histories[i])-d:], 1
					}
					require.NoError(t, m.Step(b.Live()...))
				}
				for i, q := range b.Live() {
					alone := made{tokens.cross, histories[i], len(histories[i]) / d}
					want := alone.begin(m)
					want.beam = true
					for at := range alone.tokens {
						require.NoError(t, m.Step(alone.give(want, c.Config, at, 1)))
					}
					require.Equal(t, want.Best, q.Best, "output %d", i)
				}
			}
		})
	}
}

// TestNormal compares with the sum of the exact scores of the whole vocabulary,
// forbidden tokens among them.
func TestNormal(t *testing.T) {
	c := smallCheckpoint(t)
	one, two := openModel(t, c, Int8, []int32{5, 700}, 1), openModel(t, c, Int8, []int32{5, 700}, 3)
	s := makeSequence(rand.New(rand.NewPCG(21, 22)), c.Config, 9, 20)
	row := make([]float32, c.Config.DModel)
	q, same := s.begin(one), s.begin(two)
	q.beam, same.beam = true, true
	for i := range s.tokens {
		require.NoError(t, one.Step(s.give(q, c.Config, i, 1)))
		require.NoError(t, two.Step(s.give(same, c.Config, i, 1)))
		require.Equal(t, q.Best, same.Best)
		sum := 0.0
		for token := range c.Config.VocabSize {
			require.NoError(t, one.embedding.Row(row, token))
			sum += math.Exp(float64(kernel.Dot(one.step.last[:c.Config.DModel], row)))
		}
		require.InDelta(t, math.Log(sum), q.Normal, 0.01)
	}
	require.Len(t, q.Tokens, BeamCandidates)
	require.NotEqual(t, int32(math.MaxInt32), q.Tokens[BeamCandidates-1])
}
