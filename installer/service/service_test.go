package service

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFindDaemon(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, daemonFile)
	_, err := findDaemon(path)
	require.ErrorContains(t, err, path+" is missing")

	require.NoError(t, os.WriteFile(path, nil, 0o755))
	found, err := findDaemon(path)
	require.NoError(t, err)
	require.Equal(t, path, found)

	_, err = findDaemon(dir)
	require.ErrorContains(t, err, "is not a program")
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Chmod(path, 0o644))
		_, err = findDaemon(path)
		require.ErrorContains(t, err, "is not a program")
	}

	self, err := os.Executable()
	require.NoError(t, err)
	_, err = findDaemon("")
	require.ErrorContains(t, err, filepath.Join(filepath.Dir(self), daemonFile), "it is looked for beside this program")
}

func TestNotInstalledIsOneErrorInBothScopes(t *testing.T) {
	for _, scope := range []Scope{User, System} {
		require.ErrorIs(t, scope.notInstalled(), ErrNotInstalled)
		require.ErrorContains(t, scope.notInstalled(), "dragoman service install"+scope.flag())
	}
}

func TestBounded(t *testing.T) {
	broken := errors.New("broken")
	require.ErrorIs(t, bounded(t.Context(), "try", func() error { return broken }), broken)
}

func TestFolderArguments(t *testing.T) {
	require.Empty(t, Folders{}.args())
	require.Equal(t, []string{"--config", `C:\c`, "--data", `C:\d`}, Folders{Config: `C:\c`, Data: `C:\d`}.args())
}
