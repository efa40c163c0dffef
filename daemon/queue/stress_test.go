package queue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var errBroken = errors.New("broken")

// ledger notes what the stress test must find to be true.
type ledger struct {
	mu      sync.Mutex
	ended   map[int64]int
	runs    map[string]int // at the moment, by key
	twice   []string       // keys that ran twice at a time
	results map[int64]string
}

func (l *ledger) enter(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.runs[key]++; l.runs[key] > 1 {
		l.twice = append(l.twice, key)
	}
}

func (l *ledger) leave(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.runs[key]--
}

// TestStress lets clients of all kinds at a small queue, pauses it, cancels at
// random and stops it in the middle of the work.
func TestStress(t *testing.T) {
	for _, seed := range []uint64{1, 2, 3, 4} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { stress(t, seed) })
		})
	}
}

func stress(t *testing.T, seed uint64) {
	const clients = 20
	l := &ledger{ended: map[int64]int{}, runs: map[string]int{}, results: map[int64]string{}}
	opts := Options{
		MaxInteractive: 5, MaxBatch: 10, InteractiveWorkers: 2, BatchWorkers: 3,
		Ended: func(i Info, _ error) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.ended[i.ID]++
		},
	}
	q := New[string, string](opts)
	stop := start(t, q)
	var accepted sync.Map // ids
	var full, joined, good, cancelled, late, broken, stopped atomic.Int64
	var all sync.WaitGroup

	client := func(r *rand.Rand) {
		for {
			key := fmt.Sprint("key ", r.IntN(12))
			task := testTask{Lane: Lane(r.IntN(2)), Key: key, Fair: fmt.Sprint(r.IntN(3)), Run: stressRun(l, key, r.Uint64())}
			if r.IntN(4) == 0 {
				task.Deadline = time.Now().Add(time.Duration(1+r.IntN(40)) * time.Millisecond)
			}
			k, err := q.Submit(t.Context(), task)
			switch {
			case errors.Is(err, ErrFull):
				full.Add(1)
				time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
				continue
			case errors.Is(err, ErrStopped):
				stopped.Add(1)
				return
			}
			if !assert.NoError(t, err) {
				return
			}
			if k.Shared() {
				joined.Add(1)
			} else if _, twice := accepted.LoadOrStore(k.ID(), nil); twice {
				assert.Fail(t, "two tasks with one id")
			}
			switch r.IntN(8) {
			case 0:
				time.Sleep(time.Duration(r.IntN(10)) * time.Millisecond)
				k.Leave()
			case 1:
				time.Sleep(time.Duration(r.IntN(10)) * time.Millisecond)
				q.Cancel(k.ID())
			}
			var pieces strings.Builder
			var piecesErr error
			if r.IntN(2) == 0 {
				for p, err := range k.Pieces(t.Context()) {
					if pieces.WriteString(p); err != nil {
						piecesErr = err
					}
					if r.IntN(4) == 0 {
						time.Sleep(time.Millisecond) // a slow one
					}
				}
			}
			result, err := k.Wait(t.Context())
			if piecesErr != nil {
				assert.Equal(t, err, piecesErr)
			}
			switch {
			case err == nil:
				good.Add(1)
				if pieces.Len() > 0 {
					assert.Equal(t, result, pieces.String())
				}
				l.mu.Lock()
				if before, again := l.results[k.ID()]; again {
					assert.Equal(t, before, result)
				}
				l.results[k.ID()] = result
				l.mu.Unlock()
			case errors.Is(err, ErrCancelled):
				cancelled.Add(1)
			case errors.Is(err, ErrTimeout):
				late.Add(1)
			case errors.Is(err, errBroken):
				broken.Add(1)
			case errors.Is(err, errEnd):
				stopped.Add(1)
			default:
				assert.NoError(t, err)
			}
			k.Leave()
		}
	}
	for c := range clients {
		all.Go(func() { client(rand.New(rand.NewPCG(seed, uint64(c)))) })
	}
	watch, unwatch := context.WithCancel(t.Context())
	all.Go(func() {
		r := rand.New(rand.NewPCG(seed, 1000))
		for watch.Err() == nil {
			q.Pause()
			time.Sleep(time.Duration(r.IntN(5)) * time.Millisecond)
			q.Resume()
			time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
			interactive, batch, running := q.Len()
			assert.LessOrEqual(t, interactive, opts.MaxInteractive)
			assert.LessOrEqual(t, batch, opts.MaxBatch)
			assert.LessOrEqual(t, running, opts.InteractiveWorkers+opts.BatchWorkers)
			assert.LessOrEqual(t, len(q.List()), opts.MaxInteractive+opts.MaxBatch+running+opts.InteractiveWorkers+opts.BatchWorkers)
		}
	})
	time.Sleep(400 * time.Millisecond)
	unwatch()
	stop(errEnd)
	all.Wait()

	requireEmpty(t, q)
	require.Empty(t, l.twice)
	n := 0
	accepted.Range(func(id, _ any) bool {
		n++
		require.Equal(t, 1, l.ended[id.(int64)], "task %d", id)
		return true
	})
	require.Equal(t, n, len(l.ended))
	for what, count := range map[string]*atomic.Int64{
		"full": &full, "joined": &joined, "good": &good, "cancelled": &cancelled, "late": &late, "broken": &broken, "stopped": &stopped,
	} {
		require.Positive(t, count.Load(), "nothing was %s: the test has lost its point", what)
	}
	t.Logf("%d tasks, joined %d, full %d, good %d, cancelled %d, late %d, broken %d, stopped %d",
		n, joined.Load(), full.Load(), good.Load(), cancelled.Load(), late.Load(), broken.Load(), stopped.Load())
}

func stressRun(l *ledger, key string, seed uint64) func(context.Context, *out) (string, error) {
	return func(ctx context.Context, o *out) (string, error) {
		l.enter(key)
		defer l.leave(key)
		r := rand.New(rand.NewPCG(seed, 0))
		all, steps := "", r.IntN(6)
		for i := range steps {
			if err := o.Gate(ctx); err != nil {
				time.Sleep(time.Duration(r.IntN(5)) * time.Millisecond) // slow to come back
				return "", err
			}
			time.Sleep(time.Duration(r.IntN(4)) * time.Millisecond)
			piece := fmt.Sprint(r.IntN(1000), " ")
			all += piece
			o.Send(piece)
			o.Progress(i+1, steps)
		}
		if r.IntN(10) == 0 {
			return "", errBroken
		}
		return all, nil
	}
}
