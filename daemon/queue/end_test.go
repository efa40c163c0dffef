package queue

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLastOneLeaving(t *testing.T) {
	t.Run("waiting", func(t *testing.T) {
		running(t, Options{}, func(t *testing.T, q *testQueue) {
			q.Pause()
			a := submit(t, q, testTask{Lane: Batch, Key: "k", Run: answer("never")})
			b := submit(t, q, testTask{Lane: Batch, Key: "k", Run: answer("never")})
			a.Leave()
			a.Leave()
			require.Equal(t, ErrCancelled, waitErr(t, a))
			require.Equal(t, 1, b.Info().Tickets)
			b.Leave()
			require.Equal(t, ErrCancelled, waitErr(t, b))
			require.Empty(t, q.List())
			require.Equal(t, Ended, b.Info().State)
		})
	})
	t.Run("running", func(t *testing.T) {
		running(t, Options{}, func(t *testing.T, q *testQueue) {
			w := newWork()
			a := submit(t, q, testTask{Key: "k", Run: w.run})
			b := submit(t, q, testTask{Key: "k", Run: w.run})
			ctx := <-w.started
			w.step <- "a"
			a.Leave()
			_, err := read(t.Context(), a)
			require.Equal(t, ErrCancelled, err)
			synctest.Wait()
			require.NoError(t, ctx.Err())
			b.Leave()
			<-ctx.Done()
			require.Equal(t, ErrCancelled, context.Cause(ctx))
			pieces, err := read(t.Context(), b)
			require.Equal(t, []string{"a"}, pieces)
			require.Equal(t, ErrCancelled, err)
		})
	})
	t.Run("after the end", func(t *testing.T) {
		running(t, Options{}, func(t *testing.T, q *testQueue) {
			k := submit(t, q, testTask{Run: answer("done")})
			wait(t, k)
			k.Leave()
			require.Equal(t, "done", wait(t, k))
		})
	})
}

func TestCancelEndsItForAll(t *testing.T) {
	running(t, Options{}, func(t *testing.T, q *testQueue) {
		w := newWork()
		a := submit(t, q, testTask{Key: "k", Run: w.run})
		b := submit(t, q, testTask{Key: "k", Run: w.run})
		waiting := submit(t, q, testTask{Key: "w", Run: answer("never")})
		<-w.started
		require.True(t, q.Cancel(waiting.ID()))
		require.Equal(t, ErrCancelled, waitErr(t, waiting))
		require.True(t, q.Cancel(a.ID()))
		require.Equal(t, ErrCancelled, waitErr(t, a))
		require.Equal(t, ErrCancelled, waitErr(t, b))
		require.False(t, q.Cancel(a.ID()))
		require.False(t, q.Cancel(12345))
	})
}

// stubborn is a Run that takes its time after its context has ended.
func stubborn(free <-chan struct{}) func(context.Context, *out) (string, error) {
	return func(ctx context.Context, o *out) (string, error) {
		<-ctx.Done()
		<-free
		o.Send("too late")
		return "too late", nil
	}
}

func TestSameKeyWaitsForWhatIsStopping(t *testing.T) {
	for _, lane := range []Lane{Interactive, Batch} {
		t.Run(lane.String(), func(t *testing.T) {
			running(t, Options{InteractiveWorkers: 2, BatchWorkers: 2}, func(t *testing.T, q *testQueue) {
				free := make(chan struct{})
				old := submit(t, q, testTask{Lane: Batch, Key: "k", Run: stubborn(free)})
				synctest.Wait()
				require.True(t, q.Cancel(old.ID()))
				require.Equal(t, ErrCancelled, waitErr(t, old), "told at once")
				require.Equal(t, Stopping, state(t, q, old.ID()))
				require.False(t, q.Cancel(old.ID()))

				removed := submit(t, q, testTask{Lane: lane, Key: "k", Run: answer("never")})
				require.False(t, removed.Shared())
				removed.Leave()
				next := submit(t, q, testTask{Lane: Batch, Key: "k", Run: answer("next")})
				joined := submit(t, q, testTask{Lane: lane, Key: "k", Run: answer("never")})
				require.True(t, joined.Shared())
				synctest.Wait()
				require.Equal(t, Waiting, state(t, q, next.ID()))
				require.Equal(t, lane, next.Info().Lane)

				close(free)
				require.Equal(t, "next", wait(t, joined))
				require.Equal(t, ErrCancelled, waitErr(t, old), "once and for all")
				pieces, err := read(t.Context(), old)
				require.Empty(t, pieces)
				require.Equal(t, ErrCancelled, err)
			})
		})
	}
}

