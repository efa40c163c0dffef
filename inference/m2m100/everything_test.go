package m2m100

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// TestEverythingAtOnce has urgent texts, batches that are taken in and given up, and beam
// searches come as they like: each gets what it gets alone, and the engine closes while
// some are under way.
func TestEverythingAtOnce(t *testing.T) {
	const askers, times = 12, 12
	o := starterOptions(t, "int8", CPU)
	o.Threads = 2
	e := openEngine(t, o)
	all := referencesAsked(t, 40)
	search := BeamSearch{Beams: 4, LengthPenalty: 1}
	var greedy, best [][]int32
	for _, a := range all {
		greedy = append(greedy, generate(t, e, a.source, a.target))
		_, found, err := e.GenerateBeams(t.Context(), Interactive, a.source, a.target, search)
		require.NoError(t, err)
		best = append(best, found[0].Tokens)
	}

	ask := func(r *rand.Rand) error {
		i := r.IntN(len(all))
		a := all[i]
		switch r.IntN(10) {
		case 0:
			g, err := e.Generate(t.Context(), Interactive, a.source, a.target)
			return same(err, greedy[i], g.Tokens)
		case 1:
			_, found, err := e.GenerateBeams(t.Context(), Batch, a.source, a.target, search)
			if err != nil {
				return err
			}
			return same(nil, best[i], found[0].Tokens)
		case 2: // wanted for a moment only
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(r.IntN(30))*time.Millisecond)
			defer cancel()
			g, err := e.Generate(ctx, Batch, a.source, a.target)
			if errors.Is(err, context.DeadlineExceeded) {
				return nil
			}
			return same(err, greedy[i], g.Tokens)
		}
		var wave errgroup.Group
		for range 1 + r.IntN(12) {
			wave.Go(func() error {
				g, err := e.Generate(t.Context(), Batch, a.source, a.target)
				return same(err, greedy[i], g.Tokens)
			})
		}
		return wave.Wait()
	}
	var asking errgroup.Group
	for n := range askers {
		asking.Go(func() error {
			r := rand.New(rand.NewPCG(11, uint64(n)))
			for range times {
				if err := ask(r); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, asking.Wait())

	var late errgroup.Group
	for i, a := range all {
		late.Go(func() error {
			g, err := e.Generate(t.Context(), Batch, a.source, a.target)
			if errors.Is(err, errClosed) {
				return nil
			}
			return same(err, greedy[i], g.Tokens)
		})
	}
	require.NoError(t, e.Close())
	require.NoError(t, late.Wait())
}

// same is an error where the tokens are others.
func same(err error, want, got []int32) error {
	if err != nil {
		return err
	}
	if !slices.Equal(want, got) {
		return errors.New("other tokens than alone")
	}
	return nil
}
