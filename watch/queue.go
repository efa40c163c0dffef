package watch

import (
	"context"
	"sync"
)

// Queue holds items between their sources and one consumer. There is one entry
// a key, the newest. A path that finds it full gives way to one Rescan of its
// root behind what is queued already, so that nothing is forgotten and the
// consumer always comes nearer the end. It is safe for concurrent use.
type Queue struct {
	mu    sync.Mutex
	items map[string]Item
	order []string // keys, oldest first
	max   int
	wake  chan struct{} // capacity 1: "look again", never "how many"
}

// NewQueue makes a queue of at most max paths, and one Rescan a root beside them.
func NewQueue(max int) *Queue {
	return &Queue{items: map[string]Item{}, max: max, wake: make(chan struct{}, 1)}
}

// Push adds an item. It never blocks.
func (q *Queue) Push(it Item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, known := q.items[it.Key()]; !known && it.Kind != Rescan && len(q.items) >= q.max {
		it = Item{Kind: Rescan, Root: it.Root, Seen: it.Seen}
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
