package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// measured has one ratio of time, 0.5, and one of speed, 1.5.
func measured() *report {
	r := &report{Machine: machine{Processor: "this"}}
	r.compare("a sentence: starter", "ours", "theirs", 0.5, []float64{1, 2, 3}, []float64{2, 4, 6})
	r.compareSpeed("a batch: starter", "ours", "theirs", 2, []float64{2, 2}, []float64{3, 3})
	return r
}

func TestRecordedRatiosAreCompared(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, recordFile)), 0o755))
	_, err := readRecords(root)
	require.ErrorContains(t, err, "-record")

	require.NoError(t, measured().save(root))
	all, err := readRecords(root)
	require.NoError(t, err)
	recorded, err := all.of(machine{})
	require.NoError(t, err)
	require.Equal(t, map[string]float64{"a sentence: starter": 2, "a batch: starter": 1.5}, recorded.Speed)

	var out strings.Builder
	require.NoError(t, measured().check(recorded, &out))
	require.NotContains(t, out.String(), "FELL")

	recorded.Speed["a batch: starter"] = 2
	recorded.Speed["another: starter"] = 2
	recorded.Machine.Processor = "another"
	out.Reset()
	require.ErrorContains(t, measured().check(recorded, &out), "1 of 2 ratios fell by more than 10 %")
	require.Contains(t, out.String(), "a batch: starter: FELL by 25 %")
	require.Contains(t, out.String(), "another: starter: not measured")
	require.Contains(t, out.String(), "recorded on another, this is this")

	require.ErrorContains(t, (&report{}).check(recorded, &out), "none of the recorded ratios")
}

func TestFiguresThatWereNotMeasuredStayRecorded(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, recordFile)), 0o755))
	require.NoError(t, measured().save(root))
	quick := &report{}
	quick.compareSpeed("a batch: starter", "ours", "theirs", 2, []float64{2}, []float64{8})
	require.NoError(t, quick.save(root))
	all, err := readRecords(root)
	require.NoError(t, err)
	recorded, err := all.of(machine{})
	require.NoError(t, err)
	require.Equal(t, map[string]float64{"a sentence: starter": 2, "a batch: starter": 4}, recorded.Speed)
}

func TestEachKindOfProcessorHasItsRecord(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, recordFile)), 0o755))
	wide := measured()
	wide.Machine.Flags = []string{"avx2", "avx512f"}
	require.NoError(t, wide.save(root))
	narrow := measured()
	narrow.Machine.Flags = []string{"avx2"}
	narrow.compareSpeed("a batch: starter", "ours", "theirs", 2, []float64{2}, []float64{8})
	require.NoError(t, narrow.save(root))
	all, err := readRecords(root)
	require.NoError(t, err)
	require.Len(t, all, 2)
	recorded, err := all.of(wide.Machine)
	require.NoError(t, err)
	require.Equal(t, 1.5, recorded.Speed["a batch: starter"])
	recorded, err = all.of(narrow.Machine)
	require.NoError(t, err)
	require.Equal(t, 4.0, recorded.Speed["a batch: starter"])
	_, err = all.of(machine{Flags: []string{"sve"}})
	require.ErrorContains(t, err, "a processor with sve")
}

func TestAimsOfSpeedAreReachedFromBelow(t *testing.T) {
	lines := measured().Lines
	require.False(t, lines[len(lines)-1].met(), "1.5 for an aim of 2")
	lines[len(lines)-1].Least = 1.5
	require.True(t, lines[len(lines)-1].met())
}

func TestPlot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plot.svg")
	require.Error(t, (&report{}).plot(path))
	r := measured()
	r.Machine.Processor = "A <B>"
	require.NoError(t, r.plot(path))
	svg, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(svg), "A &lt;B&gt;")
	require.Contains(t, string(svg), ">a batch: starter<")
	require.Contains(t, string(svg), ">1.50<")
	require.Contains(t, string(svg), ">2.00<")
}

func TestFastestIsTheOneWithTheLeastMedian(t *testing.T) {
	turns := map[string][]float64{"a": {9, 1, 9}, "b": {5, 5, 5}} // the median of a's repeats is 9
	var all []contender
	for _, name := range []string{"a", "b"} {
		all = append(all, contender{name, func() ([]float64, error) { return turns[name], nil }})
	}
	best, err := fastest(2, all)
	require.NoError(t, err)
	require.Equal(t, "b", best.name)

	a, b, err := duel(3, all[0], all[1])
	require.NoError(t, err)
	require.Equal(t, []float64{9, 9, 9}, a, "the first round is not counted")
	require.Equal(t, []float64{5, 5, 5}, b)
}

func TestConstantsOfAGraphAreCountedOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "decoder.xml")
	require.NoError(t, os.WriteFile(path, []byte(`<data element_type="i8" shape="2" offset="0" size="100" />
<data offset="64" size="20" /><data element_type="i8" offset="0" size="100" />`), 0o644))
	bytes, err := constants(path)
	require.NoError(t, err)
	require.Equal(t, 120.0, bytes)
	bytes, err = weights(dir)
	require.NoError(t, err)
	require.Equal(t, 120.0, bytes, "no other file of the decoder is there")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "decoder.bin"), make([]byte, 64), 0o644))
	bytes, err = weights(dir)
	require.NoError(t, err)
	require.Equal(t, 64.0, bytes)
	require.NoError(t, os.WriteFile(path, []byte("<net/>"), 0o644))
	_, err = constants(path)
	require.ErrorContains(t, err, "no constants")
}
