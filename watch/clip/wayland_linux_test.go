package clip

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/watch/clip/selection"
)

// nobody is the user that sway runs as when the tests run as root, which it
// refuses.
const nobody = 65534

// compositor is a headless sway.
type compositor struct {
	dir, socket string
	cmd         *exec.Cmd
}

// startSway starts one, or skips the test where there is none.
func startSway(t *testing.T) compositor {
	t.Helper()
	need(t, "sway", "sway")
	need(t, "wl-copy", "wl-clipboard")
	dir := t.TempDir()
	config := filepath.Join(dir, "config")
	require.NoError(t, os.WriteFile(config, []byte("output HEADLESS-1 resolution 640x480\nxwayland disable\n"), 0o644))
	cmd := exec.Command("sway", "-c", config)
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir, "HOME="+dir, "WLR_BACKENDS=headless", "WLR_LIBINPUT_NO_DEVICES=1", "WLR_RENDERER=pixman",
		"DISPLAY=", "WAYLAND_DISPLAY=", "DBUS_SESSION_BUS_ADDRESS=")
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown(dir, nobody, nobody))
		for up := filepath.Dir(dir); up != os.TempDir() && len(up) > 1; up = filepath.Dir(up) {
			require.NoError(t, os.Chmod(up, 0o755))
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	var log bytes.Buffer
	cmd.Stderr = &log
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
	})
	var socket string
	require.Eventually(t, func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, "wayland-*"))
		for _, f := range found {
			if conn, err := net.Dial("unix", f); err == nil { // a lock file lies beside it
				conn.Close()
				socket = filepath.Base(f)
			}
		}
		return socket != ""
	}, 20*time.Second, 10*time.Millisecond, "sway did not start")
	return compositor{dir, socket, cmd}
}

func (w compositor) getenv(key string) string {
	return map[string]string{"WAYLAND_DISPLAY": w.socket, "XDG_RUNTIME_DIR": w.dir}[key]
}

func (w compositor) open(t *testing.T, o Options) (*Clipboard, <-chan Copy) {
	t.Helper()
	o.getenv = w.getenv
	c, err := Open(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c, c.Watch(t.Context())
}

func (w compositor) command(t *testing.T, stdin, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), "WAYLAND_DISPLAY="+w.socket, "XDG_RUNTIME_DIR="+w.dir, "DISPLAY=")
	cmd.Stdin = strings.NewReader(stdin)
	return cmd
}

// copy leaves a wl-copy behind that owns the text.
func (w compositor) copy(t *testing.T, text string, args ...string) {
	t.Helper()
	require.NoError(t, w.command(t, text, "wl-copy", args...).Run())
}

func (w compositor) paste(t *testing.T, args ...string) string {
	t.Helper()
	out, err := w.command(t, "", "wl-paste", append(args, "--no-newline")...).Output()
	require.NoError(t, err)
	return string(out)
}

func TestWaylandWatch(t *testing.T) {
	t.Parallel()
	w := startSway(t)
	w.copy(t, "was there before")
	c, news := w.open(t, Options{})
	require.Equal(t, "Wayland (wlr-data-control)", c.Backend())
	w.copy(t, "Guten Tag, Öl und 学习")
	n := next(t, news)
	require.Equal(t, "Guten Tag, Öl und 学习", n.Text)
	require.Equal(t, uint64(1), n.Serial, "nothing was told before")

	w.copy(t, "secret", "-t", "x-kde-passwordManagerHint")
	require.Equal(t, Secret, next(t, news).Skip)
	w.copy(t, "\x89PNG", "-t", "image/png")
	require.Equal(t, Image, next(t, news).Skip)
	w.copy(t, "file:///etc", "-t", "text/uri-list")
	require.Equal(t, Files, next(t, news).Skip)
	w.copy(t, "G\x00u\x00t\x00e\x00n\x00", "-t", "text/plain")
	require.Equal(t, Garbled, next(t, news).Skip)

	long := string(letters26(9 << 20))
	w.copy(t, long)
	require.Equal(t, TooLong, next(t, news).Skip)
	require.True(t, long == w.paste(t), "the user can paste it")

	w.copy(t, "marked with the mouse", "--primary")
	require.Eventually(t, func() bool {
		n, err := c.Read(t.Context(), selection.Primary)
		return err == nil && n.Text == "marked with the mouse"
	}, 20*time.Second, 10*time.Millisecond)
	w.copy(t, "", "--clear")
	require.Eventually(t, func() bool {
		n, err := c.Read(t.Context(), selection.Clipboard)
		return err == nil && n.Skip == Empty
	}, 20*time.Second, 10*time.Millisecond)
}

func TestWaylandWrite(t *testing.T) {
	t.Parallel()
	w := startSway(t)
	c, news := w.open(t, Options{})
	long := strings.Repeat("学习 ", 1<<20)
	for _, text := range []string{"Öl", long} {
		require.NoError(t, c.Write(t.Context(), text))
		require.True(t, text == w.paste(t))
		n, err := c.Read(t.Context(), selection.Clipboard)
		require.NoError(t, err)
		require.Equal(t, Own, n.Skip)
	}
	other, _ := w.open(t, Options{})
	require.NoError(t, other.Write(t.Context(), "from another process of ours"))
	n, err := c.Read(t.Context(), selection.Clipboard)
	require.NoError(t, err)
	require.Equal(t, Own, n.Skip)
	require.NoError(t, c.Write(t.Context(), "The weather is fine today."))
	w.copy(t, "weather is fine")
	w.copy(t, "Guten Tag")
	n = next(t, news)
	require.Equal(t, "Guten Tag", n.Text)
	require.Equal(t, uint64(1), n.Serial, "nothing was told before")
}

func TestWaylandHungAndDyingOwners(t *testing.T) {
	t.Parallel()
	w := startSway(t)
	_, news := w.open(t, Options{})
	owner := w.command(t, "never comes", "wl-copy", "--foreground")
	require.NoError(t, owner.Start())
	require.Equal(t, "never comes", next(t, news).Text)
	require.NoError(t, owner.Process.Signal(syscall.SIGSTOP))
	freeze(t, owner.Process.Pid)
	// The compositor forgets nothing of a client that hangs.
	c, _ := w.open(t, Options{})
	n, err := c.Read(t.Context(), selection.Clipboard)
	require.NoError(t, err)
	require.Equal(t, Hung, n.Skip)
	w.copy(t, "Guten Tag")
	require.Equal(t, "Guten Tag", next(t, news).Text)
	require.NoError(t, owner.Process.Signal(syscall.SIGCONT))
	_ = owner.Wait()
}

func TestWaylandCompositorEnds(t *testing.T) {
	t.Parallel()
	w := startSway(t)
	c, news := w.open(t, Options{})
	require.NoError(t, c.Write(t.Context(), "ours"))
	require.NoError(t, w.cmd.Process.Kill())
	require.Equal(t, Disconnected, next(t, news).Skip)
	require.Empty(t, c.Backend())
	require.ErrorIs(t, c.Write(t.Context(), "text"), ErrAway)
}

func TestWaylandThousandCopies(t *testing.T) {
	t.Parallel()
	w := startSway(t)
	c, news := w.open(t, Options{})
	writer, _ := w.open(t, Options{})
	for range 1000 { // told as of another process of ours, so none is read
		require.NoError(t, writer.Write(t.Context(), "text"))
	}
	w.copy(t, "the last one")
	require.Equal(t, "the last one", next(t, news).Text)
	require.NoError(t, c.Err())
}
