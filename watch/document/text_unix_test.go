//go:build unix

package document

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadTextNeverWaits(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.txt")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	_, err := ReadText(pipe)
	require.ErrorContains(t, err, "is a named pipe")
	_, err = StampOf(pipe) // opens first
	require.ErrorContains(t, err, "is a named pipe")
	_, err = ReadText("/dev/zero")
	require.ErrorContains(t, err, "is a device")
}

func TestWriteAtomicCarriesTheMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	for _, mode := range []fs.FileMode{0o640, 0o444, 0o666, 0o600} {
		require.NoError(t, WriteAtomic(path, []byte("x"), mode|fs.ModeSetuid))
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode())
	}
}

func TestCleanTempsDoesNotFollowLinks(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	orphan := filepath.Join(other, ".dragoman-999999999-0123456789abcdef.tmp")
	require.NoError(t, os.WriteFile(orphan, nil, 0o600))
	require.NoError(t, os.Symlink(other, filepath.Join(dir, "link")))
	require.NoError(t, os.Symlink(orphan, filepath.Join(dir, filepath.Base(orphan))))
	n, err := CleanTemps(dir)
	require.NoError(t, err)
	require.Zero(t, n)
	require.FileExists(t, orphan)
}
