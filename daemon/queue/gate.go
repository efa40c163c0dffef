package queue

import (
	"context"
	"sync"
	"sync/atomic"
)

// signal wakes all who wait for the next change of something. The lock of that
// something guards it. It costs nothing while nobody waits.
type signal struct{ ch chan struct{} }

func (s *signal) next() <-chan struct{} {
	if s.ch == nil {
		s.ch = make(chan struct{})
	}
	return s.ch
}

func (s *signal) fire() {
	if s.ch != nil {
		close(s.ch)
		s.ch = nil
	}
}

// gate holds batch tasks that run. Its zero value is open.
type gate struct {
	shut    atomic.Bool // written under mu
	mu      sync.Mutex
	changed signal
}

// set shuts or opens the gate and says whether that was a change. It is called
// by one goroutine at a time.
func (g *gate) set(shut bool) bool {
	if g.shut.Load() == shut {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut.Store(shut)
	g.changed.fire()
	return true
}

// exempt lets a task pass from now on, whatever the gate says.
func (g *gate) exempt(urgent *atomic.Bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	urgent.Store(true)
	g.changed.fire()
}

// pass blocks until the gate is open or the task is urgent. The error is the
// cause of ctx.
func (g *gate) pass(ctx context.Context, urgent *atomic.Bool) error {
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if urgent.Load() || !g.shut.Load() {
			return nil
		}
		g.mu.Lock()
		if urgent.Load() || !g.shut.Load() {
			g.mu.Unlock()
			return nil
		}
		changed := g.changed.next()
		g.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}
