package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestDiskFull(t *testing.T) {
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=6m"); err != nil {
		t.Skipf("mounting a small disk needs root: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(disk, 0)) })
	ballast := filepath.Join(disk, "ballast")
	require.NoError(t, os.WriteFile(ballast, make([]byte, 4<<20), 0o600))
	s := openAt(t, filepath.Join(disk, "state.db"))
	checkFull(t, s, func() { require.NoError(t, os.Remove(ballast)) })
}

func TestStartOnAFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("mounting a small disk needs root: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(disk, 0)) })
	path := filepath.Join(disk, "state.db")
	s := openAt(t, path)
	folder := newFolder(t, s, "/in")
	last := s.NextRevision()
	// With what SQLite had beside the file, as after a kill.
	for _, suffix := range []string{"-wal", "-shm"} {
		require.Positive(t, size(path+suffix))
	}
	content := make(map[string][]byte)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		var err error
		content[suffix], err = os.ReadFile(path + suffix)
		require.NoError(t, err)
	}
	require.NoError(t, s.Close())
	for suffix, bytes := range content {
		require.NoError(t, os.WriteFile(path+suffix, bytes, 0o600))
	}
	ballast, err := os.Create(filepath.Join(disk, "ballast"))
	require.NoError(t, err)
	for err == nil {
		_, err = ballast.Write(make([]byte, 4096))
	}
	require.NoError(t, ballast.Close())

	s = openAt(t, path)
	require.Empty(t, s.SetAside())
	folders, err := s.Folders(t.Context())
	require.NoError(t, err)
	require.Equal(t, folder, folders[0].ID)
	next := s.NextRevision()
	require.Greater(t, next, last)
	require.NoError(t, os.Remove(ballast.Name()))
	for range 3 * unreservedBlock {
		s.NextRevision()
	}
	last = s.NextRevision()
	require.NoError(t, s.Close())
	require.Greater(t, openAt(t, path).NextRevision(), last, "reserved as soon as there was room")
}
