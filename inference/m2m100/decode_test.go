package m2m100

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStepsAllocateLittle compares outputs of different lengths. Only the list of
// the one sequence is made for each step.
func TestStepsAllocateLittle(t *testing.T) {
	e, _ := guessing(t)
	for lane, most := range map[Lane]float64{Interactive: 1, Batch: 0} {
		allocations := func(n int) float64 {
			return testing.AllocsPerRun(3, func() {
				var err error
				if lane == Batch {
					_, err = e.GenerateExactlyTogether(t.Context(), longSource, spanish, n)
				} else {
					_, err = e.GenerateExactly(t.Context(), longSource, spanish, n)
				}
				require.NoError(t, err)
			})
		}
		const short, long = 10, 50
		require.InDelta(t, most, (allocations(long)-allocations(short))/(long-short), 0.4)
	}
}
