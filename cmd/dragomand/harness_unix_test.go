//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/ipc"
	"dragoman/inference/openvino/ovtest"
	"dragoman/internal/transcript"
)

// What all tests share: the programs as a user runs them, and the cache, so that
// the model is prepared once.
var shared struct{ daemon, command, cache string }

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "dragomand-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "make a folder for the tests:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "bin")
	shared.daemon, shared.command, shared.cache = filepath.Join(bin, "dragomand"), filepath.Join(bin, "dragoman"), filepath.Join(dir, "cache")
	build := exec.Command("go", "build", "-o", bin+"/", ".", "../dragoman")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the programs: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// patience is far more than anything here takes on a slow machine.
const patience = 2 * time.Minute

// home is a user's account: folders and an environment of their own.
type home struct {
	t   *testing.T
	dir string
	env map[string]string
}

// newHome makes an account whose daemon has these settings besides quick ones.
func newHome(t *testing.T, settings string) *home {
	t.Helper()
	run, err := os.MkdirTemp("", "dragoman-run-") // sockets take no long paths
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(run) })
	h := &home{t: t, dir: t.TempDir()}
	h.env = map[string]string{
		"HOME": h.dir, "TMPDIR": h.path("tmp"),
		"DRAGOMAN_OPENVINO": ovtest.Library(t).Library, "DRAGOMAN_MODEL": starter(),
		"DRAGOMAN_CONFIG": h.path("config.toml"), "DRAGOMAN_DATA": h.path("data"), "DRAGOMAN_CACHE": shared.cache,
		"DRAGOMAN_STATE": h.path("state"), "DRAGOMAN_RUNTIME": run,
	}
	require.NoError(t, os.Mkdir(h.path("tmp"), 0o700))
	h.configure(settings)
	return h
}

func starter() string { return filepath.Join(ovtest.Root(), "assets", "starter") }

// configure writes the settings.
func (h *home) configure(settings string) {
	h.t.Helper()
	require.NoError(h.t, os.WriteFile(h.path("config.toml"), []byte("folders.quiet = \"50ms\"\n"+settings), 0o600))
}

func (h *home) path(rel string) string { return filepath.Join(h.dir, filepath.FromSlash(rel)) }

func (h *home) write(rel, content string) string {
	h.t.Helper()
	require.NoError(h.t, os.MkdirAll(filepath.Dir(h.path(rel)), 0o755))
	require.NoError(h.t, os.WriteFile(h.path(rel), []byte(content), 0o644))
	return h.path(rel)
}

func (h *home) read(rel string) string {
	h.t.Helper()
	content, err := os.ReadFile(h.path(rel))
	require.NoError(h.t, err)
	return string(content)
}

func (h *home) client() *api.Client {
	return api.NewClient(func(ctx context.Context) (net.Conn, error) {
		return ipc.Dial(ctx, ipc.Default(h.env["DRAGOMAN_RUNTIME"]))
	})
}

// process is a program at work.
type process struct {
	h      *home
	cmd    *exec.Cmd
	stdout transcript.Transcript
	stderr transcript.Transcript
	ended  chan struct{} // closed when it has ended
	code   int           // then; -1 after a signal
}

// prepare makes a process without a terminal, as a service manager does.
func (h *home) prepare(program string, args ...string) *process {
	p := &process{h: h, cmd: exec.Command(program, args...), ended: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = h.dir, []string{} // nothing of the developer's
	for name, value := range h.env {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	p.cmd.Stdout, p.cmd.Stderr = &p.stdout, &p.stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return p
}

func (p *process) start() *process {
	p.h.t.Helper()
	require.NoError(p.h.t, p.cmd.Start())
	go func() {
		defer close(p.ended)
		p.code = exitStatus(p.cmd.Wait())
	}()
	p.h.t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // where the test has failed
		<-p.ended
	})
	return p
}

func exitStatus(err error) int {
	if err == nil {
		return 0
	}
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return -2
	}
	return exit.ExitCode()
}

