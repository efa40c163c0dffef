package service

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckSession(t *testing.T) {
	uid := os.Getuid()
	dir := t.TempDir()
	require.ErrorContains(t, checkSession(dir, uid), "systemd does not manage services")
	require.ErrorIs(t, checkSession(dir, uid), ErrNoManager)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "systemd"), 0o700))
	require.NoError(t, checkSession(dir, uid))
	require.ErrorContains(t, checkSession(dir, uid+1), "belongs to user")
	require.ErrorContains(t, checkSession(filepath.Join(dir, "missing"), uid), "log in again")
	require.ErrorContains(t, checkSession("", uid), "XDG_RUNTIME_DIR is not set")
	require.ErrorContains(t, checkSession("", uid), "--system")
	require.NotErrorIs(t, checkSession("", uid), ErrNoManager, "there is one, for others")
}

func TestMachineWithoutSystemd(t *testing.T) {
	if _, err := os.Stat("/run/systemd/system"); err == nil {
		require.ErrorIs(t, booted("linux-openrc"), ErrNoManager)
		return
	}
	for _, scope := range []Scope{User, System} {
		_, err := New(Options{Scope: scope})
		require.ErrorContains(t, err, "not started by systemd")
		require.ErrorIs(t, err, ErrNoManager)
		require.ErrorContains(t, err, "run `dragomand` in the foreground")
	}
}
