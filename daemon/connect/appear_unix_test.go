//go:build unix

package connect

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/config"
	"dragoman/daemon/ipc"
)

func TestAppearsTellsOfTheSocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "appears-") // sockets take no long paths
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv(config.EnvRuntime, dir)
	require.Nil(t, Appears(t.Context(), config.Paths{RuntimeDir: filepath.Join(dir, "none")}))

	paths := config.Paths{RuntimeDir: dir}
	told := Appears(t.Context(), paths)
	for range 2 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "page.html"), nil, 0o600))
		l, err := ipc.Listen(ipc.Options{Address: ipc.Default(dir)})
		require.NoError(t, err)
		<-told
		require.NoError(t, l.Close())
		for len(told) > 0 { // of the socket's making, which may be several steps
			<-told
		}
	}
}
