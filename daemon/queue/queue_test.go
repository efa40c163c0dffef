package queue

import (
	"bytes"
	"context"
	"log/slog"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFullLanes(t *testing.T) {
	running(t, Options{MaxInteractive: 1, MaxBatch: 2}, func(t *testing.T, q *testQueue) {
		w := newWork()
		submit(t, q, testTask{Lane: Interactive, Run: w.run})
		<-w.started
		for _, lane := range []Lane{Interactive, Batch, Batch} {
			submit(t, q, testTask{Lane: lane, Key: lane.String(), Fair: "a", Run: answer("")})
			if lane == Batch {
				submit(t, q, testTask{Lane: lane, Fair: "b", Run: answer("")})
				break
			}
		}
		for _, lane := range []Lane{Interactive, Batch} {
			_, err := q.Submit(t.Context(), testTask{Lane: lane, Run: answer("never")})
			require.ErrorIs(t, err, ErrFull)
			require.ErrorContains(t, err, lane.String()+" lane")
			joined, err := q.Submit(t.Context(), testTask{Lane: lane, Key: lane.String(), Run: answer("never")})
			require.NoError(t, err, "joining takes no room")
			require.True(t, joined.Shared())
		}
		close(w.step)
		synctest.Wait()
		require.Equal(t, "again", wait(t, submit(t, q, testTask{Run: answer("again")})))
	})
}

func TestWhatIsNotAccepted(t *testing.T) {
	running(t, Options{}, func(t *testing.T, q *testQueue) {
		_, err := q.Submit(t.Context(), testTask{})
		require.ErrorContains(t, err, "nothing to run")
		_, err = q.Submit(t.Context(), testTask{Lane: 2, Run: answer("never")})
		require.ErrorContains(t, err, "lane 2")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errEnd)
		_, err = q.Submit(ctx, testTask{Run: answer("never")})
		require.Equal(t, errEnd, err)
		q.Pause()
		submit(t, q, testTask{ID: 9, Lane: Batch, Run: answer("")})
		_, err = q.Submit(t.Context(), testTask{ID: 9, Lane: Batch, Run: answer("never")})
		require.ErrorContains(t, err, "id 9")
		require.Len(t, q.List(), 1)
	})
}

func TestIDs(t *testing.T) {
	ids := func(t *testing.T, q *testQueue, given ...int64) (got []int64) {
		for _, id := range given {
			got = append(got, submit(t, q, testTask{ID: id, Run: answer("")}).ID())
		}
		return got
	}
	running(t, Options{}, func(t *testing.T, q *testQueue) {
		require.Equal(t, []int64{1, 2, 40, 41, 7, 42}, ids(t, q, 0, 0, 40, 0, 7, 0))
	})
	next := int64(100)
	running(t, Options{NextID: func() int64 { next += 10; return next }}, func(t *testing.T, q *testQueue) {
		require.Equal(t, []int64{110, 5, 120}, ids(t, q, 0, 5, 0))
	})
}

func TestList(t *testing.T) {
	running(t, Options{}, func(t *testing.T, q *testQueue) {
		accepted := time.Now()
		w := newWork()
		var stream *out
		first := submit(t, q, testTask{Lane: Batch, Key: "k", Fair: "f", Detail: "d", Run: func(ctx context.Context, o *out) (string, error) {
			stream = o
			return w.run(ctx, o)
		}})
		<-w.started
		time.Sleep(time.Second)
		second := submit(t, q, testTask{Lane: Batch, Run: answer("")})
		stream.Progress(2, 5)
		require.Equal(t, first.ID(), stream.ID())
		require.Zero(t, stream.Waited())
		require.Equal(t, []Info{
			{ID: first.ID(), Key: "k", Fair: "f", Detail: "d", Lane: Batch, State: Running, Accepted: accepted, Started: accepted, Done: 2, Total: 5, Tickets: 1},
			{ID: second.ID(), Lane: Batch, State: Waiting, Accepted: accepted.Add(time.Second), Tickets: 1},
		}, q.List())
		_, batch, running := q.Len()
		require.Equal(t, []int{1, 1}, []int{batch, running})
		close(w.step)
		wait(t, first)
		stream.Progress(9, 9)
		stream.Send("late")
		info := first.Info()
		require.Equal(t, Ended, info.State)
		require.Equal(t, 2, info.Done, "after the end nothing counts")
		pieces, err := read(t.Context(), first)
		require.NoError(t, err)
		require.Empty(t, pieces)
		_, there := q.Get(first.ID())
		require.False(t, there)
	})
}

func TestChangedMayCallTheQueue(t *testing.T) {
	var q *testQueue
	changes := make(chan int, 100)
	synctest.Test(t, func(t *testing.T) {
		q = New[string, string](Options{
			Changed: func() { changes <- len(q.List()) },
			Ended:   func(i Info, _ error) { q.Cancel(i.ID) },
		})
		stop := start(t, q)
		k := submit(t, q, testTask{Run: func(_ context.Context, o *out) (string, error) {
			for range 3 {
				o.Progress(1, 2) // one change
			}
			return "", nil
		}})
		wait(t, k)
		synctest.Wait()
		stop(errEnd)
		require.Len(t, changes, 4, "submitted, started, progress, ended")
	})
}

func TestPanicEndsOnlyTheTask(t *testing.T) {
	const secret = "a user's text"
	tests := []struct {
		name, logged string
		run          func(context.Context, *out) (string, error)
	}{
		{"text", "type string", func(context.Context, *out) (string, error) { panic(secret) }},
		{"runtime", "index out of range", func(_ context.Context, o *out) (string, error) { return []string{secret}[o.ID()], nil }},
		{"goroutine ended", "end of its goroutine", func(context.Context, *out) (string, error) { runtime.Goexit(); return secret, nil }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var log bytes.Buffer
			running(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))}, func(t *testing.T, q *testQueue) {
				for _, lane := range []Lane{Interactive, Batch} {
					err := waitErr(t, submit(t, q, testTask{Lane: lane, Run: test.run}))
					require.ErrorIs(t, err, ErrPanic)
					require.NotContains(t, err.Error(), secret)
					require.Equal(t, "on", wait(t, submit(t, q, testTask{Lane: lane, Run: answer("on")})))
				}
			})
			require.Contains(t, log.String(), test.logged)
			require.Contains(t, log.String(), "queue.TestPanicEndsOnlyTheTask")
			require.Contains(t, log.String(), "queue_test.go:")
			require.NotContains(t, log.String(), secret)
		})
	}
}

func TestNames(t *testing.T) {
	for name, value := range map[string]interface{ String() string }{
		"interactive": Interactive, "batch": Batch, "lane 7": Lane(7),
		"waiting": Waiting, "running": Running, "stopping": Stopping, "ended": Ended, "state 9": State(9),
	} {
		require.Equal(t, name, value.String())
	}
}
