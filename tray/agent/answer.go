package agent

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"dragoman/tray/message"
	"dragoman/tray/notify"
)

const (
	// doubtAfter is how long a request of the person's may take before the
	// service is asked for a sign of life, and again after each of them.
	doubtAfter = 10 * time.Second
	// signWithin is how long that may take. It is a matter of milliseconds,
	// whatever the service is busy with.
	signWithin = 10 * time.Second
)

// errSilent is the error of a request that the service does not answer because it
// hangs, as a process does that was stopped by a signal.
var errSilent = errors.New("the service does not answer")

// ask asks the service for something that the person waits for. Its error is
// errSilent within half a minute where the service hangs. Nothing is asked while
// nobody waits. It runs beside Run's goroutine.
func (a *Agent) ask(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	a.work.Go(func() {
		doubt := time.NewTicker(doubtAfter)
		defer doubt.Stop()
		for {
			select {
			case <-doubt.C:
			case <-ctx.Done():
				return
			}
			asked, stop := context.WithTimeout(ctx, signWithin)
			_, err := a.opts.Client.Status(asked)
			stop()
			if errors.Is(err, context.DeadlineExceeded) {
				cancel(errSilent) // the first cause counts
			}
		}
	})
	err := f(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errSilent) {
		return errSilent
	}
	return err
}

// fellSilent shows that the service hangs until it gives a sign of life: one
// request waits for that, however long it takes.
func (a *Agent) fellSilent(ctx context.Context) {
	if a.silent {
		return
	}
	slog.Warn("The service does not answer")
	a.silent = true
	a.aside(ctx, func() func() {
		_, err := a.opts.Client.Status(ctx)
		return func() {
			if err == nil { // else the event stream tells what became of it
				a.silent = false
			}
		}
	})
}

// tellSilent tells the person, who has asked for something.
func (a *Agent) tellSilent(ctx context.Context) {
	var buttons []notify.Action
	if a.opts.Desktop.RestartService != nil {
		buttons = []notify.Action{{ID: actRestart, Label: a.texts.Say(message.ServiceRestart)}}
	}
	a.tell(ctx, "away", a.texts.Say(message.StatusSilent), buttons...)
}
