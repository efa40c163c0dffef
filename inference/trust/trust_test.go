package trust

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func vocabulary() Vocabulary {
	return Vocabulary{Size: 1000, Languages: []int32{990, 991, 992}, End: 2, Special: func(t int32) bool { return t < 4 || t >= 990 }}
}

func TestGolden(t *testing.T) {
	buckets := []int{32, 64, 128}
	all := Golden(vocabulary(), buckets)
	require.Equal(t, all, Golden(vocabulary(), buckets), "the same each time")
	require.Len(t, all, 6)
	for i, s := range all {
		bucket := buckets[i/2]
		require.Equal(t, bucket, s.Bucket)
		require.Equal(t, []int{bucket, bucket*5/8 + 1}[i%2], len(s.Tokens))
		if i > 1 {
			require.Greater(t, len(s.Tokens), buckets[i/2-1], "it does not fit a smaller bucket")
		}
		require.GreaterOrEqual(t, s.Tokens[0], int32(990))
		require.Equal(t, int32(2), s.Tokens[len(s.Tokens)-1])
		for _, token := range s.Tokens[1 : len(s.Tokens)-1] {
			require.False(t, vocabulary().Special(token))
		}
	}
	require.Len(t, Cheap(all), 3)
}

// wave is an output like an encoder's.
func wave(n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(math.Sin(float64(i)*1.7) * math.Exp(math.Sin(float64(i)*0.3)))
	}
	return values
}

func figures(t *testing.T, want, got []float32) Figures {
	t.Helper()
	var c Comparison
	require.NoError(t, c.Outputs([][]float32{want, want}, [][]float32{want, got}))
	return c.Figures()
}

func TestLimits(t *testing.T) {
	want := wave(10_000)
	for name, c := range map[string]struct {
		spoil func(i int, v float32) float32
		right bool
	}{
		"the same":        {func(_ int, v float32) float32 { return v }, true},
		"f16 noise":       {func(i int, v float32) float32 { return v + 0.005*float32(math.Sin(float64(i*i))) }, true},
		"one lane of 16":  {func(i int, v float32) float32 { return map[bool]float32{true: -v, false: v}[i%16 == 3] }, false},
		"one value":       {func(i int, v float32) float32 { return map[bool]float32{true: 3, false: v}[i == 77] }, false},
		"NaN":             {func(i int, v float32) float32 { return map[bool]float32{true: float32(math.NaN()), false: v}[i == 77] }, false},
		"infinity":        {func(i int, v float32) float32 { return map[bool]float32{true: float32(math.Inf(1)), false: v}[i == 77] }, false},
		"zero":            {func(int, float32) float32 { return 0 }, false},
		"scaled":          {func(_ int, v float32) float32 { return 2 * v }, false},
		"shifted by one":  {func(i int, _ float32) float32 { return want[(i+1)%len(want)] }, false},
		"clipped":         {func(_ int, v float32) float32 { return min(v, 1) }, false},
		"garbage":         {func(i int, _ float32) float32 { return float32(i*7919%13) - 6 }, false},
		"eight bits less": {func(_ int, v float32) float32 { return float32(math.Round(float64(v)*4) / 4) }, false},
	} {
		got := make([]float32, len(want))
		for i, v := range want {
			got[i] = c.spoil(i, v)
		}
		err := figures(t, want, got).Check(Limits)
		require.Equal(t, c.right, err == nil, "%s: %v", name, err)
		thin := figures(t, Thin([][]float32{want})[0], Thin([][]float32{got})[0]).Check(Limits)
		if name != "one value" && name != "NaN" && name != "infinity" { // those may fall between
			require.Equal(t, c.right, thin == nil, "thin: %s: %v", name, thin)
		}
	}
}

