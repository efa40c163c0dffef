package watch

import (
	"context"
	"sync"
)

// Queue holds items between their sources and one consumer. There is one entry
// a key, the newest; when it is full a root's paths give way to a Rescan of
// that root, so that nothing is forgotten. It is safe for concurrent use.
type Queue struct {
	mu    sync.Mutex
	items map[string]Item
	order []string // keys, oldest first
	max   int
	wake  chan struct{} // capacity 1: "look again", never "how many"
}

// NewQueue makes a queue of at most max paths.
func NewQueue(max int) *Queue {
	return &Queue{items: map[string]Item{}, max: max, wake: make(chan struct{}, 1)}
}

// Push adds an item. It never blocks.
func (q *Queue) Push(it Item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	rescan := Item{Kind: Rescan, Root: it.Root, Seen: it.Seen}
	if _, promised := q.items[rescan.Key()]; promised {
		return // the whole root is looked at anyway
	}
	if _, known := q.items[it.Key()]; it.Kind == Rescan || !known && len(q.items) >= q.max {
		q.dropRoot(it.Root)
		it = rescan
	}
	if _, known := q.items[it.Key()]; !known {
		q.order = append(q.order, it.Key())
	}
	q.items[it.Key()] = it
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *Queue) dropRoot(root string) {
	kept := q.order[:0]
	for _, key := range q.order {
		if q.items[key].Root == root {
			delete(q.items, key)
			continue
		}
		kept = append(kept, key)
	}
	q.order = kept
}

// Pop waits for the oldest item and takes it. It returns the error of ctx when
// that ends first.
func (q *Queue) Pop(ctx context.Context) (Item, error) {
	for {
		if err := ctx.Err(); err != nil {
			return Item{}, err
		}
		if it, ok := q.take(); ok {
			return it, nil
		}
		select {
		case <-q.wake:
		case <-ctx.Done():
		}
	}
}

func (q *Queue) take() (Item, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.order) == 0 {
		return Item{}, false
	}
	key := q.order[0]
	q.order = q.order[1:]
	it := q.items[key]
	delete(q.items, key)
	return it, true
}

// Len is the number of items that wait.
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.order)
}
