package main

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/internal/transcript"
)

// Without any display it says once what does not work and how to go on, and ends
// when it is told to.
func TestWithoutADisplay(t *testing.T) {
	const what = "There is no desktop here"
	dir := t.TempDir()
	c := exec.Command(shared.tray)
	c.Env = []string{"HOME=" + dir, "PATH=/nowhere"}
	var out transcript.Transcript
	c.Stderr = &out
	require.NoError(t, c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	t.Cleanup(func() { _ = c.Process.Kill() })
	require.Eventually(t, func() bool { return strings.Contains(out.String(), "Copies cannot be watched") }, time.Minute, 10*time.Millisecond)
	require.Equal(t, 1, strings.Count(out.String(), what), "%s", &out)
	require.Contains(t, out.String(), "dragoman-tray install")
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	require.NoError(t, <-ended, "%s", &out)
}
