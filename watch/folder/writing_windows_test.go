package folder

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"
)

func TestOpenForWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	ask := func() bool {
		open, known := OpenForWriting(path)
		require.True(t, known)
		return open
	}
	f, err := os.Create(path) // which lets others read and write
	require.NoError(t, err)
	require.True(t, ask())
	require.ErrorIs(t, tryOpen(path), windows.ERROR_SHARING_VIOLATION)
	require.True(t, inUse(tryOpen(path)))
	require.NoError(t, f.Close())
	require.False(t, ask())
	reading, err := os.Open(path)
	require.NoError(t, err)
	require.False(t, ask(), "reading it is no reason to wait")
	require.NoError(t, reading.Close())

	name, err := windows.UTF16PtrFromString(path)
	require.NoError(t, err)
	alone, err := windows.CreateFile(name, windows.GENERIC_READ, 0, nil, windows.OPEN_EXISTING, 0, 0)
	require.NoError(t, err)
	require.True(t, ask())
	require.NoError(t, windows.CloseHandle(alone))
	_, known := OpenForWriting(path + "x")
	require.False(t, known)
}
