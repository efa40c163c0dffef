//go:build unix

package service

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMain lets the test program be a service of its own.
func TestMain(m *testing.M) {
	if os.Getenv("SERVICE_TEST_RUN") == "" {
		os.Exit(m.Run())
	}
	err := Run(context.Background(), runs(func(ctx context.Context, h Hooks) error {
		fmt.Println("ready")
		for {
			select {
			case <-ctx.Done():
				fmt.Println("stopping")
				return ctx.Err()
			case <-h.Reload:
				fmt.Fprintln(os.Stderr, "reloads") // to whom it may concern
				fmt.Println("reloaded")
			}
		}
	}), RunOptions{})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// itself is the test program as a service.
type itself struct {
	*exec.Cmd
	t     *testing.T
	lines *bufio.Scanner // of stdout
}

func runItself(t *testing.T, stderr *os.File) itself {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SERVICE_TEST_RUN=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // without a terminal, as under a manager
	if stderr != nil {
		cmd.Stderr = stderr
	}
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return itself{cmd, t, bufio.NewScanner(out)}
}

func (p itself) expect(want string) {
	p.t.Helper()
	require.True(p.t, p.lines.Scan())
	require.Equal(p.t, want, p.lines.Text())
}

func TestSignals(t *testing.T) {
	for _, stop := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(stop.String(), func(t *testing.T) {
			p := runItself(t, nil)
			p.expect("ready")
			for range 2 {
				require.NoError(t, p.Process.Signal(syscall.SIGHUP))
				p.expect("reloaded")
			}
			require.NoError(t, p.Process.Signal(stop))
			p.expect("stopping")
			require.NoError(t, p.Wait())
		})
	}
}

// The logger of a container may end before what it logs.
func TestStderrThatNobodyReads(t *testing.T) {
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	p := runItself(t, writer)
	require.NoError(t, writer.Close())
	p.expect("ready")
	require.NoError(t, reader.Close())
	require.NoError(t, p.Process.Signal(syscall.SIGHUP))
	p.expect("reloaded")
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	p.expect("stopping")
	require.NoError(t, p.Wait())
}
