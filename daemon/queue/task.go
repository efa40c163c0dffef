package queue

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Lane is how urgent work is.
type Lane uint8

const (
	Interactive Lane = iota // a person waits for it
	Batch

	lanes = 2
)

func (l Lane) String() string {
	switch l {
	case Interactive:
		return "interactive"
	case Batch:
		return "batch"
	}
	return fmt.Sprintf("lane %d", uint8(l))
}

// Task is work to be done. Its pieces are of type P, its result of type R.
type Task[P, R any] struct {
	// ID names the task; 0 takes the next of Options.NextID. It must not be that
	// of a task that is still in the queue.
	ID int64
	// Key says what is done: of all tasks with one key at most one waits or
	// runs, and a later one joins it. A task without a key stays alone.
	Key  string
	Lane Lane
	// Fair is for whom it is done. Tasks of one lane with different values take
	// turns; those with the same are done in the order they came in.
	Fair string
	// Deadline ends the interest of this Submit, not that of others who joined.
	// The zero value is none.
	Deadline time.Time
	// Detail is what the caller wants to find again in Info.
	Detail any
	// Run does the work. Its context ends with ErrCancelled, ErrTimeout or the
	// cause of Queue.Run's context as the cause. It must come back soon after,
	// and it should call out.Gate before each step.
	Run func(ctx context.Context, out *Stream[P]) (R, error)
}

func (t *Task[P, R]) check() error {
	if t.Run == nil {
		return errors.New("submit a task: it has nothing to run")
	}
	if t.Lane >= lanes {
		return fmt.Errorf("submit a task: there is no %v", t.Lane)
	}
	return nil
}

// State is how far a task is.
type State uint8

const (
	Waiting  State = iota
	Running        // also while it is held at its gate
	Stopping       // it was cancelled or too late, and its Run has not come back yet
	Ended          // only seen by Options.Ended and Ticket.Info
)

func (s State) String() string {
	switch s {
	case Waiting:
		return "waiting"
	case Running:
		return "running"
	case Stopping:
		return "stopping"
	case Ended:
		return "ended"
	}
	return fmt.Sprintf("state %d", uint8(s))
}

// Info is what can be seen of a task at one moment.
type Info struct {
	ID     int64
	Key    string
	Fair   string
	Detail any
	Lane   Lane // where it waits or was taken from; a raised task waits in Interactive
	State  State
	// Urgent says that a person waits for it. It stays so when that person leaves.
	Urgent   bool
	Accepted time.Time
	Started  time.Time // zero if it never ran
	Done     int       // of Total, as the task counts them
	Total    int
	Tickets  int // how many are interested
}

// Rest is how long what is left of a running task takes, as fast as it went so far; 0 where that
// cannot be told.
func (i Info) Rest() time.Duration {
	if i.State != Running || i.Started.IsZero() {
		return 0
	}
	return rest(time.Since(i.Started), i.Done, i.Total)
}

func rest(took time.Duration, done, total int) time.Duration {
	if done <= 0 || done >= total {
		return 0
	}
	return time.Duration(float64(took) / float64(done) * float64(total-done))
}

// task is a Task that was accepted. The queue's lock guards what is not said to
// be guarded otherwise.
type task[P, R any] struct {
	id       int64
	key      string
	fair     string
	detail   any
	lane     Lane
	state    State
	accepted time.Time
	started  time.Time
	run      func(context.Context, *Stream[P]) (R, error)
	stream   Stream[P]

	tickets []*Ticket[P, R]
	// place in the lane, nil while it does not stand there: because it runs or
	// because it is behind another.
	place *place[*task[P, R]]
	// ahead is the stopping task with the same key that must come back first,
	// behind is the other direction.
	ahead, behind *task[P, R]
	cancel        context.CancelCauseFunc // while it runs

	// settled says that result and err stand; they are read by others after done
	// was closed.
	settled bool
	result  R
	err     error
	done    chan struct{}
}

// info needs the queue's lock.
func (t *task[P, R]) info() Info {
	i := Info{
		ID: t.id, Key: t.key, Fair: t.fair, Detail: t.detail, Lane: t.lane, State: t.state,
		Urgent: t.stream.Urgent(), Accepted: t.accepted, Started: t.started, Tickets: len(t.tickets),
	}
	i.Done, i.Total = t.stream.progress()
	return i
}

// deliver tells those who wait that the task is settled. It is called once,
// without the queue's lock.
func (t *task[P, R]) deliver() {
	t.stream.end()
	close(t.done)
}
