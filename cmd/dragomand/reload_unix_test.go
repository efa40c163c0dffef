//go:build unix

package main

import (
	"database/sql"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"
)

// serviceManager listens to what a daemon tells its manager, as systemd does.
func (h *home) serviceManager() (next func() string) {
	h.t.Helper()
	path := filepath.Join(h.env["DRAGOMAN_RUNTIME"], "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	require.NoError(h.t, err)
	h.t.Cleanup(func() { socket.Close() })
	h.env["NOTIFY_SOCKET"] = path
	return func() string {
		h.t.Helper()
		for buffer := make([]byte, 4096); ; {
			n, err := socket.Read(buffer)
			require.NoError(h.t, err)
			if message := string(buffer[:n]); !strings.HasPrefix(message, "STATUS=") {
				return message
			}
		}
	}
}

// A reload that is asked for while the daemon starts comes after the start, with
// the settings as they are then. The database is locked meanwhile, so that the
// start takes as long as the test wants.
func TestReloadDuringTheStart(t *testing.T) {
	h := newHome(t, "")
	h.launch().answering().stop()
	other, err := sql.Open("sqlite", "file:"+h.path("state/state.db"))
	require.NoError(t, err)
	defer other.Close()
	other.SetMaxOpenConns(1)
	_, err = other.Exec("BEGIN EXCLUSIVE")
	require.NoError(t, err)

	next := h.serviceManager()
	p := h.launch()
	h.eventually("the start, which has read the settings", func() bool {
		_, err := os.Stat(h.path("state/dragomand.json"))
		return err == nil
	})
	h.configure("history.enabled = false\n")
	for range 3 {
		p.signal(syscall.SIGHUP)
	}
	_, err = other.Exec("ROLLBACK")
	require.NoError(t, err)
	require.Equal(t, "READY=1", next())
	require.Contains(t, next(), "RELOADING=1\nMONOTONIC_USEC=")
	require.Equal(t, "READY=1", next())
	now, err := h.client().Status(t.Context())
	require.NoError(t, err)
	require.False(t, now.History, "ready again means that the settings are in force")
	p.stop()
	require.Equal(t, "STOPPING=1", next())
	require.Equal(t, 1, strings.Count(p.stderr.String(), "Settings were read again"), "one stands for all that were sent")
}
