//go:build unix

package notify

import (
	"context"
	"net"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// manager is a socket that notifications are sent to, as systemd has one.
func manager(t *testing.T) *net.UnixConn {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	t.Setenv("NOTIFY_SOCKET", path)
	return conn
}

func next(t *testing.T, conn *net.UnixConn) string {
	t.Helper()
	buffer := make([]byte, 4096)
	n, err := conn.Read(buffer)
	require.NoError(t, err)
	return string(buffer[:n])
}

func TestMessages(t *testing.T) {
	conn := manager(t)
	Ready()
	require.Equal(t, "READY=1", next(t, conn))
	Status("loading the model\nREADY=1")
	require.Equal(t, "STATUS=loading the model READY=1", next(t, conn), "a status cannot smuggle in another message")
	done := Reloading()
	require.Regexp(t, `^RELOADING=1\nMONOTONIC_USEC=[1-9][0-9]+\n$`, next(t, conn))
	done()
	require.Equal(t, "READY=1", next(t, conn))
	Stopping()
	require.Equal(t, "STOPPING=1", next(t, conn))
}

func TestWatchdogFollowsTheManager(t *testing.T) {
	conn := manager(t)
	t.Setenv("WATCHDOG_USEC", "60000000")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Watchdog(ctx, func(context.Context) error { return nil }) }()
	require.Equal(t, "WATCHDOG=1", next(t, conn))
	cancel()
	require.NoError(t, <-ended)
}

func TestWatchdogOfAnotherProcessIsNotOurs(t *testing.T) {
	t.Setenv("WATCHDOG_USEC", "60000000")
	t.Setenv("WATCHDOG_PID", "1")
	require.NoError(t, Watchdog(t.Context(), func(context.Context) error { panic("not asked for") }))
}

func TestWatchdogWithAnUnreadableInterval(t *testing.T) {
	t.Setenv("WATCHDOG_USEC", "soon")
	require.ErrorContains(t, Watchdog(t.Context(), nil), "watchdog")
}
