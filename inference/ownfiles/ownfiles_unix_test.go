//go:build unix

package ownfiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFolderThatCannotBeRead puts a file in its place; to Windows that is the
// same as nothing.
func TestFolderThatCannotBeRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "own")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("word"), 0o600))
	f := New(dir, format, func(all []string) string { return strings.Join(all, " ") })
	_, err := f.Current()
	require.NoError(t, err)
	require.NoError(t, os.Rename(dir, dir+"2"))
	require.NoError(t, os.WriteFile(dir, nil, 0o600))
	got, err := f.Current()
	require.Error(t, err)
	require.Equal(t, "word", got, "what was read last counts on")
	_, err = f.Files()
	require.Error(t, err)
	got, err = f.Current()
	require.NoError(t, err, "it is said once")
	require.Equal(t, "word", got)
	require.NoError(t, os.Remove(dir))
	require.NoError(t, os.Rename(dir+"2", dir))
	got, err = f.Current()
	require.NoError(t, err)
	require.Equal(t, "word", got)
}
