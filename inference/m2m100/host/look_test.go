package host

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLook: each token's weights add up to 1, are the same to the bit whatever else is
// looked at and on any number of threads, and steps before and after give what they gave.
func TestLook(t *testing.T) {
	c := smallCheckpoint(t)
	r := rand.New(rand.NewPCG(21, 22))
	var all []made
	for i := range 5 {
		all = append(all, makeSequence(r, c.Config, 3+5*i, 1+4*i))
	}
	var want [][][]float32
	for _, threads := range []int{1, 2, 3} {
		m := openModel(t, c, Int8, nil, threads)
		before := all[4].alone(t, m)
		together := make([]*Sequence, len(all))
		for i, s := range all {
			together[i] = s.give(s.begin(m), c.Config, 0, s.tokens)
		}
		got, err := m.Look([]int{0, 1}, together...)
		require.NoError(t, err)
		if want == nil {
			want = got
		}
		require.Equal(t, want, got, "%d threads", threads)
		for i, s := range all {
			only, err := m.Look([]int{1}, s.give(s.begin(m), c.Config, 0, s.tokens))
			require.NoError(t, err)
			require.Equal(t, got[i][1], only[0][0], "alone, and one layer only")
			source := 3 + 5*i
			for _, layer := range got[i] {
				require.Len(t, layer, s.tokens*source)
				for token := range s.tokens {
					require.InDelta(t, 1, sum(layer[token*source:][:source]), 1e-4)
				}
			}
		}
		require.Equal(t, before, all[4].alone(t, m))
		none, err := m.Look([]int{0})
		require.NoError(t, err)
		require.Empty(t, none)
	}
}
