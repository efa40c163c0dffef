package queue

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Stream is how a task that runs talks to the queue and to those who wait for
// it. Its methods may be called by several goroutines; after the task's end they
// do nothing.
type Stream[P any] struct {
	id      int64
	waited  time.Duration
	urgent  atomic.Bool
	gate    *gate
	changed func()

	mu          sync.Mutex
	pieces      []P // only ever appended to, so that readers need no copy
	ended       bool
	more        signal // a piece or the end
	done, total int
}

// ID is the task's.
func (s *Stream[P]) ID() int64 { return s.id }

// Waited is the time from the task's being accepted to its start.
func (s *Stream[P]) Waited() time.Duration { return s.waited }

// Urgent says that a person waits for the task. It can become true while a
// batch task runs, when the same is asked for in the interactive lane.
func (s *Stream[P]) Urgent() bool { return s.urgent.Load() }

// Gate is called before each step of the work. It blocks while batch work is
// held, unless the task is urgent, and returns the cause of ctx when that ends.
// A task must hold nothing there that interactive tasks need.
func (s *Stream[P]) Gate(ctx context.Context) error { return s.gate.pass(ctx, &s.urgent) }

// Send hands out the next piece. It never blocks: the pieces of a task are kept
// until the task and all its tickets are gone.
func (s *Stream[P]) Send(piece P) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.pieces = append(s.pieces, piece)
		s.more.fire()
	}
}

// Progress says how much of the work is done.
func (s *Stream[P]) Progress(done, total int) {
	s.mu.Lock()
	news := !s.ended && (s.done != done || s.total != total)
	if news {
		s.done, s.total = done, total
	}
	s.mu.Unlock()
	if news {
		s.changed()
	}
}

func (s *Stream[P]) progress() (done, total int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done, s.total
}

func (s *Stream[P]) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.more.fire()
}

// after returns the pieces from the given one on. Where there are none, either
// the stream has ended or more is closed with the next change.
func (s *Stream[P]) after(next int) (pieces []P, ended bool, more <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if next < len(s.pieces) {
		return s.pieces[next:len(s.pieces):len(s.pieces)], false, nil
	}
	if s.ended {
		return nil, true, nil
	}
	return nil, false, s.more.next()
}
