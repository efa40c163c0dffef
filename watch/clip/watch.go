package clip

import (
	"context"
	"errors"
	"sync"
	"time"

	"dragoman/watch/clip/selection"
)

const (
	// watchBuffer copies may wait for a slow reader; then the oldest goes.
	watchBuffer = 16
	// reconnectFirst and reconnectLast are the pauses between attempts to find
	// a lost window system again.
	reconnectFirst = 500 * time.Millisecond
	reconnectLast  = time.Minute
)

// watcher is one call of Watch.
type watcher struct {
	since time.Time
	out   chan Copy

	mu      sync.Mutex
	waiting []Copy
	missed  int           // taken from waiting without having been read
	wake    chan struct{} // room for one
}

// Watch tells what others copy from now on, until ctx ends or the Clipboard is
// closed; then the channel is closed. Texts come with Skip Accepted; in place of
// others comes the reason. Our own writes, parts of them and an emptied
// clipboard are not told. A reader may be slow: of what waits longer than it
// takes, the newest 16 are kept. While nobody watches, nothing is read.
func (c *Clipboard) Watch(ctx context.Context) <-chan Copy {
	w := &watcher{since: time.Now(), out: make(chan Copy), wake: make(chan struct{}, 1)}
	c.mu.Lock()
	c.watchers[w] = struct{}{}
	c.mu.Unlock()
	go func() {
		defer close(w.out)
		w.run(ctx, c.done)
		c.mu.Lock()
		delete(c.watchers, w)
		c.mu.Unlock()
	}()
	return w.out
}

// run hands on what waits.
func (w *watcher) run(ctx context.Context, done <-chan struct{}) {
	for {
		var out chan Copy
		var next Copy
		w.mu.Lock()
		if len(w.waiting) > 0 {
			out, next = w.out, w.waiting[0]
			next.Missed += w.missed
		}
		w.mu.Unlock()
		select {
		case out <- next:
			w.mu.Lock()
			// What was sent may have been pushed out in the meantime.
			if len(w.waiting) > 0 && w.waiting[0].Serial == next.Serial {
				w.waiting, w.missed = append(w.waiting[:0:0], w.waiting[1:]...), 0
			} else if w.missed > 0 {
				w.missed--
			}
			w.mu.Unlock()
		case <-w.wake:
		case <-ctx.Done():
			return
		case <-done:
			return
		}
	}
}

func (w *watcher) put(n Copy) {
	w.mu.Lock()
	w.waiting = append(w.waiting, n)
	if len(w.waiting) > watchBuffer {
		w.missed += 1 + w.waiting[0].Missed
		w.waiting = append(w.waiting[:0:0], w.waiting[1:]...)
	}
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// run follows one connection after the other until the Clipboard is closed.
func (c *Clipboard) run(ctx context.Context, sys selection.System) {
	defer close(c.done)
	for c.follow(ctx, sys) {
		c.set(nil, sys.Err())
		c.tellMove()
		_ = sys.Close(ctx) // it is lost already
		c.tell(Copy{Skip: Disconnected, Time: time.Now()})
		if sys = c.reopen(ctx); sys == nil {
			return
		}
		c.set(sys, nil)
		c.tell(Copy{Skip: Reconnected, Time: time.Now()})
	}
}

// follow looks at each change and reports whether the connection was lost
// before ctx ended.
func (c *Clipboard) follow(ctx context.Context, sys selection.System) bool {
	missed := 0
	for {
		select {
		case change, ok := <-sys.Changes():
			if !ok {
				return ctx.Err() == nil
			}
			c.tellMove()
			if !c.watched(change.Seen) {
				continue
			}
			options := c.current()
			if options.Off {
				c.tell(Copy{Skip: Off, Time: change.Seen, Stamp: change.Stamp})
				continue
			}
			change.Merged += missed
			n, err := c.look(ctx, sys, options, selection.Clipboard, change)
			if missed = 0; errors.Is(err, selection.ErrReplaced) {
				missed = change.Merged + 1
			}
			// Another error is one of the connection, whose end Changes tells.
			if err == nil && n.Skip != Own && n.Skip != Empty {
				c.tell(n)
			}
		case <-ctx.Done():
			return false
		}
	}
}

func (c *Clipboard) reopen(ctx context.Context) selection.System {
	for pause := reconnectFirst; ; pause = min(2*pause, reconnectLast) {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil
		}
		sys, err := openSystem(ctx, c.options.getenv)
		if err == nil {
			return sys
		}
		c.set(nil, err)
	}
}

func (c *Clipboard) set(sys selection.System, why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sys, c.why = sys, why
}

// watched tells whether somebody wants to know of a change at a time.
func (c *Clipboard) watched(at time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for w := range c.watchers {
		if at.After(w.since) {
			return true
		}
	}
	return false
}

func (c *Clipboard) tell(n Copy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serial++
	n.Serial = c.serial
	for w := range c.watchers {
		if n.Time.After(w.since) {
			w.put(n)
		}
	}
}