func TestDeadline(t *testing.T) {
	const second = time.Second
	t.Run("passed", func(t *testing.T) {
		running(t, Options{}, func(t *testing.T, q *testQueue) {
			_, err := q.Submit(t.Context(), testTask{Deadline: time.Now(), Run: answer("never")})
			require.ErrorIs(t, err, ErrTimeout)
			require.ErrorIs(t, err, context.DeadlineExceeded)
		})
	})
	t.Run("waiting", func(t *testing.T) {
		running(t, Options{}, func(t *testing.T, q *testQueue) {
			q.Pause()
			begun := time.Now()
			k := submit(t, q, testTask{Lane: Batch, Deadline: begun.Add(3 * second), Run: answer("never")})
			require.Equal(t, ErrTimeout, waitErr(t, k))
			require.Equal(t, 3*second, time.Since(begun))
			require.Empty(t, q.List())
		})
	})
	t.Run("before Run was called", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			q := New[string, string](Options{})
			k := submit(t, q, testTask{Deadline: time.Now().Add(second), Run: answer("never")})
			require.Equal(t, ErrTimeout, waitErr(t, k))
			requireEmpty(t, q)
		})
	})
	t.Run("running", func(t *testing.T) {
		running(t, Options{}, func(t *testing.T, q *testQueue) {
			w := newWork()
			k := submit(t, q, testTask{Deadline: time.Now().Add(second), Run: w.run})
			ctx := <-w.started
			require.Equal(t, ErrTimeout, waitErr(t, k))
			require.Equal(t, ErrTimeout, context.Cause(ctx))
		})
	})
	t.Run("each interest has its own", func(t *testing.T) {
		running(t, Options{}, func(t *testing.T, q *testQueue) {
			begun := time.Now()
			w := newWork()
			hasty := submit(t, q, testTask{Key: "k", Deadline: begun.Add(second), Run: w.run})
			patient := submit(t, q, testTask{Key: "k", Deadline: begun.Add(5 * second), Run: w.run})
			<-w.started
			require.Equal(t, ErrTimeout, waitErr(t, hasty))
			require.Equal(t, second, time.Since(begun))
			w.step <- "a"
			close(w.step)
			require.Equal(t, "a", wait(t, patient))
			require.Equal(t, ErrTimeout, waitErr(t, hasty), "as before")
			time.Sleep(10 * second) // its own deadline changes nothing any more
			require.Equal(t, "a", wait(t, patient))
		})
	})
}

func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string, string](Options{})
		stop := start(t, q)
		w := newWork()
		runs := submit(t, q, testTask{Lane: Batch, Run: w.run})
		ctx := <-w.started
		q.Pause()
		w.step <- "a" // held at its gate
		waits := submit(t, q, testTask{Lane: Batch, Key: "k", Run: answer("never")})
		free := make(chan struct{})
		old := submit(t, q, testTask{Lane: Interactive, Key: "s", Run: stubborn(free)})
		synctest.Wait()
		old.Leave()
		behind := submit(t, q, testTask{Key: "s", Run: answer("never")})
		unmoved := submit(t, q, testTask{Key: "u", Run: answer("never")})
		synctest.Wait()
		go func() {
			for _, k := range []*testTicket{runs, waits, behind, unmoved} {
				_, err := k.Wait(t.Context())
				assert.Equal(t, errEnd, err)
			}
			close(free) // Run waits for this one
		}()
		stop(errEnd)
		require.Equal(t, errEnd, context.Cause(ctx))
		_, err := q.Submit(t.Context(), testTask{Run: answer("never")})
		require.Equal(t, ErrStopped, err)
		require.Error(t, q.Run(t.Context()), "a second time")
		requireEmpty(t, q)
	})
}

func TestTaskThatEndsWellWhileTheQueueStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string, string](Options{})
		stop := start(t, q)
		k := submit(t, q, testTask{Run: func(ctx context.Context, _ *out) (string, error) {
			<-ctx.Done()
			return "done all the same", nil
		}})
		synctest.Wait()
		stop(errEnd)
		require.Equal(t, "done all the same", wait(t, k))
	})
}

func TestEndedIsCalledOnceAndBeforeTheAnswer(t *testing.T) {
	type end struct {
		state  State
		detail any
		err    error
	}
	var mu sync.Mutex
	ends := map[int64][]end{}
	of := func(k *testTicket) []end {
		mu.Lock()
		defer mu.Unlock()
		return ends[k.ID()]
	}
	opts := Options{Ended: func(i Info, err error) {
		mu.Lock()
		defer mu.Unlock()
		ends[i.ID] = append(ends[i.ID], end{i.State, i.Detail, err})
	}}
	running(t, opts, func(t *testing.T, q *testQueue) {
		good := submit(t, q, testTask{Detail: 7, Run: answer("good")})
		wait(t, good)
		require.Equal(t, []end{{Ended, 7, nil}}, of(good))

		q.Pause()
		waits := submit(t, q, testTask{Lane: Batch, Deadline: time.Now().Add(time.Second), Run: answer("never")})
		waitErr(t, waits)
		require.Equal(t, []end{{Ended, nil, ErrTimeout}}, of(waits))

		free := make(chan struct{})
		slow := submit(t, q, testTask{Run: stubborn(free)})
		synctest.Wait()
		slow.Leave()
		waitErr(t, slow)
		synctest.Wait()
		require.Empty(t, of(slow), "its Run has not come back")
		close(free)
		synctest.Wait()
		require.Equal(t, []end{{Ended, nil, ErrCancelled}}, of(slow))
	})
}
