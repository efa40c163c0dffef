package desktest

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// nobody is the user that the compositor runs as for root, which it refuses.
const nobody = 65534

// StartSway begins a Wayland compositor without a screen and without Xwayland,
// which ends with the test, and returns the path of its socket for
// WAYLAND_DISPLAY.
func StartSway(t *testing.T) string {
	t.Helper()
	sway := Need(t, "sway", "sway")
	dir, err := os.MkdirTemp("", "dragoman-sway-") // sockets take no long paths
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	config := filepath.Join(dir, "config")
	require.NoError(t, os.WriteFile(config, []byte("output HEADLESS-1 resolution 640x480\nxwayland disable\n"), 0o644))
	cmd := exec.Command(sway, "-c", config)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + dir, "HOME=" + dir,
		"WLR_BACKENDS=headless", "WLR_LIBINPUT_NO_DEVICES=1", "WLR_RENDERER=pixman",
	}
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown(dir, nobody, nobody))
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
		case <-time.After(Soon):
			_ = cmd.Process.Kill()
			<-ended
		}
		if t.Failed() {
			t.Logf("sway said:\n%s", &log)
		}
	})
	var socket string
	require.Eventually(t, func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, "wayland-*"))
		for _, f := range found {
			if conn, err := net.Dial("unix", f); err == nil { // a lock file lies beside it
				conn.Close()
				socket = f
			}
		}
		return socket != ""
	}, Soon, 10*time.Millisecond, "sway did not start")
	return socket
}
