package m2m100

import (
	"context"
	"sync/atomic"
)

// Lane is how urgent a text is.
type Lane int

const (
	// Interactive is for texts that a person waits for. They go before batch
	// texts at the next decode step.
	Interactive Lane = iota
	// Batch is for texts that nobody waits for.
	Batch

	lanes = int(Batch) + 1
)

// turns hands the device from text to text: one text a lane is under way, and
// one of them is on the device. Each kind of wait is first come, first served.
type turns struct {
	lanes  [lanes]semaphore
	device semaphore
	wanted atomic.Int32 // interactive texts that wait for the device
}

func newTurns() *turns {
	t := &turns{device: newSemaphore()}
	for i := range t.lanes {
		t.lanes[i] = newSemaphore()
	}
	return t
}

// turn is a text that is under way.
type turn struct {
	*turns
	lane Lane
	on   bool // the device
}

// take waits until the text may begin.
func (t *turns) take(ctx context.Context, lane Lane) (*turn, error) {
	if err := t.lanes[lane].take(ctx); err != nil {
		return nil, err
	}
	mine := &turn{turns: t, lane: lane}
	if err := mine.board(ctx); err != nil {
		mine.end()
		return nil, err
	}
	return mine, nil
}

// board waits for the device.
func (t *turn) board(ctx context.Context) error {
	if t.lane == Interactive {
		t.wanted.Add(1)
		defer t.wanted.Add(-1)
	}
	err := t.device.take(ctx)
	t.on = err == nil
	return err
}

// yield lets a waiting interactive text go first. A batch text that waits again
// is in line with the interactive ones, so that it still comes forward, by a
// step each time.
func (t *turn) yield(ctx context.Context) error {
	if t.lane == Interactive || t.wanted.Load() == 0 {
		return nil
	}
	t.leave()
	return t.board(ctx)
}

// leave frees the device in the middle of a text.
func (t *turn) leave() {
	t.on = false
	t.device.give()
}

func (t *turn) end() {
	if t.on {
		t.leave()
	}
	t.lanes[t.lane].give()
}

// semaphore is a lock that a context can end the wait for.
type semaphore chan struct{}

func newSemaphore() semaphore { return make(semaphore, 1) }

func (s semaphore) take(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// give hands over to whoever has waited longest.
func (s semaphore) give() { <-s }
