package clip

import (
	"encoding/binary"
	"io"
	"net"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/clip/wayland"
)

// fakeBareCompositor is one without anything that a client could use, as far as
// the clipboard goes: it answers the first two requests, which ask for all
// there is, with the news that this was all.
func fakeBareCompositor(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "wayland-0")
	listener, err := net.Listen("unix", path)
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			var requests [24]byte // get_registry and sync, of 12 bytes each
			if _, err := io.ReadFull(conn, requests[:]); err == nil {
				done := binary.LittleEndian.AppendUint32(nil, binary.LittleEndian.Uint32(requests[20:]))
				done = binary.LittleEndian.AppendUint32(done, 12<<16)
				_, _ = conn.Write(binary.LittleEndian.AppendUint32(done, 1))
			}
			_, _ = io.Copy(io.Discard, conn)
			conn.Close()
		}
	}()
	return path
}

func TestOpenNamesTheWayOut(t *testing.T) {
	bare := fakeBareCompositor(t)
	for name, c := range map[string]struct {
		env  map[string]string
		is   error
		want string
	}{
		"nothing":      {nil, ErrNoDisplay, "desktop session"},
		"ssh":          {map[string]string{"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}, ErrNoDisplay, "ssh -X"},
		"no server":    {map[string]string{"DISPLAY": ":4242"}, nil, ":4242"},
		"no display":   {map[string]string{"DISPLAY": "nonsense"}, nil, "nonsense"},
		"no protocol":  {map[string]string{"WAYLAND_DISPLAY": bare}, ErrNoProtocol, "wl-paste"},
		"no folder":    {map[string]string{"WAYLAND_DISPLAY": "wayland-0"}, nil, "XDG_RUNTIME_DIR"},
		"no socket":    {map[string]string{"WAYLAND_DISPLAY": bare + "0"}, nil, "wayland-00"},
		"neither work": {map[string]string{"WAYLAND_DISPLAY": bare, "DISPLAY": ":4242"}, wayland.ErrNoProtocol, ":4242"},
	} {
		_, err := Open(t.Context(), Options{getenv: func(key string) string { return c.env[key] }})
		require.ErrorContains(t, err, c.want, name)
		if c.is != nil {
			require.ErrorIs(t, err, c.is, name)
		}
	}
}

func TestOpenFallsBackToXwayland(t *testing.T) {
	x := startX(t)
	bare := fakeBareCompositor(t)
	c, err := Open(t.Context(), Options{getenv: func(key string) string {
		return map[string]string{"WAYLAND_DISPLAY": bare, "DISPLAY": x.display}[key]
	}})
	require.NoError(t, err)
	require.Equal(t, "X11 (Xwayland)", c.Backend())
	require.NoError(t, c.Close(t.Context()))
}
