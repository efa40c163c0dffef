package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSentencesDiffer(t *testing.T) {
	var made texts
	seen := map[string]bool{}
	for range variants {
		sentence := made.sentence()
		require.False(t, seen[sentence], "%d sentences before it", len(seen))
		seen[sentence] = true
	}
	require.GreaterOrEqual(t, variants, 10_000) // a run needs fewer
}

func TestHeap(t *testing.T) {
	var h heap
	// A line may come in parts; others are kept for who asks what went wrong.
	for _, text := range []string{
		"gc 1 @0.012s 2%: 0.03+0.9+0.01 ms clock, 0.07+0.1/0.8/0+0.02 ms cpu, 4->5->3 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P\nsome",
		"thing else\ngc 2 @10.5s 0%: 0.03+0.9+0.01 ms clock, 0.07+0.1/0.8/0+0.02 ms cpu, 8->9->",
		"6 MB, 13 MB goal, 0 MB stacks, 0 MB globals, 2 P (forced)\n",
	} {
		n, err := h.Write([]byte(text))
		require.NoError(t, err)
		require.Equal(t, len(text), n)
	}
	count, live, goal := h.now()
	require.Equal(t, 2, count)
	require.Equal(t, 6.0, live)
	require.Equal(t, 13.0, goal)
	require.Equal(t, "something else\n", h.rest())
}

func TestReport(t *testing.T) {
	var r report
	p := r.begin("part")
	p.add("files", "files/s", least(2), 3, 1, 2)
	p.add("answers", "ms", most(2), 2.5)
	p.Line = "in short"
	p.end()
	var out strings.Builder
	r.print(&out)
	require.Regexp(t, `part \(load .+ on \d+ processors\)`, out.String())
	require.Regexp(t, `files, files/s +1\.00 +2\.00 +3\.00 +>= 2\.00 +met`, out.String())
	require.True(t, strings.HasSuffix(out.String(), "in short\n"))
	require.Regexp(t, `answers, ms +2\.50 +<= 2\.00 +missed`, out.String())
}

func TestMedianWithin(t *testing.T) {
	var values []float64
	for i := range 201 {
		values = append(values, float64(200-i))
	}
	low, high := medianWithin(values)
	require.Equal(t, []float64{86, 114}, []float64{low, high})
	low, high = medianWithin([]float64{3, 1, 2})
	require.Equal(t, []float64{1, 3}, []float64{low, high})
}

func TestLatencies(t *testing.T) {
	var p part
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(100 - i)
	}
	p.latencies("answers", values)
	require.Equal(t, 50.5, p.Figures[0].Median)
	require.Equal(t, 96.0, p.Figures[1].Median)
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{{0, "0.00"}, {0.00276, "0.00276"}, {0.5, "0.50"}, {-9.28, "-9.28"}, {12.34, "12.3"}, {1234.5, "1234"}} {
		require.Equal(t, c.want, number(c.v))
	}
}

func TestStatusFields(t *testing.T) {
	status := "Name:\tdragomand\nVmRSS:\t   2048 kB\nvoluntary_ctxt_switches:\t17\nnonvoluntary_ctxt_switches:\t4\n"
	require.Equal(t, 2048.0, field(status, "VmRSS"))
	require.Equal(t, 17.0, field(status, "voluntary_ctxt_switches"))
	require.Zero(t, field(status, "VmHWM"))
}

// What is measured is what `dragoman service install` sets up.
func TestServiceRunsAsItsUnitSays(t *testing.T) {
	env, err := ofUnit(filepath.Join("..", ".."))
	require.NoError(t, err)
	require.Equal(t, []string{"GLIBC_TUNABLES=glibc.malloc.arena_max=1:glibc.malloc.tcache_count=127:glibc.malloc.tcache_max=65536"}, env)
}
