package notify

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPingsComeAtHalfTheInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		pings := make(chan time.Time, 100)
		start := time.Now()
		go pet(ctx, time.Minute, func(context.Context) error { return nil }, func() { pings <- time.Now() })
		time.Sleep(2*time.Minute + time.Second)
		cancel()
		synctest.Wait()
		close(pings)
		var after []time.Duration
		for at := range pings {
			after = append(after, at.Sub(start))
		}
		require.Equal(t, []time.Duration{0, 30 * time.Second, 60 * time.Second, 90 * time.Second, 120 * time.Second}, after)
	})
}

func TestNoPingWithoutASignOfLife(t *testing.T) {
	for name, alive := range map[string]func(context.Context) error{
		"fails": func(context.Context) error { return errors.New("the queue stands still") },
		"hangs": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
				defer cancel()
				pings := 0
				pet(ctx, time.Minute, alive, func() { pings++ })
				require.Zero(t, pings)
			})
		})
	}
}

func TestPingsGoOnWhenLifeComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute-time.Second)
		defer cancel()
		calls, pings := 0, 0
		pet(ctx, time.Minute, func(context.Context) error {
			if calls++; calls <= 2 {
				return errors.New("busy")
			}
			return nil
		}, func() { pings++ })
		require.Equal(t, 6, calls)
		require.Equal(t, 4, pings)
	})
}
