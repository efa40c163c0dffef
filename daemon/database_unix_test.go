//go:build unix

package daemon_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// withFolder is a daemon with a drop folder in which a file is done, a text in
// its history and a pause.
func withFolder(t *testing.T) (s *service, dir string) {
	t.Helper()
	s = start(t, newPaths(t))
	dir = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "before.txt"), []byte("The house is big.\n"), 0o600))
	_, err := s.AddFolder(t.Context(), api.FolderSettings{Path: dir, From: "en", To: []string{"es"}})
	require.NoError(t, err)
	s.until(func(now api.Snapshot) bool { return now.Totals.Files == 1 })
	s.translate("en", "de", "The dog is small.")
	_, err = s.History(t.Context(), api.HistoryQuery{}) // waits until it is written
	require.NoError(t, err)
	_, err = s.Pause(t.Context(), api.PauseRequest{})
	require.NoError(t, err)
	require.NoError(t, s.stop())
	s = start(t, s.paths)
	s.until(func(now api.Snapshot) bool { return now.State == api.StatePaused })
	return s, dir
}

// goesOn drops another file, and lets the next start find all of it.
func (s *service) goesOn(dir string) *service {
	t := s.t
	t.Helper()
	require.NoError(t, s.stop())
	s = start(t, s.paths)
	now := s.until(func(now api.Snapshot) bool { return now.State == api.StatePaused })
	require.Empty(t, now.Notices)
	_, err := s.Resume(t.Context())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "after.txt"), []byte("The cat is black.\n"), 0o600))
	s.until(func(now api.Snapshot) bool {
		return len(now.Folders) == 1 && now.Folders[0].Status.Done == 2 && now.Folders[0].Status.Waiting == 0
	})
	outputs, err := filepath.Glob(filepath.Join(dir, "translated", "*.txt"))
	require.NoError(t, err)
	require.Len(t, outputs, 2, "none twice")
	return s
}

func TestADatabaseThatIsRemovedUnderWayIsNotLost(t *testing.T) {
	s, dir := withFolder(t)
	require.NoError(t, os.Remove(s.paths.StateFile()))
	now := s.until(func(now api.Snapshot) bool { return told(now, "was removed while the service was using it") })
	require.Len(t, now.Notices, 1)
	s = s.goesOn(dir)
	kept, err := s.History(t.Context(), api.HistoryQuery{Search: "dog"})
	require.NoError(t, err)
	require.Len(t, kept.Entries, 1)
}

func TestADatabaseThatIsDamagedUnderWayIsBegunAnew(t *testing.T) {
	s, dir := withFolder(t)
	path := s.paths.StateFile()
	info, err := os.Stat(path)
	require.NoError(t, err)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = f.WriteAt([]byte(strings.Repeat("damage", int(info.Size()-4096)/6)), 4096)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, _ = s.History(t.Context(), api.HistoryQuery{}) // somebody has to find it
	now := s.until(func(now api.Snapshot) bool { return told(now, path+" was damaged") })
	require.Len(t, now.Folders, 1)
	require.Equal(t, api.StatePaused, now.State)
	require.True(t, told(now, "1 folder and"), "%+v", now.Notices)
	s.translate("en", "de", "The dog is small.")
	kept, err := s.History(t.Context(), api.HistoryQuery{})
	require.NoError(t, err)
	require.Len(t, kept.Entries, 1, "kept again")
	s.goesOn(dir)
}
