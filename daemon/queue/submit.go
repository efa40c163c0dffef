package queue

import (
	"context"
	"fmt"
	"time"

	"dragoman/internal/english"
)

// Submit accepts a task, or joins the one with the same key that waits or runs
// already; of a task that joins, only Key, Lane and Deadline count. Joining from
// the interactive lane raises a batch task: one that waits changes the lane, one
// that runs becomes urgent. Submit never blocks; ctx counts only until it
// returns.
//
// The errors are ErrFull, ErrStopped, ErrTimeout if the deadline has passed, the
// cause of ctx, or a mistake in the task.
func (q *Queue[P, R]) Submit(ctx context.Context, t Task[P, R]) (*Ticket[P, R], error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if !t.Deadline.IsZero() && time.Until(t.Deadline) <= 0 {
		return nil, ErrTimeout
	}
	q.mu.Lock()
	ticket, err := q.admit(&t)
	q.mu.Unlock()
	if err != nil {
		return nil, err
	}
	q.opts.Changed()
	return ticket, nil
}

// admit needs the lock, as all below it do unless they say otherwise.
func (q *Queue[P, R]) admit(t *Task[P, R]) (*Ticket[P, R], error) {
	if q.stopped {
		return nil, ErrStopped
	}
	if found := q.byKey[t.Key]; found != nil {
		if t.Lane == Interactive {
			if err := q.raise(found); err != nil {
				return nil, err
			}
		}
		return q.ticket(found, t.Deadline, true), nil
	}
	if err := q.room(t.Lane); err != nil {
		return nil, err
	}
	id, err := q.name(t.ID)
	if err != nil {
		return nil, err
	}
	added := &task[P, R]{
		id: id, key: t.Key, fair: t.Fair, detail: t.Detail, lane: t.Lane,
		accepted: time.Now(), run: t.Run, done: make(chan struct{}),
	}
	added.stream.id, added.stream.gate, added.stream.changed = id, &q.gate, q.opts.Changed
	added.stream.urgent.Store(t.Lane == Interactive)
	q.byID[id] = added
	if t.Key != "" {
		q.byKey[t.Key] = added
		if before := q.stopping[t.Key]; before != nil {
			added.ahead, before.behind = before, added
		}
	}
	q.enqueue(added)
	return q.ticket(added, t.Deadline, false), nil
}

func (q *Queue[P, R]) room(lane Lane) error {
	if q.waiting[lane] >= q.max[lane] {
		return fmt.Errorf("%w: %s in the %v lane", ErrFull, english.Count(q.waiting[lane], "waiting task"), lane)
	}
	return nil
}

func (q *Queue[P, R]) name(id int64) (int64, error) {
	switch {
	case id != 0:
	case q.opts.NextID != nil:
		id = q.opts.NextID()
	default:
		id = q.lastID + 1
	}
	if q.byID[id] != nil {
		return 0, fmt.Errorf("submit a task: another one has the id %d", id)
	}
	q.lastID = max(q.lastID, id)
	return id, nil
}

func (q *Queue[P, R]) ticket(t *task[P, R], deadline time.Time, shared bool) *Ticket[P, R] {
	k := &Ticket[P, R]{queue: q, task: t, shared: shared, gone: make(chan struct{})}
	if !deadline.IsZero() {
		k.timer = time.AfterFunc(time.Until(deadline), func() { q.leave(k, ErrTimeout) })
	}
	t.tickets = append(t.tickets, k)
	return k
}

// raise makes a task urgent.
func (q *Queue[P, R]) raise(t *task[P, R]) error {
	if t.stream.Urgent() {
		return nil
	}
	if t.state != Waiting {
		q.urgent++
		q.gate.exempt(&t.stream.urgent)
		q.hold()
		return nil
	}
	if err := q.room(Interactive); err != nil {
		return err
	}
	q.dequeue(t)
	t.lane = Interactive
	t.stream.urgent.Store(true)
	q.enqueue(t)
	return nil
}

// enqueue lets a task wait in its lane.
func (q *Queue[P, R]) enqueue(t *task[P, R]) {
	q.waiting[t.lane]++
	if t.ahead == nil {
		t.place = q.lanes[t.lane].pushBack(t.fair, t)
		q.wake[t.lane].Signal()
	}
	q.hold()
}

// dequeue takes a task that waits out of its lane.
func (q *Queue[P, R]) dequeue(t *task[P, R]) {
	q.waiting[t.lane]--
	if t.place != nil {
		q.lanes[t.lane].remove(t.place)
		t.place = nil
	}
	q.hold()
}
