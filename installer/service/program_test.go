package service

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

type runs func(ctx context.Context, h Hooks) error

func (f runs) Run(ctx context.Context, h Hooks) error { return f(ctx, h) }

func TestEndOfAProgram(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		name  string
		run   runs
		asked bool
		want  error
	}{
		{"stops when asked", func(ctx context.Context, _ Hooks) error { <-ctx.Done(); return nil }, true, nil},
		{"says that it was asked", func(ctx context.Context, _ Hooks) error { <-ctx.Done(); return ctx.Err() }, true, nil},
		{"needs its time", func(ctx context.Context, _ Hooks) error {
			<-ctx.Done()
			time.Sleep(StopGrace - time.Second)
			return nil
		}, true, nil},
		{"fails while stopping", func(ctx context.Context, _ Hooks) error { <-ctx.Done(); return broken }, true, broken},
		{"does not stop", func(ctx context.Context, _ Hooks) error {
			<-ctx.Done()
			time.Sleep(StopGrace + time.Second)
			return nil
		}, true, ErrStuck},
		{"fails by itself", func(context.Context, Hooks) error { return broken }, false, broken},
		{"ends by itself", func(context.Context, Hooks) error { return nil }, false, errEnded},
		{"is cancelled by itself", func(context.Context, Hooks) error { return context.Canceled }, false, context.Canceled},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				if test.asked {
					time.AfterFunc(time.Hour, stop)
				}
				require.ErrorIs(t, supervise(ctx, test.run, newHooks(nil)), test.want)
				time.Sleep(2 * time.Second) // the end of what was left behind
			})
		})
	}
}

func TestAProgramThatDoesNotStopIsDescribed(t *testing.T) {
	var log bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(old)
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		stop()
		free := make(chan struct{})
		require.ErrorIs(t, supervise(ctx, runs(func(context.Context, Hooks) error { <-free; return nil }), newHooks(nil)), ErrStuck)
		close(free)
	})
	require.Contains(t, log.String(), "TestAProgramThatDoesNotStopIsDescribed", "the place that hangs is in the log")
}

// Nothing may fail for want of a manager.
func TestHooksWithoutAManager(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	t.Setenv("WATCHDOG_USEC", "")
	h := newHooks(nil)
	h.Ready()
	h.Status("text")
	h.Reloading()()
	require.NoError(t, h.Watchdog(t.Context(), func(context.Context) error { panic("not asked for") }))
}
