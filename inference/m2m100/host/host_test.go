package host

import (
	"bytes"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/kernel"
	"dragoman/inference/m2m100/rounding"
	"dragoman/inference/model"
	"dragoman/inference/model/randommodel"
)

var smallShape = randommodel.Shape{
	DModel: 256, EncoderLayers: 1, DecoderLayers: 2, Heads: 4, FFN: 384, Vocabulary: 1003, MaxPositions: 128,
}

func smallCheckpoint(t *testing.T) *model.Checkpoint {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, randommodel.Write(dir, smallShape, 1))
	c, err := model.Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	if !Fits(c.Config) {
		t.Skip("this processor has no AVX2")
	}
	return c
}

func openModel(t *testing.T, c *model.Checkpoint, f Format, forbidden []int32, threads int) *Model {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, Write(&file, c, f, nil, threads))
	m, err := Open(file.Bytes(), c, f, forbidden, threads)
	require.NoError(t, err)
	t.Cleanup(m.Close)
	return m
}

// made is a sequence with numbers for its source and its tokens.
type made struct {
	cross      []Cross
	embeddings []float32
	tokens     int
}

func makeSequence(r *rand.Rand, c model.Config, source, tokens int) made {
	floats := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		return x
	}
	s := made{embeddings: floats(tokens * c.DModel), tokens: tokens}
	for range c.DecoderLayers {
		s.cross = append(s.cross, Cross{floats(source * c.DModel), floats(source * c.DModel)})
	}
	return s
}

// begin starts the sequence and give its tokens from one on to the next step.
func (s made) begin(m *Model) *Sequence {
	q := m.NewSequence()
	q.Begin(m, s.cross, s.tokens)
	return q
}

func (s made) give(q *Sequence, c model.Config, first, n int) *Sequence {
	q.Embeddings, q.New = s.embeddings[first*c.DModel:], n
	return q
}

// alone is what follows each token.
func (s made) alone(t *testing.T, m *Model) (all []Best) {
	t.Helper()
	q := s.begin(m)
	for i := range s.tokens {
		require.NoError(t, m.Step(s.give(q, m.config, i, 1)))
		all = append(all, q.Best)
	}
	return all
}

// TestSameAloneAndTogether: a sequence gets the same to the bit whatever else is
// in its steps, however many tokens it adds at once, and on any number of threads.
func TestSameAloneAndTogether(t *testing.T) {
	c := smallCheckpoint(t)
	for _, f := range []Format{Int8, Int4} {
		t.Run(string(f), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			var all []made
			for i := range 7 {
				all = append(all, makeSequence(r, c.Config, 3+5*i, 2+3*i))
			}
			var want [][]Best
			one := openModel(t, c, f, nil, 1)
			for _, s := range all {
				want = append(want, s.alone(t, one))
			}
			for _, threads := range []int{1, 2, 3} {
				m := openModel(t, c, f, nil, threads)
				for i, s := range all {
					require.Equal(t, want[i], s.alone(t, m))
				}
				// Each joins when it likes, leaves when it is done, and adds one to
				// three tokens.
				at, under := make([]int, len(all)), make([]*Sequence, len(all))
				for step := 0; ; step++ {
					var now []*Sequence
					var who []int
					for i, s := range all {
						if step < i || at[i] == s.tokens {
							continue
						}
						if under[i] == nil {
							under[i] = s.begin(m)
						}
						n := min(1+(step+i)%3, s.tokens-at[i])
						now, who = append(now, s.give(under[i], c.Config, at[i], n)), append(who, i)
						at[i] += n
					}
					if len(now) == 0 {
						break
					}
					require.NoError(t, m.Step(now...))
					for k, i := range who {
						require.Equal(t, want[i][at[i]-1], now[k].Best, "%d threads, sequence %d, token %d", threads, i, at[i])
					}
				}
			}
		})
	}
}

