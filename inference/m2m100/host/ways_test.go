package host

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSameTogetherAndApart: what many sequences get in one step is what each gets
// alone, to the bit, whichever way the step is spread over the threads.
func TestSameTogetherAndApart(t *testing.T) {
	c := smallCheckpoint(t)
	for _, f := range []Format{Int8, Int4} {
		r := rand.New(rand.NewPCG(21, 22))
		var all []made
		for i := range 3*leastApart + 2 {
			all = append(all, makeSequence(r, c.Config, 3+i, 3))
		}
		var want [][]Best
		one := openModel(t, c, f, nil, 1)
		for _, s := range all {
			want = append(want, s.alone(t, one))
		}
		for _, threads := range []int{2, 3} {
			for _, by := range []way{together, apart} {
				m := openModel(t, c, f, nil, threads)
				m.ways.only = &by
				var now []*Sequence
				for _, s := range all {
					now = append(now, s.begin(m))
				}
				for token := range 3 {
					for i, s := range all {
						s.give(now[i], c.Config, token, 1)
					}
					require.NoError(t, m.Step(now...))
					require.Len(t, m.parts, []int{1, threads}[by])
					for i := range all {
						require.Equal(t, want[i][token], now[i].Best, "%s, %d threads, way %d, sequence %d", f, threads, by, i)
					}
				}
			}
		}
	}
}

// TestTheFasterWayIsTaken gives both ways costs, then lets the slower one become the
// faster.
func TestTheFasterWayIsTaken(t *testing.T) {
	var w ways
	took := [2]time.Duration{together: 2 * time.Millisecond, apart: time.Millisecond}
	run := func(steps int) (went [2]int) {
		for range steps {
			by := w.next()
			went[by]++
			w.took(by, took[by], 20)
		}
		return went
	}
	first := run(firstTries)
	require.NotZero(t, first[together])
	require.NotZero(t, first[apart])
	went := run(10 * retry)
	require.Equal(t, 10, went[together], "one of so many tries the other way")
	took = [2]time.Duration{together: time.Millisecond, apart: 10 * time.Millisecond}
	run(3)
	went = run(10 * retry)
	require.Equal(t, 10, went[apart])
}
