package daemon_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// told says whether a notice with these words stands.
func told(now api.Snapshot, words string) bool {
	for _, n := range now.Notices {
		if strings.Contains(n.Message, words) {
			return true
		}
	}
	return false
}

func TestASettingsFileChangedByHandCounts(t *testing.T) {
	paths := newPaths(t)
	s := start(t, paths)
	write := func(text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(paths.ConfigFile, []byte(text), 0o600))
		old := time.Now().Add(-time.Minute) // as if the editor had ended long ago
		require.NoError(t, os.Chtimes(paths.ConfigFile, old, old))
	}
	write("[history]\nenabled = false\n")
	s.until(func(now api.Snapshot) bool { return !now.History })
	write("[history]\nenabeld = true\n")
	now := s.until(func(now api.Snapshot) bool { return told(now, paths.ConfigFile+":2") })
	require.False(t, now.History, "the old ones stay in force")
	require.Len(t, now.Notices, 1)
	time.Sleep(10 * look)
	later, err := s.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, now.Notices, later.Notices, "told once")
	write("[history]\nenabled = true\n")
	s.until(func(now api.Snapshot) bool { return now.History && len(now.Notices) == 0 })
	require.NoError(t, os.Remove(paths.ConfigFile))
	off := "false"
	_, err = s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"history.enabled": &off}})
	require.NoError(t, err)
	s.until(func(now api.Snapshot) bool { return !now.History })
}

func TestARestartEndsNoPause(t *testing.T) {
	paths := newPaths(t)
	s := start(t, paths)
	_, err := s.Pause(t.Context(), api.PauseRequest{})
	require.NoError(t, err)
	require.NoError(t, s.stop())
	s = start(t, paths)
	now := s.until(func(now api.Snapshot) bool { return now.State == api.StatePaused })
	require.Zero(t, now.PausedUntil)
	_, err = s.Resume(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.stop())
	s = start(t, paths)
	s.until(func(now api.Snapshot) bool { return now.State == api.StateReady })
}