// TestGuessesAreCheckedAndTakenBack: with guesses among its new tokens a sequence
// gets what it gets without, to the bit, whatever else is in its steps.
func TestGuessesAreCheckedAndTakenBack(t *testing.T) {
	c := smallCheckpoint(t)
	for _, f := range []Format{Int8, Int4} {
		t.Run(string(f), func(t *testing.T) {
			r := rand.New(rand.NewPCG(17, 18))
			m := openModel(t, c, f, nil, 2)
			var all []made
			var want [][]Best
			for i := range 5 {
				all = append(all, makeSequence(r, c.Config, 4+7*i, 9+4*i))
				want = append(want, all[i].alone(t, m))
			}
			wrong := makeSequence(r, c.Config, 1, 8)
			at, under := make([]int, len(all)), make([]*Sequence, len(all))
			for i, s := range all {
				under[i] = s.begin(m)
			}
			right, guessed := 0, 0
			for {
				var now []*Sequence
				var who, kept []int
				for i, s := range all {
					if at[i] == s.tokens || r.IntN(4) == 0 {
						continue
					}
					sure := min(1+r.IntN(2), s.tokens-at[i])
					guesses := r.IntN(min(8, s.tokens-at[i]-sure+1))
					good := r.IntN(guesses + 1)
					q := under[i]
					q.New, q.Drafted = sure+guesses, guesses
					q.Embeddings = append(slices.Clone(s.embeddings[at[i]*c.Config.DModel:(at[i]+sure+good)*c.Config.DModel]),
						wrong.embeddings[:(guesses-good)*c.Config.DModel]...)
					now, who, kept = append(now, q), append(who, i), append(kept, sure+good)
					guessed, right = guessed+guesses, right+good
				}
				if len(now) > 0 {
					require.NoError(t, m.Step(now...))
				}
				for k, q := range now {
					i, good := who[k], kept[k]-(q.New-q.Drafted)
					for g := range good + 1 {
						got := q.Best
						if g < q.Drafted {
							got = q.Checked[g]
						}
						require.Equal(t, want[i][at[i]+kept[k]-good+g-1], got, "sequence %d, guess %d of %d, %d of them right", i, g, q.Drafted, good)
					}
					q.Back(q.Drafted - good)
					at[i] += kept[k]
				}
				if !slices.ContainsFunc([]int{0, 1, 2, 3, 4}, func(i int) bool { return at[i] < all[i].tokens }) {
					break
				}
			}
			require.Greater(t, right, 5)
			require.Greater(t, guessed-right, 5)
		})
	}
}

// TestBestOfAllTokens computes the exact scores of the whole vocabulary.
func TestBestOfAllTokens(t *testing.T) {
	c := smallCheckpoint(t)
	forbidden := []int32{}
	for token := range int32(300) {
		forbidden = append(forbidden, 3*token)
	}
	for _, forbid := range [][]int32{nil, forbidden} {
		m := openModel(t, c, Int8, forbid, 2)
		s := makeSequence(rand.New(rand.NewPCG(3, 4)), c.Config, 9, 40)
		q := s.begin(m)
		for i := range s.tokens {
			require.NoError(t, m.Step(s.give(q, c.Config, i, 1)))
			var exact Best
			exact.clear()
			row := make([]float32, c.Config.DModel)
			for token := range int32(c.Config.VocabSize) {
				if slices.Contains(forbid, token) {
					continue
				}
				require.NoError(t, m.embedding.Row(row, int(token)))
				exact.insert(token, kernel.Dot(m.step.last[:c.Config.DModel], row))
			}
			require.Equal(t, exact.Tokens[0], q.Tokens[0])
			require.Equal(t, exact.Scores[0], q.Scores[0])
			for k, token := range q.Tokens[:Candidates] {
				require.NotContains(t, forbid, token)
				require.False(t, k > 0 && q.Scores[k] > q.Scores[k-1])
			}
		}
	}
}

func TestFewTokensLeft(t *testing.T) {
	c := smallCheckpoint(t)
	var forbid []int32
	for token := range int32(c.Config.VocabSize) {
		if token != 7 && token != 1002 {
			forbid = append(forbid, token)
		}
	}
	m := openModel(t, c, Int4, forbid, 2)
	best := makeSequence(rand.New(rand.NewPCG(5, 6)), c.Config, 3, 1).alone(t, m)[0]
	require.ElementsMatch(t, []int32{7, 1002}, best.Tokens[:2])
	require.True(t, math.IsInf(float64(best.Scores[2]), -1))
}

