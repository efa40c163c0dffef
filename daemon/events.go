package daemon

import (
	"context"
	"sync"

	"dragoman/daemon/api"
)

// remembered is how many events a client that was away can be told.
const remembered = 256

// events hands out what happened to clients, each at its own pace: a slow one
// skips snapshots, because a later one replaces an earlier one.
type events struct {
	revision func() uint64 // the next one

	mu     sync.Mutex
	last   uint64
	recent []api.Event   // jobs that ended and notices, oldest first
	news   chan struct{} // closed and replaced when something changed
}

func newEvents(revision func() uint64) *events {
	return &events{revision: revision, last: revision(), news: make(chan struct{})}
}

// changed says that the snapshot is another one.
func (e *events) changed() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.bump()
}

// add remembers an event.
func (e *events) add(ev api.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.bump()
	ev.ID = e.last
	if len(e.recent) == remembered {
		e.recent = append(e.recent[:0], e.recent[1:]...)
	}
	e.recent = append(e.recent, ev)
}

func (e *events) bump() {
	e.last = e.revision()
	close(e.news)
	e.news = make(chan struct{})
}

// now is the revision of what can be seen now.
func (e *events) now() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.last
}

// since returns the events after a revision that are still remembered, and the
// revision they lead to. The zero revision has missed nothing.
func (e *events) since(revision uint64) ([]api.Event, uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var missed []api.Event
	for _, ev := range e.recent {
		if revision > 0 && ev.ID > revision {
			missed = append(missed, ev)
		}
	}
	return missed, e.last
}

// wait returns when there is something newer than a revision.
func (e *events) wait(ctx context.Context, revision uint64) error {
	for {
		e.mu.Lock()
		news, last := e.news, e.last
		e.mu.Unlock()
		if last != revision {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
