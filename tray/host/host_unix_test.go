//go:build unix

package host

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/tray/bus"
	"dragoman/tray/desktest"
)

func TestShows(t *testing.T) {
	b := desktest.StartBus(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", b.Address())
	now := func() bool {
		t.Helper()
		shows, err := Shows(t.Context())
		require.NoError(t, err)
		return shows
	}
	require.False(t, now())
	d := desktest.StartPanel(t, b, false)
	require.False(t, now(), "nobody shows what the watcher lists")
	d.ShowsIcons(t)
	require.True(t, now())
	b.Stop()
	_, err := Shows(t.Context())
	require.ErrorIs(t, err, bus.ErrNone)
}

func TestFollow(t *testing.T) {
	b := desktest.StartBus(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", b.Address())
	reports, ended := make(chan bool, 8), make(chan error, 1)
	go func() {
		ended <- follow(t.Context(), 50*time.Millisecond, func(shows bool) { reports <- shows })
	}()
	next := func() bool {
		t.Helper()
		select {
		case shows := <-reports:
			return shows
		case <-time.After(desktest.Soon):
			t.Fatal("nothing is reported")
			return false
		}
	}
	require.False(t, next(), "there is no watcher")
	d := desktest.StartPanel(t, b, false)
	d.ShowsIcons(t)
	require.True(t, next())
	d.Stop(t)
	require.False(t, next(), "the panel has gone")
	desktest.StartPanel(t, b, true)
	require.True(t, next())
	b.Stop()
	require.ErrorIs(t, <-ended, bus.ErrLost)
	require.Empty(t, reports, "reported although nothing changed")
	require.ErrorIs(t, Follow(t.Context(), nil), bus.ErrNone)
}

// TestEnded: the first to hear of a bus that goes may be whoever writes to it.
func TestEnded(t *testing.T) {
	b := desktest.StartBus(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", b.Address())
	conn, err := bus.Connect(desktest.Soon)
	require.NoError(t, err)
	defer conn.Close()
	broken := &net.OpError{Op: "write", Net: "unix", Err: syscall.EPIPE}
	require.ErrorIs(t, ended(t.Context(), conn, fmt.Errorf("ask: %w", broken)), bus.ErrLost)
	other := errors.New("another")
	require.Equal(t, other, ended(t.Context(), conn, other))
	stopped, stop := context.WithCancel(t.Context())
	stop()
	require.NoError(t, ended(stopped, conn, other))
}

func TestPatienceWithADesktopThatStarts(t *testing.T) {
	b := desktest.StartBus(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", b.Address())
	ctx, cancel := context.WithCancel(t.Context())
	reports, ended := make(chan bool, 8), make(chan error, 1)
	go func() { ended <- follow(ctx, time.Hour, func(shows bool) { reports <- shows }) }()
	d := desktest.StartPanel(t, b, true)
	require.True(t, <-reports, "what was missing at first is reported")
	d.Stop(t)
	desktest.StartPanel(t, b, true)
	cancel()
	require.NoError(t, <-ended)
	require.Empty(t, reports)
}
