package queue

import (
	"context"
	"errors"
	"fmt"
)

var (
	// ErrFull is wrapped by the error of Submit that names the full lane.
	ErrFull = errors.New("the queue is full, try again later")
	// ErrCancelled ends a task that Cancel named or that the last one who was
	// interested has left.
	ErrCancelled = errors.New("the task was cancelled")
	// ErrTimeout ends what was not done at its deadline. It is a
	// context.DeadlineExceeded too.
	ErrTimeout = fmt.Errorf("the task was not done in time: %w", context.DeadlineExceeded)
	// ErrPanic is wrapped by the error of a task whose Run panicked or ended its
	// goroutine. The log has the place; the error has nothing of the panic's
	// value, which may hold texts.
	ErrPanic = errors.New("the task failed by a mistake in the program, see the log")
	// ErrStopped is the error of Submit after Run's context has ended.
	ErrStopped = errors.New("the queue has stopped")
)
