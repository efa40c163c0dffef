package queue

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestInteractiveGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var o order
		q := New[string, string](Options{})
		for i := range 3 {
			submit(t, q, testTask{Lane: Batch, Run: o.run(fmt.Sprint("batch ", i))})
			submit(t, q, testTask{Lane: Interactive, Run: o.run(fmt.Sprint("interactive ", i))})
		}
		stop := start(t, q)
		synctest.Wait()
		stop(errEnd)
		require.Equal(t, []string{
			"interactive 0", "interactive 1", "interactive 2", "batch 0", "batch 1", "batch 2",
		}, o.all)
		requireEmpty(t, q)
	})
}

func TestFoldersTakeTurns(t *testing.T) {
	tests := []struct {
		name, waits, runs string // a letter is a folder
	}{
		{"one folder", "aaaa", "aaaa"},
		{"a big one first", "aaaaaabbc", "abcabaaaa"},
		{"mixed", "abbaccc", "abcabcc"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var o order
				q := New[string, string](Options{})
				count := map[rune]int{}
				for _, folder := range test.waits {
					count[folder]++
					submit(t, q, testTask{Lane: Batch, Fair: string(folder), Run: o.run(fmt.Sprint(string(folder), count[folder]))})
				}
				stop := start(t, q)
				synctest.Wait()
				stop(errEnd)
				clear(count)
				var want []string
				for _, folder := range test.runs {
					count[folder]++ // first come, first served within one
					want = append(want, fmt.Sprint(string(folder), count[folder]))
				}
				require.Equal(t, want, o.all)
			})
		})
	}
}

func TestFolderThatComesLaterIsNotLast(t *testing.T) {
	running(t, Options{}, func(t *testing.T, q *testQueue) {
		var o order
		w := newWork()
		first := submit(t, q, testTask{Lane: Batch, Fair: "a", Run: w.run})
		<-w.started
		for range 3 {
			submit(t, q, testTask{Lane: Batch, Fair: "a", Run: o.run("a")})
		}
		submit(t, q, testTask{Lane: Batch, Fair: "b", Run: o.run("b")})
		close(w.step)
		wait(t, first)
		synctest.Wait()
		require.Equal(t, []string{"a", "b", "a", "a"}, o.all)
	})
}

func TestBatchStopsAtTheNextStepForInteractive(t *testing.T) {
	running(t, Options{}, func(t *testing.T, q *testQueue) {
		steps := 0
		next := make(chan struct{})
		batch := submit(t, q, testTask{Lane: Batch, Run: func(ctx context.Context, o *out) (string, error) {
			for range 3 {
				<-next
				if err := o.Gate(ctx); err != nil {
					return "", err
				}
				steps++
			}
			return "batch", nil
		}})
		next <- struct{}{}
		synctest.Wait()
		require.Equal(t, 1, steps)

		w := newWork()
		person := submit(t, q, testTask{Lane: Interactive, Run: w.run})
		<-w.started // beside the batch task, which is within a step
		next <- struct{}{}
		synctest.Wait()
		require.Equal(t, 1, steps, "held at its gate")

		close(w.step)
		wait(t, person)
		synctest.Wait()
		require.Equal(t, 2, steps)
		next <- struct{}{}
		require.Equal(t, "batch", wait(t, batch))
	})
}

func TestPause(t *testing.T) {
	var changes atomic.Int64
	running(t, Options{BatchWorkers: 2, Changed: func() { changes.Add(1) }}, func(t *testing.T, q *testQueue) {
		w := newWork()
		first := submit(t, q, testTask{Lane: Batch, Run: w.run})
		<-w.started
		synctest.Wait()
		before := changes.Load()
		q.Pause()
		q.Pause()
		require.Equal(t, before+1, changes.Load())
		require.True(t, q.Paused())

		w.step <- "a" // the step in which the pause comes goes on to its end
		second := submit(t, q, testTask{Lane: Batch, Run: answer("second")})
		require.Equal(t, "now", wait(t, submit(t, q, testTask{Lane: Interactive, Run: answer("now")})))
		synctest.Wait()
		require.Equal(t, Running, state(t, q, first.ID()))
		require.Equal(t, Waiting, state(t, q, second.ID()))
		select {
		case w.step <- "b":
			require.Fail(t, "a paused task went on")
		default:
		}

		q.Resume()
		require.False(t, q.Paused())
		require.Equal(t, "second", wait(t, second))
		w.step <- "b"
		close(w.step)
		require.Equal(t, "ab", wait(t, first))
	})
}

func TestPausedTaskCanBeCancelled(t *testing.T) {
	running(t, Options{}, func(t *testing.T, q *testQueue) {
		w := newWork()
		k := submit(t, q, testTask{Lane: Batch, Run: w.run})
		<-w.started
		q.Pause()
		w.step <- "a"
		synctest.Wait()
		require.True(t, q.Cancel(k.ID()))
		require.ErrorIs(t, waitErr(t, k), ErrCancelled)
		synctest.Wait()
		require.Empty(t, q.List())
	})
}

func TestWorkersBoundWhatRuns(t *testing.T) {
	running(t, Options{InteractiveWorkers: 2, BatchWorkers: 3}, func(t *testing.T, q *testQueue) {
		w := &work{make(chan context.Context, 9), make(chan string)}
		for range 4 {
			submit(t, q, testTask{Lane: Batch, Run: w.run})
		}
		synctest.Wait()
		_, batch, running := q.Len()
		require.Equal(t, 1, batch)
		require.Equal(t, 3, running)
		for range 4 {
			submit(t, q, testTask{Lane: Interactive, Run: w.run})
		}
		synctest.Wait()
		interactive, batch, running := q.Len()
		require.Equal(t, 2, interactive)
		require.Equal(t, 1, batch)
		require.Equal(t, 5, running)
		close(w.step)
		synctest.Wait()
		require.Empty(t, q.List())
	})
}

func TestTurnsRemove(t *testing.T) {
	var s turns[int]
	a1, b, a2 := s.pushBack("a", 1), s.pushBack("b", 2), s.pushBack("a", 3)
	s.pushFront("a", 0)
	s.remove(b)
	s.remove(a1)
	for _, want := range []int{0, 3} {
		v, ok := s.pop()
		require.True(t, ok)
		require.Equal(t, want, v)
	}
	_, ok := s.pop()
	require.False(t, ok)
	require.Empty(t, s.groups)
	require.Equal(t, "a", a2.group.name)
}

func TestAllWorkersGoOnAfterAPause(t *testing.T) {
	running(t, Options{BatchWorkers: 3}, func(t *testing.T, q *testQueue) {
		w := &work{make(chan context.Context, 3), make(chan string)}
		q.Pause()
		for range 3 {
			submit(t, q, testTask{Lane: Batch, Run: w.run})
		}
		synctest.Wait()
		q.Resume()
		synctest.Wait()
		require.Len(t, w.started, 3)
		close(w.step)
		for range 3 {
			ctx := <-w.started
			<-ctx.Done() // released with the task's end
		}
	})
}

func TestWhatWaitedForItsKeyComesBeforeLaterOnes(t *testing.T) {
	running(t, Options{}, func(t *testing.T, q *testQueue) {
		var o order
		free := make(chan struct{})
		old := submit(t, q, testTask{Lane: Batch, Key: "k", Run: stubborn(free)})
		synctest.Wait()
		old.Leave()
		submit(t, q, testTask{Lane: Batch, Key: "k", Run: o.run("first")})
		submit(t, q, testTask{Lane: Batch, Run: o.run("second")})
		close(free)
		synctest.Wait()
		require.Equal(t, []string{"first", "second"}, o.all)
	})
}
