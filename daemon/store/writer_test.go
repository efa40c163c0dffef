package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// held keeps the writer busy until release is called, so that writes gather.
func held(t *testing.T, s *Store) (release func()) {
	t.Helper()
	begun, end := make(chan struct{}), make(chan struct{})
	go s.writer.outside(context.Background(), func(*conn) error {
		close(begun)
		<-end
		return nil
	})
	<-begun
	return func() { close(end) }
}

func (w *writer) waiting() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue)
}

func TestWritesShareATransaction(t *testing.T) {
	s := openNew(t)
	release := held(t, s)
	var group sync.WaitGroup
	errs := make([]error, 6)
	wrong := errors.New("wrong")
	enqueue := func(i int, f func(*conn) error) {
		before := s.writer.waiting()
		group.Go(func() { errs[i] = s.writer.durable(context.Background(), f) })
		for s.writer.waiting() == before { // in this order
		}
	}
	put := func(i int, err error) func(*conn) error {
		return func(c *conn) error {
			if putErr := putMeta(c, map[string]int64{fmt.Sprint("write", i): 1}); putErr != nil {
				return putErr
			}
			return err
		}
	}
	has := func(i int) bool {
		var n int64
		require.NoError(t, s.meta(t.Context(), fmt.Sprint("write", i), &n))
		return n == 1
	}
	committed := true
	enqueue(0, put(0, nil))
	enqueue(1, put(1, wrong))
	enqueue(2, func(c *conn) error {
		committed = has(0)
		return put(2, nil)(c)
	})
	release()
	group.Wait()
	require.NoError(t, errs[0])
	require.ErrorIs(t, errs[1], wrong)
	require.NoError(t, errs[2])
	require.False(t, committed, "the third ran before the first was committed")
	require.True(t, has(0))
	require.False(t, has(1), "its own savepoint")
	require.True(t, has(2))

	// One that ends the transaction of all is alone in its failure.
	release = held(t, s)
	enqueue(3, put(3, nil))
	enqueue(4, func(c *conn) error {
		if err := put(4, nil)(c); err != nil {
			return err
		}
		if _, err := c.once("ROLLBACK"); err != nil { // as SQLite does on a full disk
			return err
		}
		return wrong
	})
	enqueue(5, put(5, nil))
	release()
	group.Wait()
	require.NoError(t, errs[3])
	require.ErrorIs(t, errs[4], wrong)
	require.NoError(t, errs[5])
	require.True(t, has(3))
	require.False(t, has(4))
	require.True(t, has(5))
}

func TestWritesAreGivenUpWhileTheyWait(t *testing.T) {
	s := openNew(t)
	release := held(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := s.AddHistory(ctx, HistoryEntry{Source: "a"})
		ended <- err
	}()
	for s.writer.waiting() == 0 {
	}
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	release()
	entries, err := s.History(t.Context(), HistoryQuery{})
	require.NoError(t, err)
	require.Empty(t, entries)
	require.ErrorIs(t, s.Accept(ctx, []File{{Path: "a"}}), context.Canceled)
}
