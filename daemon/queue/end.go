package queue

import "slices"

// Cancel ends a task for all who wait for it with ErrCancelled. They are told at
// once; the Run of a task that runs comes back later, and a new task with the
// same key waits for that. The answer is whether there was such a task that had
// not ended yet.
func (q *Queue[P, R]) Cancel(id int64) bool {
	q.mu.Lock()
	t := q.byID[id]
	if t == nil || t.settled {
		q.mu.Unlock()
		return false
	}
	q.abort(t, ErrCancelled)
	q.mu.Unlock()
	q.aborted(t)
	return true
}

// leave ends one interest and, if it was the last, the task. It is called
// without the lock.
func (q *Queue[P, R]) leave(k *Ticket[P, R], why error) {
	t := k.task
	q.mu.Lock()
	at := slices.Index(t.tickets, k)
	if t.settled || at < 0 {
		q.mu.Unlock()
		return
	}
	if len(t.tickets) > 1 {
		t.tickets = slices.Delete(t.tickets, at, at+1)
		k.stopTimer()
		k.err = why
		close(k.gone)
		q.mu.Unlock()
		q.opts.Changed()
		return
	}
	q.abort(t, why)
	q.mu.Unlock()
	q.aborted(t)
}

// abort ends a task that waits or runs; the caller calls aborted after it has
// released the lock.
func (q *Queue[P, R]) abort(t *task[P, R], why error) {
	var none R
	q.settle(t, none, why)
	if t.state == Waiting {
		q.dequeue(t)
		if t.ahead != nil {
			t.ahead.behind, t.ahead = nil, nil
		}
		q.drop(t)
		return
	}
	t.state = Stopping
	if t.key != "" {
		q.stopping[t.key] = t
	}
	t.cancel(why)
}

// aborted is called without the lock.
func (q *Queue[P, R]) aborted(t *task[P, R]) {
	if t.started.IsZero() { // else finish does it, when Run has come back
		q.ended(t)
	}
	t.deliver()
	q.opts.Changed()
}

// settle decides what a task's tickets get.
func (q *Queue[P, R]) settle(t *task[P, R], result R, err error) {
	t.settled, t.result, t.err = true, result, err
	if q.byKey[t.key] == t {
		delete(q.byKey, t.key)
	}
	for _, k := range t.tickets {
		k.stopTimer()
	}
}

// drop forgets a task that neither waits nor runs.
func (q *Queue[P, R]) drop(t *task[P, R]) {
	t.state = Ended
	t.run = nil // a ticket that is kept must not keep the work's input
	delete(q.byID, t.id)
}

// ended is called without the lock.
func (q *Queue[P, R]) ended(t *task[P, R]) {
	q.mu.Lock()
	info := t.info()
	q.mu.Unlock()
	q.opts.Ended(info, t.err)
}

func (k *Ticket[P, R]) stopTimer() {
	if k.timer != nil {
		k.timer.Stop()
	}
}
