package daemon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"dragoman/daemon/api"
)

func TestAFullDiskOfTheDatabaseIsToldOnceAndTakenBack(t *testing.T) {
	paths := newPaths(t)
	require.NoError(t, os.MkdirAll(paths.StateDir, 0o700))
	if err := unix.Mount("tmpfs", paths.StateDir, "tmpfs", 0, "mode=700,size=3m"); err != nil {
		t.Skipf("mounting a small disk needs root: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(paths.StateDir, unix.MNT_DETACH) })
	s := start(t, paths).warm()
	ballast, err := os.Create(filepath.Join(paths.StateDir, "ballast"))
	require.NoError(t, err)
	for err == nil {
		_, err = ballast.Write(make([]byte, 4096))
	}
	require.NoError(t, ballast.Close())
	const full = "The disk is full: make room on it"
	for i := 0; ; i++ {
		s.translate("en", "es", fmt.Sprintf("The house number %d is big. %s", i, strings.Repeat("1234 ", 500)))
		now, err := s.Status(t.Context())
		require.NoError(t, err)
		if told(now, full) {
			require.Len(t, now.Notices, 1)
			break
		}
		require.Less(t, i, 1000)
	}
	dirs := []string{t.TempDir(), t.TempDir()}
	for _, dir := range dirs {
		_, _ = s.AddFolder(t.Context(), api.FolderSettings{Path: dir, From: "en", To: []string{"es"}}) // perhaps there is room for that
	}
	now, err := s.Status(t.Context())
	require.NoError(t, err)
	require.Len(t, now.Notices, 1, "once for all")
	require.NoError(t, os.Remove(ballast.Name()))
	s.until(func(now api.Snapshot) bool { return len(now.Notices) == 0 })
	s.translate("en", "de", "The cat is black.")
	require.Eventually(t, func() bool {
		kept, err := s.History(t.Context(), api.HistoryQuery{Search: "black"})
		require.NoError(t, err)
		return len(kept.Entries) == 1
	}, patience, 10*time.Millisecond)
}
