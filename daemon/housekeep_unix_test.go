//go:build unix

package daemon_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"dragoman/daemon/api"
)

func TestALostSocketComesBack(t *testing.T) {
	paths := newPaths(t)
	s := start(t, paths)
	before := s.connect()
	require.Equal(t, http.StatusOK, before.status(t))
	answers := func() bool { _, err := s.Status(t.Context()); return err == nil }
	require.NoError(t, os.RemoveAll(paths.RuntimeDir))
	require.Eventually(t, answers, patience, 10*time.Millisecond)
	require.Equal(t, http.StatusOK, before.status(t), "whoever was connected still is")

	// What another process put there is left, and told as long as it is there.
	folder, err := os.Open(paths.RuntimeDir)
	require.NoError(t, err)
	defer folder.Close()
	require.NoError(t, unix.Flock(int(folder.Fd()), unix.LOCK_EX)) // as a daemon does, or a socket that does not listen yet looks dead
	require.NoError(t, os.Remove(paths.Socket()))
	other, err := net.Listen("unix", paths.Socket())
	require.NoError(t, err)
	require.NoError(t, unix.Flock(int(folder.Fd()), unix.LOCK_UN))
	defer other.Close()
	require.Eventually(t, func() bool {
		var now api.Snapshot
		require.NoError(t, json.NewDecoder(before.get(t, "/v1/status").Body).Decode(&now))
		return told(now, paths.Socket())
	}, patience, 10*time.Millisecond)
	require.NoError(t, other.Close())
	require.Eventually(t, answers, patience, 10*time.Millisecond)
	require.Eventually(t, func() bool { // the socket is there a moment before
		now, err := s.Status(t.Context())
		return err == nil && len(now.Notices) == 0
	}, patience, 10*time.Millisecond, "taken back")
}

// status asks on a connection that is kept.
func (k kept) status(t *testing.T) int {
	t.Helper()
	answer := k.get(t, "/v1/settings")
	_, err := io.Copy(io.Discard, answer.Body)
	require.NoError(t, err)
	return answer.StatusCode
}