func TestTokens(t *testing.T) {
	same := []int32{1, 2, 3, 4, 5, 6, 7, 8, 9}
	var c Comparison
	require.NoError(t, c.Outputs([][]float32{{1}}, [][]float32{{1}}))
	require.Equal(t, Figures{Cosine: 1, Tokens: 1}, c.Figures())
	for range 3 {
		c.Tokens(same, []int32{1, 2, 3, 4, 5, 6, 7, 8, 10})
	}
	c.Tokens(same, []int32{1, 2})
	require.InDelta(t, 26.0/32, c.Figures().Tokens, 1e-9, "eight tokens count, up to the first other one")
	require.NoError(t, c.Figures().Check(Limits))
	for range 3 {
		c.Tokens(same, nil)
	}
	require.ErrorContains(t, c.Figures().Check(Limits), "only 46 of 100 tokens")
	c = Comparison{}
	c.Tokens(nil, nil)
	require.Equal(t, 1.0, c.Figures().Tokens)
	c.Tokens(nil, same)
	require.Equal(t, 0.5, c.Figures().Tokens)
}

func TestOutputsOfAnotherShape(t *testing.T) {
	var c Comparison
	require.Error(t, c.Outputs(nil, nil))
	require.Error(t, c.Outputs([][]float32{{1}}, [][]float32{{1}, {2}}))
	require.Error(t, c.Outputs([][]float32{{1}}, [][]float32{{}}))
	require.Error(t, c.Outputs([][]float32{{}}, [][]float32{{}}))
}

func TestRecord(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "devices")
	r := Open(dir)
	_, found := r.Find("npu 1782")
	require.False(t, found)
	wrong := Verdict{Key: "npu 1782", Device: "NPU", Why: "cosine", When: time.Unix(100, 0).UTC(), Figures: Figures{Cosine: 0.5}}
	require.NoError(t, r.Put(wrong))
	right := Verdict{Key: "npu 1900", Device: "NPU", Trusted: true, When: time.Unix(200, 0).UTC(), Opened: time.Minute}
	require.NoError(t, r.Put(right))
	again := Open(dir)
	got, found := again.Find("npu 1782")
	require.True(t, found)
	require.Equal(t, wrong, got)
	last, found := again.Last("NPU")
	require.True(t, found)
	require.Equal(t, right, last)
	_, found = again.Last("GPU")
	require.False(t, found)
	right.Figures.Cosine = 1
	require.NoError(t, again.Put(right))
	got, _ = Open(dir).Find("npu 1900")
	require.Equal(t, right, got)
	for i := range 2 * most {
		require.NoError(t, again.Put(Verdict{Key: string(rune('A' + i))}))
	}
	require.Len(t, again.read(), most)
}

func TestDamagedRecordIsNone(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, recordFile), []byte(`[{"key": "a", "tru`), 0o600))
	r := Open(dir)
	_, found := r.Find("a")
	require.False(t, found)
	require.NoError(t, r.Put(Verdict{Key: "a", Trusted: true}))
	v, found := Open(dir).Find("a")
	require.True(t, found)
	require.True(t, v.Trusted)
}

func TestRecordThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a file where the folder should be")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	r := Open(file)
	require.ErrorContains(t, r.Put(Verdict{Key: "a", Why: "wrong"}), file)
	v, found := r.Find("a")
	require.True(t, found, "this process remembers")
	require.Equal(t, "wrong", v.Why)
	require.Error(t, r.Begin("a"))
	require.NoError(t, r.End("a"))
	require.NoError(t, r.Settle(time.Now()))
}

func TestUncleanEnds(t *testing.T) {
	dir := t.TempDir()
	now := time.Unix(1000, 0).UTC()
	require.NoError(t, Open(dir).Put(Verdict{Key: "npu", Device: "NPU", Trusted: true}))
	for i := range 3 {
		r := Open(dir)
		require.NoError(t, r.Begin("npu"))
		require.NoError(t, r.Settle(now), "its own is in use")
		v, _ := r.Find("npu")
		require.Equal(t, i, v.Unclean)
		require.NoError(t, r.held["npu"].Close()) // the process is killed
		next := Open(dir)
		require.NoError(t, next.Settle(now))
		v, _ = next.Find("npu")
		require.Equal(t, i+1, v.Unclean)
		require.Equal(t, now, v.Since)
	}
	r := Open(dir)
	require.NoError(t, r.Begin("npu"))
	require.NoError(t, r.Close())
	v, _ := Open(dir).Find("npu")
	require.Zero(t, v.Unclean, "one good end and all is forgotten")
	notes, err := filepath.Glob(filepath.Join(dir, inUse+"*"))
	require.NoError(t, err)
	require.Empty(t, notes)
}