// TestBrokenNumbersShow puts one into a source, which only attention sees.
func TestBrokenNumbersShow(t *testing.T) {
	c := smallCheckpoint(t)
	for _, f := range []Format{Int8, Int4} {
		m := openModel(t, c, f, nil, 2)
		for _, where := range []func(s *made) []float32{
			func(s *made) []float32 { return s.cross[0].Keys },
			func(s *made) []float32 { return s.cross[1].Values },
			func(s *made) []float32 { return s.embeddings },
		} {
			s, other := makeSequence(rand.New(rand.NewPCG(7, 8)), c.Config, 5, 2), makeSequence(rand.New(rand.NewPCG(9, 10)), c.Config, 5, 2)
			where(&s)[33] = float32(math.NaN())
			a, b := s.begin(m), other.begin(m)
			require.NoError(t, m.Step(s.give(a, c.Config, 0, 2), other.give(b, c.Config, 0, 2)))
			require.NotZero(t, a.Scores[0]-a.Scores[0])
			require.Equal(t, other.alone(t, m)[1], b.Best, "the other is not affected")
		}
	}
}

func TestNothingIsAllocatedInAStep(t *testing.T) {
	c := smallCheckpoint(t)
	for _, f := range []Format{Int8, Int4} {
		m := openModel(t, c, f, nil, 2)
		r := rand.New(rand.NewPCG(11, 12))
		const tokens = 100
		a, b := makeSequence(r, c.Config, 5, tokens), makeSequence(r, c.Config, 9, tokens)
		together := []*Sequence{a.begin(m), b.begin(m)}
		at := 0
		step := func() {
			a.give(together[0], c.Config, at, 1)
			b.give(together[1], c.Config, at, 1)
			at++
			require.NoError(t, m.Step(together...))
		}
		step()
		require.Zero(t, testing.AllocsPerRun(tokens-2, step))
	}
}

func TestFileCutShortIsRefused(t *testing.T) {
	c := smallCheckpoint(t)
	var file bytes.Buffer
	require.NoError(t, Write(&file, c, Int8, nil, 1))
	_, err := Open(file.Bytes()[:file.Len()/2], c, Int8, nil, 1)
	require.ErrorContains(t, err, "the decoder's file ends in")
}

// TestSameFileOnAnyThreads compares to the bit.
func TestSameFileOnAnyThreads(t *testing.T) {
	c := smallCheckpoint(t)
	for _, f := range []Format{Int8, Int4} {
		var one, three bytes.Buffer
		require.NoError(t, Write(&one, c, f, nil, 1))
		require.NoError(t, Write(&three, c, f, nil, 3))
		require.True(t, bytes.Equal(one.Bytes(), three.Bytes()))
		size, err := Size(c, f)
		require.NoError(t, err)
		require.Equal(t, size, one.Len())
	}
}

// TestFourBitsAreNear compares with plain rounding, whose scale is the largest
// magnitude over 7.
func TestFourBitsAreNear(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var searched, plain float64
	for range 200 {
		group := make([]float32, kernel.Group)
		largest := float32(0)
		for i := range group {
			group[i] = float32(r.NormFloat64())
			largest = max(largest, group[i], -group[i])
		}
		out := make([]byte, kernel.Group/2)
		scale := fromBfloat16(quantise4(out, group))
		for i, v := range group {
			b := out[i/64*32+i%32]
			if i%64 >= 32 {
				b >>= 4
			}
			searched += math.Pow(float64(v-(float32(b&15)-8)*scale), 2)
			s := largest / 7
			plain += math.Pow(float64(v-s*rounding.Nearest(v/s)), 2)
		}
	}
	require.Less(t, searched, 0.85*plain)
	for _, group := range [][]float32{make([]float32, kernel.Group), slices.Repeat([]float32{1e-44}, kernel.Group)} {
		out := make([]byte, kernel.Group/2)
		require.Equal(t, uint16(0x3f80), quantise4(out, group))
		require.Equal(t, bytes.Repeat([]byte{0x88}, len(out)), out)
	}
}

