package queue

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

type (
	testQueue  = Queue[string, string]
	testTask   = Task[string, string]
	testTicket = Ticket[string, string]
	out        = Stream[string]
)

var errEnd = errors.New("the end of the test")

// running calls f in a bubble with a queue at work, stops that after f, and
// checks that nothing is left of it. The bubble's end checks the goroutines.
func running(t *testing.T, opts Options, f func(t *testing.T, q *testQueue)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		q := New[string, string](opts)
		stop := start(t, q)
		f(t, q)
		stop(errEnd)
		requireEmpty(t, q)
	})
}

// start runs the queue; the function stops it and waits for that.
func start(t *testing.T, q *testQueue) (stop func(cause error)) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan error)
	go func() { ended <- q.Run(ctx) }()
	return func(cause error) {
		cancel(cause)
		require.NoError(t, <-ended)
	}
}

func requireEmpty(t *testing.T, q *testQueue) {
	t.Helper()
	require.Empty(t, q.List())
	interactive, batch, running := q.Len()
	require.Zero(t, interactive+batch+running)
	require.Empty(t, q.byKey)
	require.Empty(t, q.stopping)
	require.Zero(t, q.urgent)
	for lane := range q.lanes {
		require.Empty(t, q.lanes[lane].groups)
		require.Zero(t, q.lanes[lane].ring.Len())
	}
}

func submit(t *testing.T, q *testQueue, task testTask) *testTicket {
	t.Helper()
	k, err := q.Submit(t.Context(), task)
	require.NoError(t, err)
	return k
}

// answer is a Run that returns s.
func answer(s string) func(context.Context, *out) (string, error) {
	return func(context.Context, *out) (string, error) { return s, nil }
}

// work is a Run that goes on until it is told, or its context ends.
type work struct {
	started chan context.Context
	step    chan string // a piece each; closed: the end
}

func newWork() *work { return &work{make(chan context.Context, 1), make(chan string)} }

func (w *work) run(ctx context.Context, o *out) (string, error) {
	w.started <- ctx
	all := ""
	for {
		if err := o.Gate(ctx); err != nil {
			return "", err
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case piece, more := <-w.step:
			if !more {
				return all, nil
			}
			all += piece
			o.Send(piece)
		}
	}
}

// order notes what was run, in which order.
type order struct {
	mu  sync.Mutex
	all []string
}

func (o *order) run(name string) func(context.Context, *out) (string, error) {
	return func(context.Context, *out) (string, error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.all = append(o.all, name)
		return name, nil
	}
}

func wait(t *testing.T, k *testTicket) string {
	t.Helper()
	result, err := k.Wait(t.Context())
	require.NoError(t, err)
	return result
}

func waitErr(t *testing.T, k *testTicket) error {
	t.Helper()
	result, err := k.Wait(t.Context())
	require.Error(t, err)
	require.Empty(t, result)
	return err
}

// read collects the pieces to their end.
func read(ctx context.Context, k *testTicket) (pieces []string, err error) {
	for p, e := range k.Pieces(ctx) {
		if e != nil {
			return pieces, e
		}
		pieces = append(pieces, p)
	}
	return pieces, nil
}

func state(t *testing.T, q *testQueue, id int64) State {
	t.Helper()
	info, ok := q.Get(id)
	require.True(t, ok)
	return info.State
}
