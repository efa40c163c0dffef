//go:build unix

package service

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// RunOptions are for Run.
type RunOptions struct {
	ServeSCM bool             // Windows only, see Options
	Hangups  <-chan os.Signal // of CatchHangups; Run calls it if nil
}

// CatchHangups keeps SIGHUP, which asks for a reload, from ending this process
// while it gets ready for Run: a program should call it first thing. At a terminal
// the signal means that the terminal is gone, and ends the process as usual; the
// channel is nil then.
func CatchHangups() <-chan os.Signal {
	if hasTerminal() {
		return nil
	}
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	return hangups
}

// Run runs p under a service manager or in the foreground until SIGTERM or an
// interrupt; a second one ends the process at once. SIGHUP asks p to reload,
// except at a terminal, where it means that the terminal is gone. After
// ErrStuck the caller must end the process. A stderr that nobody reads any more
// does not end it.
//
// On unix a manager asks for no more than this, so that kardianos/service,
// whose Run would not notice a program that ends by itself, is not used.
func Run(ctx context.Context, p Program, o RunOptions) error {
	hangups := o.Hangups
	if hangups == nil {
		hangups = CatchHangups()
	}
	stopping := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if hangups == nil {
		stopping = append(stopping, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(ctx, stopping...)
	defer stop()
	context.AfterFunc(ctx, stop)
	// What reads stderr may be gone, such as the logger of a container: a signal
	// that is caught makes a failed write of what would end the process.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	reload := make(chan struct{}, 1)
	if hangups != nil {
		go forward(ctx, hangups, reload)
	}
	return supervise(ctx, p, newHooks(reload))
}

func forward(ctx context.Context, hangups <-chan os.Signal, reload chan<- struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangups:
			select {
			case reload <- struct{}{}:
			default: // one is waiting already
			}
		}
	}
}

// hasTerminal says whether a terminal controls this process.
func hasTerminal() bool {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	f.Close()
	return true
}
