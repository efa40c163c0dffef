package queue

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestSameKeyIsDoneOnce(t *testing.T) {
	running(t, Options{}, func(t *testing.T, q *testQueue) {
		w := newWork()
		first := submit(t, q, testTask{Key: "k", Run: w.run})
		require.False(t, first.Shared())
		<-w.started
		w.step <- "a"
		w.step <- "b"
		second := submit(t, q, testTask{Key: "k", Run: answer("never")})
		require.True(t, second.Shared())
		require.Equal(t, first.ID(), second.ID())
		require.Equal(t, 2, second.Info().Tickets)

		type seen struct {
			pieces []string
			err    error
		}
		results := make(chan seen, 2)
		for _, k := range []*testTicket{first, second} {
			go func() {
				pieces, err := read(t.Context(), k)
				results <- seen{pieces, err}
			}()
		}
		synctest.Wait() // they have read the past and wait
		w.step <- "c"
		close(w.step)
		for range 2 {
			require.Equal(t, seen{[]string{"a", "b", "c"}, nil}, <-results)
		}
		require.Equal(t, "abc", wait(t, first))
		require.Equal(t, "abc", wait(t, second))

		pieces, err := read(t.Context(), second) // again, and after the end
		require.NoError(t, err)
		require.Equal(t, []string{"a", "b", "c"}, pieces)

		// What has ended is not joined.
		third := submit(t, q, testTask{Key: "k", Run: answer("new")})
		require.False(t, third.Shared())
		require.Equal(t, "new", wait(t, third))
	})
}

func TestWithoutKeyNothingIsShared(t *testing.T) {
	running(t, Options{}, func(t *testing.T, q *testQueue) {
		q.Pause()
		a := submit(t, q, testTask{Lane: Batch, Run: answer("a")})
		b := submit(t, q, testTask{Lane: Batch, Run: answer("b")})
		require.False(t, b.Shared())
		require.NotEqual(t, a.ID(), b.ID())
		q.Resume()
		require.Equal(t, "a", wait(t, a))
		require.Equal(t, "b", wait(t, b))
	})
}

func TestSlowReaderDelaysNobody(t *testing.T) {
	running(t, Options{}, func(t *testing.T, q *testQueue) {
		w := newWork()
		k := submit(t, q, testTask{Key: "k", Run: w.run})
		next := make(chan string)
		go func() {
			defer close(next)
			for p, err := range k.Pieces(t.Context()) {
				if err != nil {
					return
				}
				next <- p
			}
		}()
		for _, p := range []string{"a", "b", "c"} {
			w.step <- p
		}
		close(w.step)
		require.Equal(t, "abc", wait(t, k), "before anything was read")
		for _, want := range []string{"a", "b", "c"} {
			require.Equal(t, want, <-next)
		}
		_, more := <-next
		require.False(t, more)
	})
}

func TestPiecesOfAFailure(t *testing.T) {
	broken := errors.New("broken")
	running(t, Options{}, func(t *testing.T, q *testQueue) {
		k := submit(t, q, testTask{Run: func(_ context.Context, o *out) (string, error) {
			o.Send("a")
			return "half", broken
		}})
		pieces, err := read(t.Context(), k)
		require.Equal(t, []string{"a"}, pieces)
		require.Equal(t, broken, err)
		result, err := k.Wait(t.Context())
		require.Equal(t, broken, err)
		require.Equal(t, "half", result, "what the task returned with it")
		for range k.Pieces(t.Context()) {
			break // a reader may stop
		}
	})
}

func TestReaderWhoseContextEnds(t *testing.T) {
	running(t, Options{}, func(t *testing.T, q *testQueue) {
		w := newWork()
		k := submit(t, q, testTask{Run: w.run})
		<-w.started
		w.step <- "a"
		ctx, cancel := context.WithCancelCause(t.Context())
		result := make(chan error)
		go func() {
			_, err := read(ctx, k)
			result <- err
		}()
		go func() {
			_, err := k.Wait(ctx)
			result <- err
		}()
		synctest.Wait()
		cancel(errEnd)
		require.Equal(t, errEnd, <-result)
		require.Equal(t, errEnd, <-result)
		close(w.step)
		require.Equal(t, "a", wait(t, k), "the interest goes on")
		late, err := k.Wait(ctx)
		require.NoError(t, err, "what is there counts for more")
		require.Equal(t, "a", late)
	})
}

func TestJoiningRaisesWhatWaits(t *testing.T) {
	running(t, Options{MaxInteractive: 1}, func(t *testing.T, q *testQueue) {
		var o order
		w := newWork()
		submit(t, q, testTask{Lane: Interactive, Run: w.run})
		<-w.started
		submit(t, q, testTask{Lane: Batch, Key: "a", Run: o.run("a")})
		batch := submit(t, q, testTask{Lane: Batch, Key: "b", Run: o.run("b")})
		again := submit(t, q, testTask{Lane: Batch, Key: "b", Run: answer("never")})
		require.Equal(t, Batch, again.Info().Lane, "batch raises nothing")

		full := submit(t, q, testTask{Lane: Interactive, Run: o.run("full")})
		_, err := q.Submit(t.Context(), testTask{Lane: Interactive, Key: "b", Run: answer("never")})
		require.ErrorIs(t, err, ErrFull)
		require.Equal(t, Batch, batch.Info().Lane)
		require.True(t, q.Cancel(full.ID()))

		person := submit(t, q, testTask{Lane: Interactive, Key: "b", Run: answer("never")})
		require.True(t, person.Shared())
		require.Equal(t, Interactive, batch.Info().Lane)
		require.True(t, batch.Info().Urgent)
		interactive, waiting, _ := q.Len()
		require.Equal(t, []int{1, 1}, []int{interactive, waiting})

		// It is there already: the full lane is no reason to refuse.
		submit(t, q, testTask{Lane: Interactive, Key: "b", Run: answer("never")})
		close(w.step)
		require.Equal(t, "b", wait(t, person))
		require.Equal(t, "b", wait(t, batch))
		synctest.Wait()
		require.Equal(t, []string{"b", "a"}, o.all)
	})
}

func TestJoiningMakesWhatRunsUrgent(t *testing.T) {
	running(t, Options{BatchWorkers: 2}, func(t *testing.T, q *testQueue) {
		var urgent func() bool
		w := newWork()
		batch := submit(t, q, testTask{Lane: Batch, Key: "k", Run: func(ctx context.Context, o *out) (string, error) {
			urgent = o.Urgent
			return w.run(ctx, o)
		}})
		<-w.started
		require.False(t, urgent())
		q.Pause()
		w.step <- "a"
		synctest.Wait() // held at its gate

		person := submit(t, q, testTask{Lane: Interactive, Key: "k", Run: answer("never")})
		require.True(t, urgent())
		require.Equal(t, Batch, batch.Info().Lane)
		q.Resume()
		other := submit(t, q, testTask{Lane: Batch, Run: answer("other")})
		w.step <- "b"
		synctest.Wait()
		require.Equal(t, Waiting, state(t, q, other.ID()), "a person waits for another")
		close(w.step)
		require.Equal(t, "ab", wait(t, person))
		require.Equal(t, "other", wait(t, other))
	})
}