// launch starts the daemon.
func (h *home) launch() *process { return h.prepare(shared.daemon).start() }

// run runs the command line and returns what it says.
func (h *home) run(args ...string) *process { return h.runWith("", args...) }

func (h *home) runWith(stdin string, args ...string) *process {
	h.t.Helper()
	p := h.prepare(shared.command, args...)
	p.cmd.Stdin = strings.NewReader(stdin)
	p.start().wait()
	return p
}

// succeeds runs a command that must.
func (h *home) succeeds(args ...string) string {
	h.t.Helper()
	p := h.run(args...)
	require.Zero(h.t, p.code, "%v: %s", args, &p.stderr)
	return p.stdout.String()
}

// complaints are what the daemon has warned of; the rest of its log is on stderr
// as well, because no manager started it.
func (p *process) complaints() (lines []string) {
	for line := range strings.Lines(p.stderr.String()) {
		if !strings.Contains(line, " INFO ") && !strings.Contains(line, " DEBUG ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// wait waits for the end and returns the exit code.
func (p *process) wait() int {
	p.h.t.Helper()
	select {
	case <-p.ended:
		return p.code
	case <-time.After(patience):
		p.h.t.Fatalf("%v does not end: %s", p.cmd.Args, &p.stderr)
		return 0
	}
}

func (p *process) signal(s os.Signal) {
	p.h.t.Helper()
	require.NoError(p.h.t, p.cmd.Process.Signal(s), "it has ended early: %s", &p.stderr)
}

// stop ends the daemon as a service manager does.
func (p *process) stop() {
	p.h.t.Helper()
	p.signal(syscall.SIGTERM)
	require.Zero(p.h.t, p.wait(), "%s", &p.stderr)
}

// kill ends it as a power cut would.
func (p *process) kill() {
	p.h.t.Helper()
	p.signal(syscall.SIGKILL)
	require.Equal(p.h.t, -1, p.wait(), "%s", &p.stderr)
}

// answering waits until clients are answered.
func (p *process) answering() *process {
	p.h.t.Helper()
	client := p.h.client()
	p.h.eventually("an answer", func() bool {
		select {
		case <-p.ended:
			p.h.t.Fatalf("it ended with %d: %s", p.code, &p.stderr)
		default:
		}
		_, err := client.Status(p.h.t.Context())
		return err == nil
	})
	return p
}

// warm waits until the model is loaded.
func (p *process) warm() *process {
	p.h.t.Helper()
	p.answering()
	p.h.until(func(now api.Snapshot) bool { return now.State == api.StateReady })
	return p
}

// eventually looks often until cond holds. It is for what nobody tells.
func (h *home) eventually(what string, cond func() bool) {
	h.t.Helper()
	for limit := time.Now().Add(patience); !cond(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			h.t.Fatalf("waited in vain for %s", what)
		}
	}
}

// catch waits for a snapshot that is soon over: a stream of events leaves out what
// is over within the time between two of its snapshots.
func (h *home) catch(wanted func(api.Snapshot) bool) (now api.Snapshot) {
	h.t.Helper()
	client := h.client()
	h.eventually("a snapshot", func() bool {
		var err error
		now, err = client.Status(h.t.Context())
		require.NoError(h.t, err)
		return wanted(now)
	})
	return now
}

// endless is so much that it is still being translated when it is given up.
const endless = 5000

// until waits for a snapshot.
func (h *home) until(wanted func(api.Snapshot) bool) api.Snapshot {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	var last api.Snapshot
	found := errors.New("found")
	err := h.client().Events(ctx, 0, func(e api.Event) error {
		if e.Snapshot != nil {
			if last = *e.Snapshot; wanted(last) {
				return found
			}
		}
		return nil
	})
	require.ErrorIs(h.t, err, found, "last seen: %+v", last)
	return last
}

// tree lists everything below a folder, hidden or not; folders end with a slash.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	names := []string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if entry.IsDir() {
			rel += "/"
		}
		names = append(names, filepath.ToSlash(rel))
		return err
	}))
	return names
}
