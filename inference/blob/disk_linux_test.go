package blob

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// smallDisk mounts a disk of its own for a test, which needs the right to mount.
func smallDisk(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("dragoman-test", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	return dir
}

func TestFullDisk(t *testing.T) {
	s := Open(smallDisk(t, "size=4m"), Options{})
	put(t, s, testKey("a"), payload(1<<20, 1))
	require.ErrorContains(t, s.Put(testKey("b"), writer(payload(5<<20, 2))), "the disk is full")
	require.ErrorIs(t, s.Put(testKey("b"), writer(payload(5<<20, 2))), unix.ENOSPC)
	requireNothingLeft(t, s)

	// The runtime does not look at the errors of its stream.
	silent := func(path string) error {
		_ = os.WriteFile(path, payload(5<<20, 2), 0o600)
		return nil
	}
	require.ErrorContains(t, s.Put(testKey("b"), silent), "the disk is full")
	require.Contains(t, s.Status().Problem, "the disk is full")
	requireNothingLeft(t, s)
	requireMiss(t, s, testKey("b"), ErrMiss.Error())
	requireBlob(t, s, testKey("a"), payload(1<<20, 1))
	put(t, s, testKey("c"), payload(1<<20, 3))
}

func TestReadOnlyDisk(t *testing.T) {
	dir := smallDisk(t, "size=4m")
	first := Open(dir, Options{})
	put(t, first, testKey("b"), payload(1000, 1))
	path := put(t, first, testKey("c"), payload(1000, 1))
	require.NoError(t, os.Truncate(path, 500))
	require.NoError(t, unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))

	s := Open(dir, Options{})
	require.Equal(t, ReadOnly, s.Status().Mode)
	require.Contains(t, s.Status().Problem, "read-only")
	requireWithoutStore(t, s)
	requireBlob(t, s, testKey("b"), payload(1000, 1))
	requireMiss(t, s, testKey("c"), "no footer")
	s.Quarantine(testKey("b"), "wrong result")
	requireMiss(t, s, testKey("b"), ErrMiss.Error())

	// A store that becomes read-only later says so at Put.
	require.ErrorContains(t, first.Put(testKey("d"), writer(payload(10, 1))), "read-only")
	requireBlob(t, first, testKey("b"), payload(1000, 1))
}
