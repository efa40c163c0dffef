package m2m100

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// beamReference is one line of testdata/beam.jsonl: what transformers' beam search
// with four beams and early stopping gives in float32.
type beamReference struct {
	Line    int                  `json:"line"` // of the references, from 1
	Penalty float64              `json:"penalty"`
	Beams   []beamReferenceFound `json:"beams"`
	Ended   []bool               `json:"ended"`
}

// beamReferenceFound is [[tokens], score].
type beamReferenceFound struct {
	Tokens []int32
	Score  float32
}

func (f *beamReferenceFound) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&f.Tokens, &f.Score})
}

func readBeamReferences(t *testing.T) (all []beamReference) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "beam.jsonl"))
	require.NoError(t, err)
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r beamReference
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		require.Len(t, r.Beams, 4)
		all = append(all, r)
	}
	require.Len(t, all, 100)
	return all
}

// beamOptions forbid what the references forbid.
func beamOptions(t *testing.T, recipe string) Options {
	t.Helper()
	o := starterOptions(t, recipe, CPU)
	o.Forbidden = []int32{0, 1, 3}
	for token := 24001; token < o.Checkpoint.Config.VocabSize; token++ {
		o.Forbidden = append(o.Forbidden, int32(token))
	}
	o.Dir += "-forbidden"
	return o
}

// TestSameBeamsAsTransformers: all four outputs of 100 sentences over all 30
// language pairs, token by token, with their scores; of a quarter in a short run.
func TestSameBeamsAsTransformers(t *testing.T) {
	e := openEngine(t, beamOptions(t, "f32"))
	sources := readReferences(t)
	for i, r := range readBeamReferences(t) {
		if testing.Short() && i%4 != 0 {
			continue
		}
		s := sources[r.Line-1]
		g, found, err := e.GenerateBeams(t.Context(), Interactive, s.Source, s.Target[0], BeamSearch{len(r.Beams), r.Penalty})
		require.NoError(t, err)
		require.Len(t, found, len(r.Beams))
		require.Equal(t, found[0].Tokens, g.Tokens)
		require.Zero(t, g.Guarded)
		for k, want := range r.Beams {
			require.Equal(t, want.Tokens, found[k].Tokens, "line %d of the references, output %d", r.Line, k+1)
			require.InDelta(t, want.Score, found[k].Score, 1e-5)
			require.Equal(t, r.Ended[k], !found[k].Cut)
		}
	}
}

// TestMostBeamsAsTransformers is about weights of eight bits and the host's sum of
// all probabilities: of the 100 sentences 93 had the same best output, 78 the same
// four.
func TestMostBeamsAsTransformers(t *testing.T) {
	o := beamOptions(t, "int8")
	if !o.recipe().Host {
		t.Skip("this processor has no AVX2")
	}
	e := openEngine(t, o)
	sources := readReferences(t)
	all, best, four := 0, 0, 0
	for i, r := range readBeamReferences(t) {
		if testing.Short() && i%4 != 0 {
			continue
		}
		s := sources[r.Line-1]
		_, found, err := e.GenerateBeams(t.Context(), Interactive, s.Source, s.Target[0], BeamSearch{len(r.Beams), r.Penalty})
		require.NoError(t, err)
		same := 0
		for k, want := range r.Beams {
			if slices.Equal(want.Tokens, found[k].Tokens) {
				same++
			}
		}
		all++
		if slices.Equal(r.Beams[0].Tokens, found[0].Tokens) {
			best++
		}
		if same == len(r.Beams) {
			four++
		}
	}
	t.Logf("of %d sentences %d have the same best output, %d the same four", all, best, four)
	require.GreaterOrEqual(t, best, all*85/100) // encoders of other processors round in other ways
}

// beamEngines run beam searches in package host and in the runtime.
func beamEngines(t *testing.T) map[string]*Engine {
	t.Helper()
	o := starterOptions(t, "int8", CPU)
	engines := map[string]*Engine{"graph": openEngine(t, o.decodedBy(GraphDecoder))}
	if o.recipe().Host {
		engines["host"] = openEngine(t, o)
	}
	return engines
}

// TestOneBeamIsGreedy: with one beam there is nothing to choose from.
func TestOneBeamIsGreedy(t *testing.T) {
	for name, e := range beamEngines(t) {
		t.Run(name, func(t *testing.T) {
			for _, source := range [][]int32{shortSource, longSource} {
				for _, target := range []int32{spanish, NoTarget} {
					g, found, err := e.GenerateBeams(t.Context(), Interactive, source, target, BeamSearch{1, 1})
					require.NoError(t, err)
					require.Len(t, found, 1)
					require.Equal(t, generate(t, e, source, target), g.Tokens)
				}
			}
		})
	}
}

