package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Run does the queue's work until ctx ends, which is no error. Then the tasks
// that wait end with the cause of ctx, those that run have their contexts ended
// by it, and Run returns when all of them came back. It can be called once.
func (q *Queue[P, R]) Run(ctx context.Context) error {
	q.mu.Lock()
	again := q.started
	q.started = true
	q.mu.Unlock()
	if again {
		return errors.New("run the queue: it has been run already")
	}
	var workers sync.WaitGroup
	for lane, n := range q.workers {
		for range n {
			workers.Go(func() { q.work(ctx, Lane(lane), &workers) })
		}
	}
	<-ctx.Done()
	q.stop(context.Cause(ctx))
	workers.Wait()
	return nil
}

// stop ends what waits and wakes the workers, which return.
func (q *Queue[P, R]) stop(cause error) {
	q.mu.Lock()
	q.stopped = true
	var waited []*task[P, R]
	for _, t := range q.byID {
		if t.state == Waiting {
			q.abort(t, cause)
			waited = append(waited, t)
		}
	}
	for _, wake := range q.wake {
		wake.Broadcast()
	}
	q.mu.Unlock()
	for _, t := range waited {
		q.aborted(t)
	}
}

// work is one worker of a lane.
func (q *Queue[P, R]) work(ctx context.Context, lane Lane, workers *sync.WaitGroup) {
	back := false
	defer func() {
		if !back { // a task has ended the goroutine (runtime.Goexit)
			workers.Go(func() { q.work(ctx, lane, workers) })
		}
	}()
	for {
		t, taskCtx := q.next(ctx, lane)
		if t == nil {
			back = true
			return
		}
		q.opts.Changed()
		q.do(taskCtx, t)
	}
}

// next waits for a task and starts it; nil is the end.
func (q *Queue[P, R]) next(ctx context.Context, lane Lane) (*task[P, R], context.Context) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.stopped && ctx.Err() == nil {
		if lane == Interactive || !q.held() {
			if t, ok := q.lanes[lane].pop(); ok {
				return t, q.start(ctx, t)
			}
		}
		q.wake[lane].Wait()
	}
	return nil, nil
}

func (q *Queue[P, R]) start(ctx context.Context, t *task[P, R]) context.Context {
	q.waiting[t.lane]--
	q.running++
	if t.stream.Urgent() {
		q.urgent++
	}
	q.hold()
	t.place = nil
	t.state = Running
	t.started = time.Now()
	t.stream.waited = t.started.Sub(t.accepted)
	ctx, t.cancel = context.WithCancelCause(ctx)
	return ctx
}

// do runs a task. What Run does, the task ends and the lock is free.
func (q *Queue[P, R]) do(ctx context.Context, t *task[P, R]) {
	var result R
	err := fmt.Errorf("%w (task %d)", ErrPanic, t.id) // if Run does not return
	returned := false
	defer func() {
		if !returned {
			q.logPanic(t.id, t.lane, recover())
		}
		q.finish(ctx, t, result, err)
	}()
	result, err = t.run(ctx, &t.stream)
	returned = true
}

// finish ends a task whose Run has come back.
func (q *Queue[P, R]) finish(ctx context.Context, t *task[P, R], result R, err error) {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = context.Cause(ctx)
	}
	q.mu.Lock()
	aborted := t.settled
	if !aborted {
		q.settle(t, result, err)
	} else if q.stopping[t.key] == t {
		delete(q.stopping, t.key)
	}
	q.running--
	if t.stream.Urgent() {
		q.urgent--
	}
	q.drop(t)
	if next := t.behind; next != nil {
		t.behind, next.ahead = nil, nil
		// It has waited longer than those that came since.
		next.place = q.lanes[next.lane].pushFront(next.fair, next)
		q.wake[next.lane].Signal()
	}
	q.hold()
	q.mu.Unlock()
	t.cancel(nil) // releases the context
	q.ended(t)
	if !aborted {
		t.deliver()
	}
	q.opts.Changed()
}
