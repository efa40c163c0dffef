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
	options := RunOptions{}
	if os.Getenv("SERVICE_TEST_RUN") == "late" {
		options.Hangups = CatchHangups()
		fmt.Println("getting ready")
		_, _ = os.Stdin.Read(make([]byte, 1)) // until the test has sent what it wants to
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
	}), options)
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
	cmd := itselfAs("at once")
	if stderr != nil {
		cmd.Stderr = stderr
	}
	return startItself(t, cmd)
}

func itselfAs(what string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SERVICE_TEST_RUN="+what)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // without a terminal, as under a manager
	return cmd
}

func startItself(t *testing.T, cmd *exec.Cmd) itself {
	t.Helper()
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

// A reload may be asked for before there is anything to reload.
func TestHangupWhileGettingReady(t *testing.T) {
	cmd := itselfAs("late")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	p := startItself(t, cmd)
	p.expect("getting ready")
	require.NoError(t, p.Process.Signal(syscall.SIGHUP))
	_, err = in.Write([]byte{1})
	require.NoError(t, err)
	p.expect("ready")
	p.expect("reloaded")
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	p.expect("stopping")
	require.NoError(t, p.Wait())
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
