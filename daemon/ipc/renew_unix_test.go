//go:build unix

package ipc

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// echo echoes at an address until the test ends.
func echo(t *testing.T, a Address) *Listener {
	t.Helper()
	l, err := Listen(Options{Address: a})
	require.NoError(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = io.Copy(c, c)
			}()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close() // the test may have done so
		<-ended
		_, err := l.Renew()
		require.ErrorIs(t, err, net.ErrClosed)
	})
	return l
}

func TestALostSocketIsMadeAnew(t *testing.T) {
	for name, lose := range map[string]func(t *testing.T, path string){
		"removed": func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) },
		"with its folder": func(t *testing.T, path string) {
			require.NoError(t, os.RemoveAll(filepath.Dir(path)))
		},
		"with the folder above, of which another is there": func(t *testing.T, path string) {
			above := filepath.Dir(filepath.Dir(path))
			require.NoError(t, os.RemoveAll(above))
			require.NoError(t, os.Mkdir(above, 0o700))
		},
		"replaced by one that nobody listens at": func(t *testing.T, path string) {
			require.NoError(t, os.Remove(path))
			dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
			require.NoError(t, err)
			dead.SetUnlinkOnClose(false)
			require.NoError(t, dead.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := Default(filepath.Join(t.TempDir(), "user", "run"))
			l := echo(t, a)
			before := open(t, a)
			renewed, err := l.Renew()
			require.NoError(t, err)
			require.False(t, renewed, "nothing is lost yet")

			lose(t, string(a))
			renewed, err = l.Renew()
			require.NoError(t, err)
			require.True(t, renewed)
			open(t, a)
			_, err = before.Write([]byte("y"))
			require.NoError(t, err)
			_, err = io.ReadFull(before, make([]byte, 1))
			require.NoError(t, err, "whoever was connected still is")
			require.EqualValues(t, 0o600, mode(t, string(a)))
			renewed, err = l.Renew()
			require.NoError(t, err)
			require.False(t, renewed)
		})
	}
}

func TestAnothersSocketIsLeft(t *testing.T) {
	a := testAddress(t)
	l := echo(t, a)
	path := string(a)
	require.NoError(t, os.Remove(path))
	other, err := net.Listen("unix", path)
	require.NoError(t, err)
	_, err = l.Renew()
	require.ErrorIs(t, err, ErrInUse)
	require.ErrorContains(t, err, path)
	require.NoError(t, other.Close())
	renewed, err := l.Renew()
	require.NoError(t, err)
	require.True(t, renewed)
	open(t, a)

	require.NoError(t, os.Remove(path))
	require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
	_, err = l.Renew()
	require.ErrorContains(t, err, "is no socket")
	require.NoError(t, l.Close())
	require.FileExists(t, path, "what is not ours is not removed at the end")
}
