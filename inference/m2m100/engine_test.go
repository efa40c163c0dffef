package m2m100

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/blob"
	"dragoman/inference/openvino/ovtest"
)

func TestCancelledInTheMiddle(t *testing.T) {
	for _, p := range []Placement{CPU, CPUStatic} {
		t.Run(string(p), func(t *testing.T) {
			e := openStarter(t, "int8", p)
			want := generate(t, e, longSource, spanish)
			require.Greater(t, len(want), 8)
			// Asked once at the beginning, then before each token.
			for _, n := range []int{1, 2, 8, len(want) + 2} {
				ctx := endsAtQuestion(t.Context(), n)
				g, err := e.Generate(ctx, Interactive, longSource, spanish)
				require.ErrorIs(t, err, context.Canceled)
				require.Equal(t, n, ctx.asked, "nothing was computed after the end")
				require.Empty(t, g.Tokens)
			}
			require.Equal(t, want, generate(t, e, longSource, spanish), "the next text is not affected")
		})
	}
}

func TestSourceLength(t *testing.T) {
	for _, p := range []Placement{CPU, CPUStatic} {
		t.Run(string(p), func(t *testing.T) {
			e := openStarter(t, "int8", p)
			require.Equal(t, 128, e.Longest())
			source := slices.Repeat(shortSource[1:5], 32) // 128 tokens
			source[0], source[127] = shortSource[0], 2
			g, err := e.GenerateExactly(t.Context(), source, spanish, 3)
			require.NoError(t, err)
			require.Len(t, g.Tokens, 3)
			require.Zero(t, g.Padding)
			_, err = e.Generate(t.Context(), Interactive, append(source, 2), spanish)
			require.ErrorContains(t, err, "129 tokens")
			require.ErrorContains(t, err, "128")
		})
	}
}

func TestTextsTakeTurns(t *testing.T) {
	for _, p := range []Placement{CPU, CPUStatic} {
		t.Run(string(p), func(t *testing.T) {
			e := openStarter(t, "int8", p)
			sources := [][]int32{shortSource, longSource}
			want := [][]int32{generate(t, e, shortSource, spanish), generate(t, e, longSource, spanish)}
			require.NotEqual(t, want[0], want[1])
			type outcome struct {
				tokens []int32
				err    error
			}
			const rounds = 5
			all := make([][rounds]outcome, len(sources))
			var wg sync.WaitGroup
			for i, source := range sources {
				wg.Go(func() {
					for round := range rounds {
						g, err := e.Generate(t.Context(), Interactive, source, spanish)
						all[i][round] = outcome{g.Tokens, err}
					}
				})
			}
			wg.Wait()
			for i := range sources {
				for _, o := range all[i] {
					require.NoError(t, o.err)
					require.Equal(t, want[i], o.tokens)
				}
			}
		})
	}
}

// TestInteractiveGoesFirstAtTheNextStep lets an interactive text come at each
// step of a batch text in turn.
func TestInteractiveGoesFirstAtTheNextStep(t *testing.T) {
	every := 1
	if testing.Short() {
		every = 4
	}
	for _, p := range []Placement{CPU, CPUStatic} {
		t.Run(string(p), func(t *testing.T) {
			e := openStarter(t, "int8", p)
			wantShort, wantLong := generate(t, e, shortSource, spanish), generate(t, e, longSource, spanish)
			for at := 1; at <= len(wantLong); at += every {
				var urgent []int32
				var urgentErr error
				done := make(chan struct{})
				batch, person := &askedContext{Context: t.Context()}, &askedContext{Context: t.Context()}
				var batchAsked []int // whenever the urgent text asks, which is while it has the device
				person.answer = func(int) error {
					batchAsked = append(batchAsked, batch.asked)
					return nil
				}
				batch.answer = func(asked int) error {
					if asked == at {
						go func() {
							defer close(done)
							g, err := e.Generate(person, Interactive, shortSource, spanish)
							urgent, urgentErr = g.Tokens, err
						}()
						for e.turns.wanted.Load() == 0 {
							runtime.Gosched()
						}
					}
					return nil
				}
				g, err := e.Generate(batch, Batch, longSource, spanish)
				require.NoError(t, err)
				<-done
				require.NoError(t, urgentErr)
				require.Equal(t, wantShort, urgent)
				require.Equal(t, wantLong, g.Tokens, "interrupted at %d", at)
				// The first question comes before the encoder, the others
				// right before the turn is offered.
				require.Greater(t, len(batchAsked), len(wantShort))
				require.Len(t, slices.Compact(batchAsked), 1, "the batch text waits meanwhile")
				// One step more where the urgent text has said that it comes but is
				// not in line yet.
				require.Contains(t, []int{max(at, 2), max(at, 2) + 1}, batchAsked[0])
			}
		})
	}
}

// TestForbiddenTokensNeverCome forbids what the model likes best, more tokens
// than a step returns, and then what it says instead.
func TestForbiddenTokensNeverCome(t *testing.T) {
	o := starterOptions(t, "int8", CPU)
	wanted := generate(t, openEngine(t, o), longSource, spanish)
	forbidden := slices.Compact(slices.Sorted(slices.Values(wanted)))
	require.Greater(t, len(forbidden), candidates)
	for range 2 {
		o.Forbidden, o.Dir = forbidden, filepath.Join(t.TempDir(), "prepared")
		instead := generate(t, openEngine(t, o), longSource, spanish)
		require.NotEmpty(t, instead)
		for _, token := range instead {
			require.NotContains(t, forbidden, token)
		}
		forbidden = append(slices.Clone(forbidden), instead...)
	}
}

func TestClosedEnginesLeaveNoHandles(t *testing.T) {
	checkpoint := smallCheckpoint(t)
	source := []int32{900, 5, 6, 7, 2}
	times := 5
	if testing.Short() {
		times = 2
	}
	for _, p := range []Placement{CPU, CPUStatic} {
		for name, store := range map[string]*blob.Store{"without a store": nil, "with a store": blob.Open(t.TempDir(), blob.Options{})} {
			t.Run(string(p)+" "+name, func(t *testing.T) {
				o := Options{
					Core: ovtest.Core(t), Checkpoint: checkpoint, Recipe: recipeOf(t, "int8"),
					Dir: filepath.Join(t.TempDir(), "prepared"), Blobs: store, Encoder: p,
				}
				rt := o.Core.Runtime()
				before := rt.Live()
				for range times {
					e, err := Open(t.Context(), o)
					require.NoError(t, err)
					generate(t, e, source, 901)
					_, err = e.Generate(endsAtQuestion(t.Context(), 3), Interactive, source, 901)
					require.ErrorIs(t, err, context.Canceled)
					require.Greater(t, rt.Live(), before)
					require.NoError(t, e.Close())
					require.Equal(t, before, rt.Live())
				}
			})
		}
	}
}
