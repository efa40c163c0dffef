package m2m100

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/blob"
	"dragoman/inference/m2m100/host"
)

// openCrew has an engine work apart, with two workers whose steps note is told of.
func openCrew(t *testing.T, note func(worker int, rows int) error) *Engine {
	t.Helper()
	o := starterOptions(t, "int8", CPU)
	o.Threads = 2
	if !o.recipe().HostEncoder {
		t.Skip("this processor has no kernels")
	}
	e := openEngine(t, o)
	by := apart
	e.batcher.ways.only = &by
	require.True(t, e.batcher.crew.ready())
	for i, k := range e.batcher.crew.workers {
		k.decoder.step = func(all ...*host.Sequence) error {
			if err := note(i, len(all)); err != nil {
				return err
			}
			return k.decoder.model.Step(all...)
		}
	}
	return e
}

// TestACrewGivesTheSameTokens translates more than all workers take at once.
func TestACrewGivesTheSameTokens(t *testing.T) {
	var steps [2]atomic.Int32
	e := openCrew(t, func(worker, _ int) error {
		steps[worker].Add(1)
		return nil
	})
	all := referencesAsked(t, 90)
	requireSameAsAlone(t, e, all, askTogether(t, e, all, nil))
	require.NotZero(t, steps[0].Load())
	require.NotZero(t, steps[1].Load())
}

// TestACrewSharesAnAccelerator has one encode for both workers, which then is taken away.
func TestACrewSharesAnAccelerator(t *testing.T) {
	var steps [2]atomic.Int32
	e := openCrew(t, func(worker, _ int) error {
		steps[worker].Add(1)
		return nil
	})
	o := starterOptions(t, "int8", CPU)
	o.Blobs = blob.Open(t.TempDir(), blob.Options{})
	a, err := accelerate(t, o, false)
	require.NoError(t, err)
	require.NoError(t, e.Use(a, func(err error) { t.Errorf("it fell: %v", err) }))
	all := referencesAsked(t, 40)
	out := askTogether(t, e, all, nil)
	for i := range all {
		require.NoError(t, out[i].err)
		require.True(t, out[i].Accelerated, "sentence %d", i)
	}
	require.NotZero(t, steps[0].Load())
	require.NotZero(t, steps[1].Load())
	requireSameAsAlone(t, e, all, out)
	require.NoError(t, e.Drop())
	for _, o := range askTogether(t, e, all, nil) {
		require.NoError(t, o.err)
		require.False(t, o.Accelerated)
	}
}

// TestACrewDropsWhatNobodyWants cancels every third sentence in the middle.
func TestACrewDropsWhatNobodyWants(t *testing.T) {
	e := openCrew(t, func(int, int) error { return nil })
	all := referencesAsked(t, 40)
	for i := range all {
		if i%3 == 0 {
			all[i].ctx = endsAtQuestion(t.Context(), 5)
		}
	}
	out := askTogether(t, e, all, nil)
	for i, a := range all {
		if i%3 == 0 {
			require.ErrorIs(t, out[i].err, context.Canceled)
			continue
		}
		require.NoError(t, out[i].err)
		require.Equal(t, generate(t, e, a.source, a.target), out[i].Tokens)
	}
}

// TestACrewTakesLessAfterAFailure has steps of more than three rows fail.
func TestACrewTakesLessAfterAFailure(t *testing.T) {
	e := openCrew(t, func(_, rows int) error {
		if rows > 3 {
			return errors.New("no memory")
		}
		return nil
	})
	all := referencesAsked(t, 24)
	requireSameAsAlone(t, e, all, askTogether(t, e, all, nil))
}

