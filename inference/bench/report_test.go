package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRatios(t *testing.T) {
	var r report
	// The second round is slow for both: the pairs do not see it.
	r.compare("group", "ours", "theirs", 0.5, []float64{1, 9, 3}, []float64{2, 18, 4})
	require.Len(t, r.Lines, 4)
	require.Equal(t, line{Group: "group", Name: "ours", Unit: "ms", Min: 1, Median: 3, Max: 9, Values: []float64{1, 9, 3}}, r.Lines[0])
	require.Equal(t, 3.0/4, r.Lines[2].Median)
	require.Equal(t, []float64{0.5, 0.5, 0.75}, r.Lines[3].Values)
	require.Equal(t, 0.5, r.Lines[3].Median)

	var out strings.Builder
	r.skip("the rest", errors.New("no disk"))
	r.print(&out)
	require.Regexp(t, `ours, ms +1\.00 +3\.00 +9\.00`, out.String())
	require.Regexp(t, `ratio of the medians +0\.75 +≤ 0\.50 +missed`, out.String())
	require.Regexp(t, `ratio round by round +0\.50 +0\.50 +0\.75 +≤ 0\.50 +met`, out.String())
	require.Contains(t, out.String(), "skipped\n  the rest: no disk")
}

func TestMedian(t *testing.T) {
	require.Equal(t, 7.0, median([]float64{7}))
	require.Equal(t, 2.5, median([]float64{1, 2, 3, 9}))
	require.Equal(t, 3.0, median([]float64{1, 3, 9}))
}

func TestPadding(t *testing.T) {
	// 16 of 16, 17 of 32; 40 does not fit.
	require.InDelta(t, 1-33.0/48, padding([]int{16, 17, 40}, []int{16, 32}), 1e-12)
	require.Equal(t, "16, 32", list([]int{16, 32}))
}

func TestAModelWithoutAimsMeetsAndMissesNone(t *testing.T) {
	var r report
	r.add("a", "time", "s", 1, 2)
	r.compareSpeed("b", "ours", "theirs", 1.5, []float64{2}, []float64{1})
	r.aimless(1)
	require.False(t, r.Lines[0].met())
	for _, l := range r.Lines[1:] {
		require.True(t, l.met(), l.Name)
	}
}
