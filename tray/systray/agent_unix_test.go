//go:build unix

package systray

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/tray"
	"dragoman/tray/desktest"
)

// agentEnv makes this test's program an agent that shows the views it reads
// from its standard input: the library works once in a process.
const agentEnv = "DRAGOMAN_TEST_TRAY"

func TestMain(m *testing.M) {
	if os.Getenv(agentEnv) != "" {
		runAgent()
		return
	}
	os.Exit(m.Run())
}

func runAgent() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	views, clicks := make(chan tray.View), make(chan tray.Click)
	go func() {
		defer close(views)
		for input := gob.NewDecoder(os.Stdin); ; {
			var v tray.View
			if input.Decode(&v) != nil {
				return
			}
			views <- v
		}
	}()
	if os.Getenv(agentEnv) != "deaf" {
		go func() {
			for c := range clicks {
				fmt.Printf("click %s %s\n", c.Action, c.Arg)
			}
		}()
	}
	err := Run(ctx, views, clicks)
	for text, known := range map[string]error{"no bus": ErrNoBus, "bus lost": ErrBusLost, "not shown": ErrNotShown} {
		if errors.Is(err, known) {
			fmt.Println("end", text)
			return
		}
	}
	fmt.Println("end", err)
}

// access finds, in a report of the race detector, the function that reads or
// writes.
var access = regexp.MustCompile(`(?m)^(?:Previous )?(?:[Rr]ead|[Ww]rite) at .*\n(?:  (?:runtime|reflect)\..*\n.*\n)*  (\S+)`)

// requireNoRaces fails for data races of ours. The library has some that are not
// in our power, such as on the number of the menu's version.
func requireNoRaces(t *testing.T, path string) {
	t.Helper()
	reports, err := filepath.Glob(path + ".*")
	require.NoError(t, err)
	for _, name := range reports {
		report, err := os.ReadFile(name)
		require.NoError(t, err)
		accesses := access.FindAllSubmatch(report, -1)
		require.NotEmpty(t, accesses, "a report of another form: %s", report)
		for _, a := range accesses {
			require.NotContains(t, string(a[1]), "dragoman/", "%s", report)
		}
	}
}

// agent is a process that shows views.
type agent struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	views   *gob.Encoder
	lines   chan string // of its standard output
}

func startAgent(t *testing.T, mode string, environment ...string) *agent {
	t.Helper()
	a := &agent{command: exec.Command(os.Args[0]), lines: make(chan string, 1024)}
	races := filepath.Join(t.TempDir(), "race")
	a.command.Env = append(os.Environ(), append(environment, agentEnv+"="+mode, "GORACE=exitcode=0 log_path="+races)...)
	a.command.Stderr = t.Output()
	var err error
	a.stdin, err = a.command.StdinPipe()
	require.NoError(t, err)
	out, err := a.command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, a.command.Start())
	t.Cleanup(func() {
		_ = a.command.Process.Kill()
		_, _ = a.command.Process.Wait()
		requireNoRaces(t, races)
	})
	a.views = gob.NewEncoder(a.stdin)
	go func() {
		defer close(a.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			a.lines <- s.Text()
		}
	}()
	return a
}

func (a *agent) show(t *testing.T, v tray.View) {
	t.Helper()
	require.NoError(t, a.views.Encode(v))
}

// line is the next that the agent says, "" at its end.
func (a *agent) line(t *testing.T) string {
	t.Helper()
	select {
	case l := <-a.lines:
		return l
	case <-time.After(desktest.Soon):
		t.Fatal("the agent says nothing")
		return ""
	}
}

// ends waits for the agent's end, which must be in order.
func (a *agent) ends(t *testing.T, how string) {
	t.Helper()
	require.Equal(t, how, a.line(t))
	require.NoError(t, a.command.Wait())
}
