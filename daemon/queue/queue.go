package queue

import (
	"log/slog"
	"sync"
)

// Options of a queue. The functions may be nil.
type Options struct {
	MaxInteractive     int // tasks that may wait in the interactive lane; 256 if not positive
	MaxBatch           int // the same of the batch lane; 4096 if not positive
	InteractiveWorkers int // interactive tasks that run at a time; 1 if not positive
	BatchWorkers       int // the same of batch tasks; 1 if not positive
	// NextID names a task; nil counts on from the highest id so far. It is called
	// with the queue's lock held: it must be quick and not call the queue.
	NextID func() int64
	// Changed is called after each change of what List, Len or Paused return.
	Changed func()
	// Ended is called once for each task that was accepted: before its tickets
	// are told, but after its Run has come back. The error is the one that the
	// tickets get, which are told at once if a running task is cancelled or late.
	// A task can end before its Submit returns.
	//
	// Changed and Ended are called without locks, by whoever made the change:
	// they may call the queue, and they must be quick.
	Ended func(Info, error)
	// Log takes what a task's panic leaves, without texts; slog.Default() if nil.
	Log *slog.Logger
}

// Queue is the work that waits and runs. All methods may be called by several
// goroutines. None but Run blocks.
type Queue[P, R any] struct {
	opts    Options
	max     [lanes]int
	workers [lanes]int
	gate    gate

	mu       sync.Mutex
	lanes    [lanes]turns[*task[P, R]]
	wake     [lanes]*sync.Cond // of the workers
	waiting  [lanes]int        // also those that are behind another
	running  int               // also those that are stopping
	urgent   int               // of the running ones
	paused   bool
	started  bool
	stopped  bool
	lastID   int64
	byID     map[int64]*task[P, R]
	byKey    map[string]*task[P, R] // that can be joined
	stopping map[string]*task[P, R] // by key
}

// New makes a queue. It accepts tasks at once, and Run does them.
func New[P, R any](opts Options) *Queue[P, R] {
	if opts.Changed == nil {
		opts.Changed = func() {}
	}
	if opts.Ended == nil {
		opts.Ended = func(Info, error) {}
	}
	q := &Queue[P, R]{
		opts: opts,
		max: [lanes]int{
			Interactive: positive(opts.MaxInteractive, 256),
			Batch:       positive(opts.MaxBatch, 4096),
		},
		workers: [lanes]int{
			Interactive: positive(opts.InteractiveWorkers, 1),
			Batch:       positive(opts.BatchWorkers, 1),
		},
		byID:     map[int64]*task[P, R]{},
		byKey:    map[string]*task[P, R]{},
		stopping: map[string]*task[P, R]{},
	}
	for lane := range q.wake {
		q.wake[lane] = sync.NewCond(&q.mu)
	}
	return q
}

func positive(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

func (q *Queue[P, R]) held() bool {
	return q.paused || q.waiting[Interactive] > 0 || q.urgent > 0
}

// hold holds batch work or lets it go on, after a change of what held looks at.
func (q *Queue[P, R]) hold() {
	held := q.held()
	if q.gate.set(held) && !held {
		q.wake[Batch].Broadcast()
	}
}
