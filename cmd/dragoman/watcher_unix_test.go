//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/internal/transcript"
)

// process is a program at work in the background.
type process struct {
	t              *testing.T
	cmd            *exec.Cmd
	stdout, stderr *transcript.Transcript
}

func (c *command) start(args ...string) *process {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	p := &process{t: c.t, cmd: c.prepare(ctx, args...), stdout: &transcript.Transcript{}, stderr: &transcript.Transcript{}}
	p.cmd.Stdout, p.cmd.Stderr = p.stdout, p.stderr
	require.NoError(c.t, p.cmd.Start())
	c.t.Cleanup(func() {
		cancel() // kills it where the test has failed before stop
		if p.cmd.ProcessState == nil {
			_ = p.cmd.Wait()
		}
	})
	return p
}

// startWatch waits until the folder is watched.
func (c *command) startWatch(args ...string) *process {
	c.t.Helper()
	p := c.start(append([]string{"watch"}, args...)...)
	p.waitFor(p.stderr, "Watching ")
	return p
}

func (p *process) waitFor(where *transcript.Transcript, part string) {
	p.t.Helper()
	deadline := time.Now().Add(patience)
	for !strings.Contains(where.String(), part) {
		if time.Now().After(deadline) {
			p.t.Fatalf("no %q in %q; standard error: %q", part, where, p.stderr)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// stop sends a signal and waits for the end.
func (p *process) stop(s os.Signal) outcome {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Signal(s), "it has ended early: %s", p.stderr)
	err := p.cmd.Wait()
	return outcome{exitStatus(p.t, err), p.stdout.String(), p.stderr.String()}
}
