//go:build unix

package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A pipe that nobody writes to must not be waited for.
func TestNamedPipeIsRefused(t *testing.T) {
	c := newCommand(t)
	require.NoError(t, syscall.Mkfifo(filepath.Join(c.dir, "pipe.txt"), 0o600))
	requireRefused(t, c, exitInput, []string{"pipe.txt is a named pipe"}, "translate", "--to", "de", "pipe.txt")
	requireRefused(t, c, exitInput, []string{"pipe.txt is a named pipe"}, "translate", "--to", "de", "pipe.txt", "-o", "out/")
	c.write("good.txt", "Good morning.\n")
	requireRefused(t, c, exitUsage, []string{"pipe.txt is not a regular file"}, "translate", "--to", "de", "good.txt", "-o", "pipe.txt")
}

func TestInterruptedTranslation(t *testing.T) {
	for name, signal := range map[string]syscall.Signal{"Ctrl-C": syscall.SIGINT, "terminated": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			c := newCommand(t)
			c.write("short.txt", "Good morning.\n")
			c.write("long.txt", strings.Join(sentences(5000), "\n")) // takes minutes
			w := c.start("translate", "--to", "de", "short.txt", "long.txt", "--output", "out/")
			require.Eventually(t, func() bool {
				_, err := os.Stat(filepath.Join(c.dir, "out", "short.de.txt"))
				return err == nil
			}, patience, time.Millisecond)
			o := w.stop(signal)
			require.Equal(t, exitInterrupted, o.code)
			require.Equal(t, "dragoman: interrupted\n", o.stderr)
			require.Empty(t, o.stdout)
			require.Equal(t, []string{"long.txt", "out", "out/short.de.txt", "short.txt"}, list(t, c.dir), "nothing half-written")
		})
	}
}

func TestInterruptedWhileWaitingForInput(t *testing.T) {
	c := newCommand(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := c.prepare(ctx, "translate", "--to", "de")
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	// More than a pipe holds: when it is written the program is reading.
	_, err = io.WriteString(stdin, strings.Repeat(" ", 1<<20))
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.Equal(t, exitInterrupted, exitStatus(t, cmd.Wait()))
	require.NoError(t, ctx.Err())
}
