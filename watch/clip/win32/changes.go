package win32

import (
	"sync"

	"dragoman/watch/clip/selection"
)

// changes keeps the newest change for a reader that may be slow.
type changes struct {
	mu     sync.Mutex
	out    chan selection.Change // room for one
	closed bool
}

func newChanges() *changes { return &changes{out: make(chan selection.Change, 1)} }

func (c *changes) put(n selection.Change) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	select {
	case old := <-c.out:
		n.Merged = old.Merged + 1
	default:
	}
	c.out <- n
}

// drop forgets what waits: the clipboard holds it no longer.
func (c *changes) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.out: // a closed channel has nothing to lose
	default:
	}
}

func (c *changes) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		close(c.out)
	}
}
