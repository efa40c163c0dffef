package document

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Either the file is in the bin or it is where it was.
func TestMoveToTheBin(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "a.txt")
	stamp := original(t, root, "a.txt", "one")
	before := inBin(path)
	err := MoveToBin(path, stamp)
	entries, readErr := os.ReadDir(root)
	require.NoError(t, readErr)
	if errors.Is(err, ErrNoBin) {
		require.Len(t, entries, 1, "and no second link")
		now, err := StampOf(path)
		require.NoError(t, err)
		require.Equal(t, stamp, now)
		t.Skip("the disk of the temporary folder has no bin")
	}
	require.NoError(t, err)
	require.Empty(t, entries)
	require.Equal(t, before+1, inBin(path))
	require.False(t, hasBin(`\\server\share\a.txt`))
}
