package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"dragoman/installer/service/notify"
	"dragoman/internal/english"
)

// Program is a daemon as the service manager sees it.
type Program interface {
	// Run works until ctx ends and returns within StopGrace of that. It calls
	// h.Ready once it can be asked, which must not take more than a second.
	Run(ctx context.Context, h Hooks) error
}

// Hooks are what a Program tells its manager and hears from it. Without a
// manager they do nothing.
type Hooks struct {
	Ready func()
	// Status is a line for people, without text of users.
	Status func(text string)
	// Reloading says that the settings are being read anew, until done.
	Reloading func() (done func())
	// Reload asks the program to read its settings anew. One that waits stands
	// for all that were sent.
	Reload <-chan struct{}
	// Watchdog calls alive now and then, and lets the manager restart the
	// program when it fails for long; it returns when ctx ends, or at once
	// where the manager does not ask.
	Watchdog func(ctx context.Context, alive func(context.Context) error) error
}

// StopGrace is how long a program may take to stop: well below what systemd
// (TimeoutStopSec in the units) and Windows (20 s) allow.
const StopGrace = 5 * time.Second

// ErrStuck is the error of a program that did not stop in time. The process
// must end then: the work goes on in the background.
var ErrStuck = fmt.Errorf("the daemon did not stop within %s", english.Duration(StopGrace))

var errEnded = errors.New("the daemon ended without being asked to")

func newHooks(reload <-chan struct{}) Hooks {
	return Hooks{
		Ready: notify.Ready, Status: notify.Status, Reloading: notify.Reloading,
		Reload: reload, Watchdog: notify.Watchdog,
	}
}

// supervise runs p until ctx ends and returns what Run is to return.
func supervise(ctx context.Context, p Program, h Hooks) error {
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx, h) }()
	select {
	case err := <-done:
		if err == nil && ctx.Err() == nil {
			return errEnded
		}
		return ignoreCancelled(ctx, err)
	case <-ctx.Done():
	}
	notify.Stopping()
	timer := time.NewTimer(StopGrace)
	defer timer.Stop()
	select {
	case err := <-done:
		return ignoreCancelled(ctx, err)
	case <-timer.C:
		slog.Error("the daemon does not stop, this is what it is doing:\n" + stacks())
		return ErrStuck
	}
}

// ignoreCancelled takes the error of being asked to stop as what it is.
func ignoreCancelled(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// stacks of all goroutines: places in the program and addresses, no contents.
func stacks() string {
	for size := 64 << 10; ; size *= 2 {
		buffer := make([]byte, size)
		if n := runtime.Stack(buffer, true); n < size || size >= 16<<20 {
			return string(buffer[:n])
		}
	}
}
