package document

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A kill while the shell moves originals to the bin, at each moment of it.
func TestBringBack(t *testing.T) {
	root := t.TempDir()
	path := func(rel string) string { return filepath.Join(root, filepath.FromSlash(rel)) }
	kept := func(rel string) {
		t.Helper()
		original(t, root, rel, rel)
		_, err := keep(path(rel))
		require.NoError(t, err)
	}
	kept("a.txt")         // nothing was done yet
	kept("s/removed.txt") // it is nowhere else, perhaps
	require.NoError(t, os.Remove(path("s/removed.txt")))
	kept("s/new.txt") // and another has its name by now
	require.NoError(t, os.Remove(path("s/new.txt")))
	original(t, root, "s/new.txt", "another")

	back, err := BringBack(root, false)
	require.NoError(t, err)
	require.Zero(t, back)
	require.NoDirExists(t, path(keptDir))
	back, err = BringBack(root, true)
	require.NoError(t, err)
	require.Equal(t, 2, back)
	require.NoDirExists(t, path("s/"+keptDir))
	for rel, want := range map[string]string{
		"a.txt": "a.txt", "s/removed.txt": "s/removed.txt", "s/new.txt": "another", "s/new (2).txt": "s/new.txt",
	} {
		content, err := os.ReadFile(path(rel))
		require.NoError(t, err)
		require.Equal(t, want, string(content))
	}
	back, err = BringBack(path("missing"), true)
	require.NoError(t, err)
	require.Zero(t, back)
}