// TestTeamSleepsAndWakes lets all members fall asleep between two rounds.
func TestTeamSleepsAndWakes(t *testing.T) {
	for _, size := range []int{1, 2, 5} {
		counts := make([]int, size)
		var team *team
		total := 0
		team = startTeam(size, func(member int) {
			counts[member]++
			team.barrier()
			if member == 0 {
				total = 0
				for _, n := range counts {
					total += n
				}
			}
			team.barrier()
		})
		for round := range 200 {
			if round%50 == 49 {
				for i := range team.members {
					for !team.members[i].parked.Load() {
						runtime.Gosched()
					}
				}
			}
			team.run()
			require.Equal(t, size*(round+1), total)
		}
		team.stop()
	}
}

// TestEncoderIsTheSameOnAnyThreads compares to the bit, also after a longer
// source, and with others beside it.
func TestEncoderIsTheSameOnAnyThreads(t *testing.T) {
	c := smallCheckpoint(t)
	r := rand.New(rand.NewPCG(15, 16))
	constants := func(key string) ([]byte, error) {
		n := c.Config.DModel * c.Config.EncoderFFN // no vector and no matrix has more
		switch {
		case strings.HasSuffix(key, ".int8"):
			tensor, err := c.Tensor(strings.TrimSuffix(key, ".int8"))
			return bytesOf(make([]int8, n))[:tensor.Len()], err
		case strings.HasSuffix(key, ".scale"):
			tensor, err := c.Tensor(strings.TrimSuffix(key, ".scale"))
			return bytesOf(make([]float32, n))[:4*tensor.Shape[0]], err
		}
		tensor, err := c.Tensor(key)
		return bytesOf(make([]float32, n))[:4*tensor.Len()], err
	}
	filled := map[string][]byte{}
	fill := func(key string) ([]byte, error) {
		if filled[key] == nil {
			data, err := constants(key)
			if err != nil {
				return nil, err
			}
			if strings.HasSuffix(key, ".int8") {
				for i := range data {
					data[i] = byte(int8(r.IntN(255) - 127))
				}
			} else {
				for i, v := range view[float32](data) {
					view[float32](data)[i] = v + float32(r.NormFloat64())/100
				}
			}
			filled[key] = data
		}
		return filled[key], nil
	}
	const rows = 21
	embeddings := make([]float32, rows*c.Config.DModel)
	for i := range embeddings {
		embeddings[i] = float32(r.NormFloat64())
	}
	var want []Cross
	for _, threads := range []int{1, 2, 3} {
		e, err := OpenEncoder(fill, c.Config, threads)
		require.NoError(t, err)
		out := make([]Cross, c.Config.DecoderLayers)
		for _, n := range []int{5, rows, 5} {
			require.NoError(t, e.Encode(Source{embeddings, n, out}))
			require.Len(t, out[1].Values, n*c.Config.DModel)
			require.NotZero(t, out[1].Values[n*c.Config.DModel-1])
		}
		if want == nil {
			want = out
		}
		require.Equal(t, want, out)
		lengths := []int{5, 1, rows, 3, 8}
		var together []Source
		for i, n := range lengths {
			together = append(together, Source{embeddings[i*c.Config.DModel:], min(n, rows-i), make([]Cross, c.Config.DecoderLayers)})
		}
		require.NoError(t, e.Encode(together...))
		for i, x := range together {
			alone := make([]Cross, c.Config.DecoderLayers)
			require.NoError(t, e.Encode(Source{x.Embeddings, x.Rows, alone}))
			require.Equal(t, alone, x.Out, "source %d", i)
		}
		require.Equal(t, want, together[0].Out)
		embeddings[4*c.Config.DModel+3] = float32(math.NaN())
		require.NoError(t, e.Encode(Source{embeddings, 5, make([]Cross, c.Config.DecoderLayers)}))
		broken := make([]Cross, c.Config.DecoderLayers)
		e.Encode(Source{embeddings, 5, broken})
		require.True(t, math.IsNaN(float64(sum(broken[0].Keys))))
		embeddings[4*c.Config.DModel+3] = 1
		e.Encode(Source{embeddings, 5, out})
		if threads == 1 {
			want = append([]Cross(nil), out...)
		}
		e.Close()
	}
	_, err := OpenEncoder(func(key string) ([]byte, error) {
		data, err := fill(key)
		if strings.HasSuffix(key, "fc2.bias") {
			data = data[:len(data)-4]
		}
		return data, err
	}, c.Config, 1)
	require.ErrorContains(t, err, "fc2.bias has 255 elements, not 256")
}
