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
				fmt.Println("reloaded")
			}
		}
	}), RunOptions{})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func TestSignals(t *testing.T) {
	for _, stop := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(stop.String(), func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "SERVICE_TEST_RUN=1")
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // without a terminal, as under a manager
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			lines := bufio.NewScanner(out)
			expect := func(want string) {
				t.Helper()
				require.True(t, lines.Scan())
				require.Equal(t, want, lines.Text())
			}
			expect("ready")
			for range 2 {
				require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
				expect("reloaded")
			}
			require.NoError(t, cmd.Process.Signal(stop))
			expect("stopping")
			require.NoError(t, cmd.Wait())
		})
	}
}
