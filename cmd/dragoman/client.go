package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/daemon/connect"
	"dragoman/daemon/instance"
	"dragoman/installer/service"
	"dragoman/internal/english"
)

func newClient() (*api.Client, error) {
	paths, err := config.NewPaths(config.Host())
	if err != nil {
		return nil, setupError{err}
	}
	return connect.Client(paths), nil
}

// appears tells when the service may have come, nil where nobody can.
func appears(ctx context.Context) <-chan struct{} {
	paths, err := config.NewPaths(config.Host())
	if err != nil {
		return nil
	}
	return connect.Appears(ctx, paths)
}

// asking makes a command that asks the service.
func asking(run func(c *cobra.Command, client *api.Client, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		client, err := newClient()
		if err != nil {
			return err
		}
		if err = answers(c.Context(), client); err == nil {
			err = run(c, client, args)
		}
		if errors.Is(err, api.ErrNotRunning) {
			return explainDown(c.Context(), err)
		}
		return err
	}
}

// answerWait is far longer than the service takes to say how it is doing.
var answerWait = 10 * time.Second

// answers is an error unless the service answers: one that hangs would let a
// command wait for ever.
func answers(ctx context.Context, client *api.Client) error {
	asked, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	_, err := client.Status(asked)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("the service is there, but has not answered for %s: %s, or see `dragoman service logs`", english.Duration(answerWait), howToRestart())
	}
	return err
}

// explainDown says why nobody answers and what to do about it: err only says
// that nobody does.
func explainDown(ctx context.Context, err error) error {
	if err := cutOff(); err != nil {
		return err
	}
	manager, managerErr := (&serviceCommand{}).manager()
	if managerErr != nil {
		return downError{fmt.Errorf("the dragoman service is not running, and none can be started from here: %w", managerErr)}
	}
	status, statusErr := manager.Status(ctx)
	switch {
	case statusErr != nil:
		return err
	case status.State == service.NotInstalled:
		return downError{errors.New("the dragoman service is not running: install it with `dragoman service install`, or run `dragomand` in the foreground")}
	case status.State == service.Failed, status.State == service.Restarting:
		return downError{fmt.Errorf("the dragoman service is not running: it failed (%s): see `dragoman service logs`, then `dragoman service start`", status.Reason)}
	case status.PID != 0:
		return downError{fmt.Errorf("the dragoman service does not answer yet (it is %s): see `dragoman service status`", status.State)}
	}
	return downError{errors.New("the dragoman service is not running: start it with `dragoman service start`")}
}

// cutOff is an error where the service runs but cannot be reached, since its
// socket was removed.
func cutOff() error {
	paths, err := config.NewPaths(config.Host())
	if err != nil {
		return nil
	}
	holder, found, err := instance.Holder(paths.StateDir)
	if err != nil || !found || holder.PID == 0 {
		return nil
	}
	return fmt.Errorf("the service runs (process %d), but its socket is not in %s: if it was removed, %s; if the service has another DRAGOMAN_RUNTIME or XDG_RUNTIME_DIR, set the same here",
		holder.PID, paths.RuntimeDir, holder.HowToRestart())
}

// howToRestart says how the service is restarted that this user's commands speak
// to.
func howToRestart() string {
	if paths, err := config.NewPaths(config.Host()); err == nil {
		if holder, found, err := instance.Holder(paths.StateDir); err == nil && found && holder.PID != 0 {
			return holder.HowToRestart()
		}
	}
	return (&serviceCommand{system: onLinux}).with("dragoman service restart") // the one of the machine
}
