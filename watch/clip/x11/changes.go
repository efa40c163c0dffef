package x11

import (
	"sync"

	"dragoman/watch/clip/selection"
)

// changes keeps the newest change for a reader that may be slow.
type changes struct {
	out  chan selection.Change
	mu   sync.Mutex
	next *selection.Change
	wake chan struct{} // room for one
	end  chan struct{}
	once sync.Once
}

func newChanges() *changes {
	c := &changes{out: make(chan selection.Change), wake: make(chan struct{}, 1), end: make(chan struct{})}
	go c.run()
	return c
}

func (c *changes) run() {
	defer close(c.out)
	for {
		c.mu.Lock()
		next := c.next
		c.mu.Unlock()
		var out chan selection.Change
		var value selection.Change
		if next != nil {
			out, value = c.out, *next
		}
		select {
		case out <- value:
			c.mu.Lock()
			if c.next == next {
				c.next = nil
			}
			c.mu.Unlock()
		case <-c.wake:
		case <-c.end:
			return
		}
	}
}

func (c *changes) put(n selection.Change) {
	c.mu.Lock()
	if c.next != nil {
		n.Merged = c.next.Merged + 1
	}
	c.next = &n
	c.mu.Unlock()
	c.poke()
}

// drop forgets what waits: the clipboard holds it no longer.
func (c *changes) drop() {
	c.mu.Lock()
	c.next = nil
	c.mu.Unlock()
	c.poke()
}

func (c *changes) poke() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *changes) close() { c.once.Do(func() { close(c.end) }) }
