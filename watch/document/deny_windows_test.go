package document

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"
)

// openToWrite opens a file as a program that lets others do everything with it,
// even rename it.
func openToWrite(t *testing.T, path string) windows.Handle {
	t.Helper()
	name, err := windows.UTF16PtrFromString(path)
	require.NoError(t, err)
	h, err := windows.CreateFile(name, windows.GENERIC_WRITE, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE,
		nil, windows.OPEN_EXISTING, 0, 0)
	require.NoError(t, err)
	return h
}

func TestOriginalsThatAreOpenForWritingStay(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "a.txt")
	stamp := original(t, root, "a.txt", "one")
	h := openToWrite(t, path)
	_, err := MoveDone(root, "a.txt", stamp)
	require.ErrorIs(t, err, ErrChanged)
	require.ErrorIs(t, MoveToBin(path, stamp), ErrChanged)
	require.FileExists(t, path)
	require.NoError(t, windows.CloseHandle(h))
	to, err := MoveDone(root, "a.txt", stamp)
	require.NoError(t, err)
	content, err := os.ReadFile(to)
	require.NoError(t, err)
	require.Equal(t, "one", string(content))
}
