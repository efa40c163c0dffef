package queue

import (
	"context"
	"iter"
	"time"
)

// Ticket is one interest in a task. Whoever got it calls Leave when the interest
// has ended, which may be deferred: after the task's end it does nothing. All
// methods may be called by several goroutines.
type Ticket[P, R any] struct {
	queue  *Queue[P, R]
	task   *task[P, R]
	shared bool
	timer  *time.Timer // of the deadline, nil without

	// gone is closed when this interest ended before the task did; err says why
	// and stands from then on.
	gone chan struct{}
	err  error
}

// ID is the task's.
func (k *Ticket[P, R]) ID() int64 { return k.task.id }

// Shared says that the task was there already, for someone else.
func (k *Ticket[P, R]) Shared() bool { return k.shared }

// Info is what can be seen of the task now, also after its end.
func (k *Ticket[P, R]) Info() Info {
	k.queue.mu.Lock()
	defer k.queue.mu.Unlock()
	return k.task.info()
}

// Wait returns the task's result when it has ended. The error is the task's,
// ErrCancelled, ErrTimeout, the cause of the queue's end, or, while the task and
// the interest in it go on, the cause of ctx.
func (k *Ticket[P, R]) Wait(ctx context.Context) (R, error) {
	select { // an outcome counts for more than the end of ctx
	case <-k.gone:
	case <-k.task.done:
	default:
		select {
		case <-k.gone:
		case <-k.task.done:
		case <-ctx.Done():
			var none R
			return none, context.Cause(ctx)
		}
	}
	if k.left() {
		var none R
		return none, k.err
	}
	return k.task.result, k.task.err
}

// Pieces yields the task's pieces, from the first on however late the call, and
// then as they come. A slow reader delays nobody. After the last piece the
// sequence ends; if the task failed, or the ticket or ctx ended before, the last
// pair is a zero piece with the error that Wait has.
func (k *Ticket[P, R]) Pieces(ctx context.Context) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		var none P
		for next := 0; ; {
			if k.left() {
				yield(none, k.err)
				return
			}
			pieces, ended, more := k.task.stream.after(next)
			for _, p := range pieces {
				if !yield(p, nil) {
					return
				}
			}
			next += len(pieces)
			switch {
			case len(pieces) > 0:
			case ended:
				if k.task.err != nil {
					yield(none, k.task.err)
				}
				return
			default:
				select {
				case <-more:
				case <-k.gone:
				case <-ctx.Done():
					yield(none, context.Cause(ctx))
					return
				}
			}
		}
	}
}

// Leave ends the interest. When the last one has left, a task that waits is
// taken out of the queue, and one that runs is cancelled, with ErrCancelled.
func (k *Ticket[P, R]) Leave() { k.queue.leave(k, ErrCancelled) }

// left says that the interest ended while the task went on for others.
func (k *Ticket[P, R]) left() bool {
	select {
	case <-k.gone:
		return true
	default:
		return false
	}
}
