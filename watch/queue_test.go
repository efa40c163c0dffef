package watch

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func settled(root, path string) Item { return Item{Kind: FileSettled, Root: root, Path: path} }

func drain(t *testing.T, q *Queue) (got []string) {
	t.Helper()
	for q.Len() > 0 {
		it, err := q.Pop(t.Context())
		require.NoError(t, err)
		got = append(got, fmt.Sprint(it.Kind, " ", it.Root, " ", it.Path))
	}
	return got
}

func TestQueueKeepsOrderAndOneEntryAPath(t *testing.T) {
	q := NewQueue(10)
	q.Push(settled("/a", "1"))
	q.Push(settled("/a", "2"))
	q.Push(Item{Kind: FileGone, Root: "/a", Path: "1"})
	require.Equal(t, []string{
		fmt.Sprint(FileGone, " /a 1"), fmt.Sprint(FileSettled, " /a 2"),
	}, drain(t, q))
}

func TestFullQueuePromisesARescan(t *testing.T) {
	q := NewQueue(3)
	q.Push(settled("/a", "1"))
	q.Push(settled("/b", "1"))
	q.Push(settled("/a", "2"))
	q.Push(settled("/a", "3")) // no room
	q.Push(settled("/a", "4")) // promised already
	q.Push(settled("/a", "2")) // known: needs no room
	require.Equal(t, 4, q.Len())
	require.Equal(t, []string{
		fmt.Sprint(FileSettled, " /a 1"), fmt.Sprint(FileSettled, " /b 1"), fmt.Sprint(FileSettled, " /a 2"), fmt.Sprint(Rescan, " /a "),
	}, drain(t, q))
	q.Push(settled("/a", "5"))
	require.Equal(t, 1, q.Len())
}

func TestPopWaitsAndEndsWithItsContext(t *testing.T) {
	q := NewQueue(3)
	var got Item
	var wg sync.WaitGroup
	wg.Go(func() { got, _ = q.Pop(t.Context()) })
	q.Push(settled("/a", "1"))
	wg.Wait()
	require.Equal(t, "1", got.Path)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := q.Pop(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

// TestFullQueueComesToAnEnd plays a source of many more files than fit, which
// tells all of them again at each rescan, and a consumer that skips what it did.
func TestFullQueueComesToAnEnd(t *testing.T) {
	const files = 3000
	q := NewQueue(100)
	tell := func() {
		for i := range files {
			q.Push(settled("/a", fmt.Sprint(i*7919%files)))
		}
	}
	done := map[string]bool{}
	tell()
	popped := 0
	for ; q.Len() > 0; popped++ {
		it, err := q.Pop(t.Context())
		require.NoError(t, err)
		if it.Kind == Rescan {
			for i := range files { // a source tells what is new or changed
				if p := fmt.Sprint(i); !done[p] {
					q.Push(settled("/a", p))
				}
			}
			continue
		}
		done[it.Path] = true
	}
	require.Len(t, done, files)
	require.LessOrEqual(t, popped, files+files/100+1)
}
