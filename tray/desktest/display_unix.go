//go:build unix

package desktest

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// StartX begins an X server without a screen, which ends with the test, and
// returns its address for DISPLAY.
func StartX(t *testing.T) string {
	t.Helper()
	xvfb := Need(t, "Xvfb", "xvfb")
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	cmd := exec.Command(xvfb, "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{w}
	require.NoError(t, cmd.Start())
	w.Close()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt) // so that it takes its lock file away
		_ = cmd.Wait()
	})
	require.NoError(t, r.SetReadDeadline(time.Now().Add(Soon)))
	line, err := bufio.NewReader(r).ReadString('\n')
	require.NoError(t, err, "Xvfb did not start")
	return ":" + strings.TrimSpace(line)
}