// TestBeamSearchesTakeTurns lets an interactive search come in the middle of one of
// the batch lane, and ends another there.
func TestBeamSearchesTakeTurns(t *testing.T) {
	search := BeamSearch{MostBeams, 0.7}
	for name, e := range beamEngines(t) {
		t.Run(name, func(t *testing.T) {
			_, wantShort, err := e.GenerateBeams(t.Context(), Interactive, shortSource, spanish, search)
			require.NoError(t, err)
			_, wantLong, err := e.GenerateBeams(t.Context(), Batch, longSource, spanish, search)
			require.NoError(t, err)
			require.Len(t, wantLong, MostBeams)
			for at := 2; at <= 6; at += 2 {
				var urgent []Hypothesis
				var urgentErr error
				done := make(chan struct{})
				batch := &askedContext{Context: t.Context(), answer: func(asked int) error {
					if asked == at {
						go func() {
							defer close(done)
							_, urgent, urgentErr = e.GenerateBeams(t.Context(), Interactive, shortSource, spanish, search)
						}()
						for e.turns.wanted.Load() == 0 {
							runtime.Gosched()
						}
					}
					return nil
				}}
				_, long, err := e.GenerateBeams(batch, Batch, longSource, spanish, search)
				require.NoError(t, err)
				<-done
				require.NoError(t, urgentErr)
				require.Equal(t, wantShort, urgent)
				require.Equal(t, wantLong, long)
				_, _, err = e.GenerateBeams(endsAtQuestion(t.Context(), at), Batch, longSource, spanish, search)
				require.ErrorIs(t, err, context.Canceled)
			}
		})
	}
}

func TestBeamsOutOfBounds(t *testing.T) {
	e := openStarter(t, "int8", CPU)
	for _, b := range []BeamSearch{{0, 1}, {MostBeams + 1, 1}, {4, math.NaN()}, {4, math.Inf(1)}} {
		_, _, err := e.GenerateBeams(t.Context(), Interactive, shortSource, spanish, b)
		require.ErrorContains(t, err, "1 to 8 beams are possible")
	}
}

// toldBeams is a fake: outputs whose candidates are given by what they are so far.
type toldBeams struct {
	histories [][]int32
	told      func(history []int32) (scores []float32, tokens []int32)
}

func (b *toldBeams) best(beam int) ([]float32, []int32) { return b.told(b.histories[beam]) }
func (b *toldBeams) feed(int, []int32, int) error       { return nil }
func (b *toldBeams) run() error                         { return nil }
func (b *toldBeams) follow([]int)                       {}
func (b *toldBeams) close()                             {}
func (b *toldBeams) search(s *search) (steps int) {
	for {
		b.histories = nil
		for _, r := range s.running {
			b.histories = append(b.histories, r.tokens)
		}
		steps++
		if parents, err := s.step(b, &Generation{}); err != nil || parents == nil {
			return steps
		}
	}
}

// TestSearchRules are those of transformers on made-up probabilities.
func TestSearchRules(t *testing.T) {
	const eos = 2
	begin := func(most int) *search {
		return &search{BeamSearch: BeamSearch{2, 1}, eos: eos, guard: newGuard(nil), bounds: lengths{1, most}, before: 2, running: []beam{{}}}
	}
	t.Run("an end among the first half counts, one behind does not", func(t *testing.T) {
		b := toldBeams{told: func(h []int32) ([]float32, []int32) {
			if len(h) == 0 {
				return []float32{-1, -2, -3}, []int32{10, 11, eos} // no end before the least length
			}
			if h[0] == 10 && len(h) == 1 {
				return []float32{-1, -1.5, -8}, []int32{20, eos, 21}
			}
			if h[0] == 11 && len(h) == 1 {
				return []float32{-2, -9, -9}, []int32{eos, 22, 23} // third of all
			}
			return []float32{-0.5, -7, -8}, []int32{eos, 24, 25}
		}}
		s := begin(10)
		require.Equal(t, 3, b.search(s))
		require.Equal(t, []Hypothesis{
			{Tokens: []int32{10, 20}, Score: -2.5 / 4}, // the language token and the end count
			{Tokens: []int32{10}, Score: -2.5 / 3},
		}, s.ended)
	})
	t.Run("the length bound ends what runs", func(t *testing.T) {
		b := toldBeams{told: func(h []int32) ([]float32, []int32) {
			second := float32(-2)
			if len(h) == 0 {
				second = -1.5
			}
			return []float32{-1, second, -30}, []int32{int32(10 + len(h)), int32(20 + len(h)), eos}
		}}
		s := begin(3)
		require.Equal(t, 3, b.search(s))
		require.Equal(t, []Hypothesis{
			{Tokens: []int32{10, 11, 12}, Score: -3. / 4, Cut: true},
			{Tokens: []int32{20, 11, 12}, Score: -3.5 / 4, Cut: true},
		}, s.ended)
	})
	t.Run("the guard refuses all", func(t *testing.T) {
		b := toldBeams{told: func([]int32) ([]float32, []int32) {
			return []float32{-1, float32(math.Inf(-1))}, []int32{10, math.MaxInt32}
		}}
		s := begin(90)
		require.Equal(t, shortRepeats+1, b.search(s))
		require.Equal(t, []Hypothesis{{Tokens: slices.Repeat([]int32{10}, shortRepeats), Score: -shortRepeats / float32(shortRepeats+2)}}, s.ended)
	})
	t.Run("no numbers", func(t *testing.T) {
		b := &toldBeams{histories: [][]int32{nil}, told: func([]int32) ([]float32, []int32) {
			return []float32{float32(math.NaN())}, []int32{10}
		}}
		_, err := begin(9).step(b, &Generation{})
		require.ErrorIs(t, err, ErrNotFinite)
	})
}
