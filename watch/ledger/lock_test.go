package ledger

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// A ledger and a lock exclude one another, for one language.
func TestLockIsThatOfTheLedger(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	lock, err := TakeLock(dir, "es")
	require.NoError(t, err)
	require.True(t, lock.Held())
	require.FileExists(t, filepath.Join(dir, ".dragoman.es.lock"), "it marks the folder")
	_, err = Open(dir, "es", "recipe")
	require.ErrorIs(t, err, ErrBusy)
	_, err = TakeLock(dir, "es")
	require.ErrorIs(t, err, ErrBusy)
	french, err := Open(dir, "fr", "recipe")
	require.NoError(t, err)
	require.NoError(t, french.Close())
	require.NoError(t, lock.Release())
	l, err := Open(dir, "es", "recipe")
	require.NoError(t, err)
	_, err = TakeLock(dir, "es")
	require.ErrorIs(t, err, ErrBusy)
	require.NoError(t, l.Close())
	require.FileExists(t, filepath.Join(dir, ".dragoman.es.lock"), "the mark stays")

	_, err = TakeLock(dir, "../es")
	require.ErrorContains(t, err, "not a language code")
	_, err = TakeLock(filepath.Join(dir, "a", "b"), "es")
	require.Error(t, err, "only the folder itself is made")
}

func TestLockOfAFolderThatWasReplaced(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a folder with an open file cannot be removed here")
	}
	dir := filepath.Join(t.TempDir(), "out")
	lock, err := TakeLock(dir, "es")
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(dir))
	require.False(t, lock.Held())
	again, err := TakeLock(dir, "es")
	require.NoError(t, err)
	require.True(t, again.Held())
	require.False(t, lock.Held(), "another file of that name")
	require.NoError(t, lock.Release())
	require.NoError(t, again.Release())
}
