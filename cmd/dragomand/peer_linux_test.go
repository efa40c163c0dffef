package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Another user is refused, even if the folder and the socket were opened to
// all by mistake.
func TestAnotherUserIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be another user")
	}
	const nobody = 65534
	h := newHome(t, "")
	p := h.launch().warm()
	h.succeeds("translate", "--to", "de", "The house is big.")

	public, err := os.MkdirTemp("", "dragoman-public-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(public) })
	require.NoError(t, os.Chmod(public, 0o755))
	binary, err := os.ReadFile(shared.command)
	require.NoError(t, err)
	program := filepath.Join(public, "dragoman")
	require.NoError(t, os.WriteFile(program, binary, 0o755))
	stranger := *h
	stranger.dir = public
	stranger.env = map[string]string{
		"HOME": public, "DRAGOMAN_RUNTIME": h.env["DRAGOMAN_RUNTIME"], "DRAGOMAN_STATE": filepath.Join(public, "state"),
	}
	try := func(args ...string) *process {
		q := stranger.prepare(program, args...)
		q.cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
		q.start().wait()
		return q
	}
	socket := filepath.Join(h.env["DRAGOMAN_RUNTIME"], "api.sock")
	for _, modes := range [][2]os.FileMode{{0o700, 0o600}, {0o755, 0o600}, {0o755, 0o666}} {
		require.NoError(t, os.Chmod(filepath.Dir(socket), modes[0]))
		require.NoError(t, os.Chmod(socket, modes[1]))
		for _, args := range [][]string{{"status"}, {"history"}, {"translate", "--to", "de", "The house is big."}} {
			q := try(args...)
			require.NotZero(t, q.code, "%v %v", modes, args)
			require.Empty(t, q.stdout.String())
			if modes[1] == 0o666 { // the connection is closed before anything is read from it
				require.Contains(t, h.read("state/log/dragomand.log"), fmt.Sprintf("%d", nobody))
			} else {
				require.Contains(t, q.stderr.String(), "permission denied: it serves another user")
			}
		}
	}
	now, err := h.client().Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), now.Totals.Texts)
	p.stop()
}
