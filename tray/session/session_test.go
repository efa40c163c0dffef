package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOneTrayASession(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")
	require.False(t, Taken(first, second))
	require.NoDirExists(t, first)
	release, unkept, err := Take(first, second)
	require.NoError(t, err)
	require.Empty(t, unkept)
	require.True(t, Taken(first, second))
	require.True(t, Taken(second))
	other := filepath.Join(t.TempDir(), "other")
	_, _, err = Take(other, second)
	require.ErrorIs(t, err, ErrTaken)
	require.False(t, Taken(other), "who gives up keeps nothing")
	release()
	require.False(t, Taken(first, second))

	blocked := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o600))
	release, unkept, err = Take(filepath.Join(blocked, "state"), second)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(blocked, "state"), unkept)
	require.True(t, Taken(filepath.Join(blocked, "state"), second))
	release()
}

func TestOneFolderForAll(t *testing.T) {
	folder := t.TempDir()
	release, unkept, err := Take(folder, folder)
	require.NoError(t, err)
	require.Empty(t, unkept)
	_, _, err = Take(folder, folder)
	require.ErrorIs(t, err, ErrTaken)
	release()
	require.False(t, Taken(folder))
}
