package service

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	kardianos "github.com/kardianos/service"
	"golang.org/x/sys/windows/svc"
)

// RunOptions are for Run.
type RunOptions struct {
	ServeSCM bool             // see Options
	Hangups  <-chan os.Signal // unix only
}

// CatchHangups does nothing: Windows has no such signal.
func CatchHangups() <-chan os.Signal { return nil }

// Interactive says whether this process was not started as a Windows service.
func Interactive() bool { return kardianos.Interactive() }

// Run runs p as a Windows service or in the foreground until it is asked to
// stop; a second Ctrl-C ends the process at once. After ErrStuck the caller
// must end the process.
func Run(ctx context.Context, p Program, o RunOptions) error {
	if kardianos.Interactive() && !o.ServeSCM {
		ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop)
		return supervise(ctx, p, newHooks(nil))
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	a := &adapter{
		stop: stop, asked: ctx.Done(), done: make(chan struct{}),
		run: func() error { return supervise(ctx, p, newHooks(nil)) },
	}
	s, err := kardianos.New(a, &kardianos.Config{Name: Name})
	if err != nil {
		return err
	}
	if h, ok := s.(svc.Handler); ok && o.ServeSCM {
		err = svc.Run(Name, h) // does not ask whether Windows calls this a service
	} else {
		err = s.Run()
	}
	select {
	case <-a.done:
		return errors.Join(a.err, err)
	default: // it was never started
		return err
	}
}

// adapter is a Program as kardianos/service calls it: both methods are called
// by the thread that answers the service manager, so that Start returns at once.
type adapter struct {
	run   func() error
	stop  func()
	asked <-chan struct{} // closed by stop
	done  chan struct{}   // closed when run has returned
	err   error           // of run, valid once done is closed
}

func (a *adapter) Start(kardianos.Service) error {
	go func() {
		defer close(a.done)
		a.err = a.run()
		select {
		case <-a.asked:
		default:
			slog.Error("the daemon failed", "err", a.err)
			os.Exit(1) // an end without a word to the manager is what recovery actions follow
		}
	}()
	return nil
}

func (a *adapter) Stop(kardianos.Service) error {
	a.stop()
	<-a.done // within StopGrace
	return a.err
}