func TestAPanicOfAWorkerComesToWhoeverAsked(t *testing.T) {
	var broken atomic.Bool
	e := openCrew(t, func(int, int) error {
		if broken.Load() {
			panic("broken")
		}
		return nil
	})
	all := referencesAsked(t, 24)
	broken.Store(true)
	ends := make(chan any, len(all))
	hold, err := e.turns.take(t.Context(), Interactive) // until all are asked
	require.NoError(t, err)
	for _, a := range all {
		go func() {
			defer func() { ends <- recover() }()
			_, _ = e.Generate(t.Context(), Batch, a.source, a.target)
		}()
	}
	for waiting := 0; waiting < len(all); runtime.Gosched() {
		e.batcher.mu.Lock()
		waiting = len(e.batcher.waiting)
		e.batcher.mu.Unlock()
	}
	hold.end()
	for range all {
		require.Equal(t, "broken", <-ends)
	}
	broken.Store(false)
	requireSameAsAlone(t, e, all, askTogether(t, e, all, nil))
}

// TestUrgentTextsComeBetweenTheRoundsOfACrew asks for one while both workers are in the
// middle of their sentences: it ends before they do.
func TestUrgentTextsComeBetweenTheRoundsOfACrew(t *testing.T) {
	var asked atomic.Bool
	var e *Engine
	want := make(chan []int32, 1)
	e = openCrew(t, func(int, int) error {
		if asked.CompareAndSwap(false, true) {
			go func() {
				g, _ := e.Generate(t.Context(), Interactive, shortSource, spanish)
				want <- g.Tokens
			}()
			for e.turns.wanted.Load() == 0 {
				runtime.Gosched()
			}
		}
		return nil
	})
	all := referencesAsked(t, 60)
	var under atomic.Int32
	under.Store(int32(len(all)))
	left := make(chan int32, 1)
	go func() {
		tokens := <-want
		left <- under.Load()
		want <- tokens
	}()
	out := askTogether(t, e, all, func(int) { under.Add(-1) })
	require.NotZero(t, <-left, "the batch is not through yet")
	require.Equal(t, generate(t, e, shortSource, spanish), <-want)
	requireSameAsAlone(t, e, all, out)
}

// TestUrgentTextsWithoutAnEndLeaveACrewSomeSteps has an urgent text wait all the time. It
// does not wait until all that was asked is encoded either.
func TestUrgentTextsWithoutAnEndLeaveACrewSomeSteps(t *testing.T) {
	var first [2]atomic.Int32
	e := openCrew(t, func(worker, rows int) error {
		first[worker].CompareAndSwap(0, int32(rows))
		return nil
	})
	all := referencesAsked(t, 16)
	for range 2 * waveRows {
		all = append(all, asked{source: longSource, target: spanish, exact: 4})
	}
	slices.Reverse(all) // the long ones are the oldest
	e.turns.wanted.Add(1)
	out := askTogether(t, e, all, nil)
	e.turns.wanted.Add(-1)
	for i, o := range out {
		require.NoError(t, o.err, "sentence %d", i)
	}
	short := len(all) - 16
	requireSameAsAlone(t, e, all[short:], out[short:])
	for worker := range first {
		n := first[worker].Load()
		require.NotZero(t, n)
		require.Less(t, n, int32(waveRows/2), "sentences at the first step")
	}
}

func TestRowsOfLongSentencesAreNotUsedAgain(t *testing.T) {
	e := openStarter(t, "int8", CPU)
	d, ok := e.decoder.steps.(*hostDecoder)
	if !ok {
		t.Skip("this processor has no kernels")
	}
	w := d.rows([]*sentence{{source: longSource, bounds: lengths{most: spareTokens}}})
	require.NoError(t, w.begin(0))
	w.close()
	require.Nil(t, d.spare.Get())
}

// TestTheFasterWayIsTaken gives both ways costs, then lets the slower one become the
// faster.
func TestTheFasterWayIsTaken(t *testing.T) {
	var w ways
	took := [2]time.Duration{together: 2 * time.Millisecond, apart: time.Millisecond}
	run := func(rounds int) (went [2]int) {
		for range rounds {
			by := w.next()
			went[by]++
			w.took(by, took[by], 20)
		}
		return went
	}
	first := run(firstTries)
	require.NotZero(t, first[together])
	require.NotZero(t, first[apart])
	require.Equal(t, 10, run(10 * retry)[together], "one of so many tries the other way")
	took = [2]time.Duration{together: time.Millisecond, apart: 10 * time.Millisecond}
	run(3)
	require.Equal(t, 10, run(10 * retry)[apart])
}
