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
	"dragoman/tray/desktest"
)

// What all tests share: the programs as a user runs them, and the cache, so that
// the model is prepared once.
var shared struct{ tray, daemon, command, cache string }

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "dragoman-tray-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "make a folder for the tests:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "bin")
	shared.tray, shared.daemon, shared.command = filepath.Join(bin, "dragoman-tray"), filepath.Join(bin, "dragomand"), filepath.Join(bin, "dragoman")
	shared.cache = filepath.Join(dir, "cache")
	build := exec.Command("go", "build", "-o", bin+"/", ".", "../dragomand", "../dragoman")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the programs: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// seat is a person at a desktop, with programs of their own.
type seat struct {
	t       *testing.T
	dir     string
	env     map[string]string
	display string
	bus     *desktest.Bus
	desk    *desktest.Desk
	panel   *desktest.Panel
}

// newSeat is a desktop with these settings, on which nothing of ours runs.
func newSeat(t *testing.T, settings string) *seat {
	t.Helper()
	run, err := os.MkdirTemp("", "dragoman-run-") // sockets take no long paths
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(run) })
	s := &seat{t: t, dir: t.TempDir(), display: desktest.StartX(t), bus: desktest.StartBus(t)}
	s.startDesk()
	s.panel = desktest.StartPanel(t, s.bus, true)
	s.env = map[string]string{
		"HOME": s.dir, "TMPDIR": s.dir, "XDG_RUNTIME_DIR": run, "LANG": "en_US.UTF-8", "PATH": os.Getenv("PATH"),
		"DISPLAY": s.display, "DBUS_SESSION_BUS_ADDRESS": s.bus.Address(),
		"DRAGOMAN_CONFIG": s.path("config.toml"), "DRAGOMAN_DATA": s.path("data"), "DRAGOMAN_CACHE": shared.cache,
		"DRAGOMAN_STATE": s.path("state"), "DRAGOMAN_RUNTIME": filepath.Join(run, "dragoman"),
		"DRAGOMAN_MODEL": filepath.Join(ovtest.Root(), "assets", "starter"),
	}
	require.NoError(t, os.WriteFile(s.path("config.toml"), []byte("clipboard.to = \"es\"\n"+settings), 0o600))
	return s
}

func (s *seat) startDesk() {
	s.desk = desktest.StartDesk(s.t, s.bus, "body", "body-markup", "actions")
}

func (s *seat) path(rel string) string { return filepath.Join(s.dir, filepath.FromSlash(rel)) }

func (s *seat) address() ipc.Address { return ipc.Default(s.env["DRAGOMAN_RUNTIME"]) }

func (s *seat) client() *api.Client {
	return api.NewClient(func(ctx context.Context) (net.Conn, error) { return ipc.Dial(ctx, s.address()) })
}

// process is a program at work.
type process struct {
	s      *seat
	cmd    *exec.Cmd
	output transcript.Transcript
	ended  chan struct{} // closed when it has ended
	code   int           // then; -1 after a signal
}

// start runs a program of ours with nothing of the developer's environment.
func (s *seat) start(program string, args ...string) *process {
	s.t.Helper()
	p := &process{s: s, cmd: exec.Command(program, args...), ended: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = s.dir, []string{}
	for name, value := range s.env {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	p.cmd.Stdout, p.cmd.Stderr = &p.output, &p.output
	require.NoError(s.t, p.cmd.Start())
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait()
		p.code = p.cmd.ProcessState.ExitCode()
	}()
	s.t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // where the test has failed
		<-p.ended
		if s.t.Failed() {
			s.t.Logf("%v said:\n%s", p.cmd.Args, &p.output)
		}
	})
	return p
}

// wait waits for the end and returns the exit code.
func (p *process) wait() int {
	p.s.t.Helper()
	select {
	case <-p.ended:
		return p.code
	case <-time.After(patience):
		p.s.t.Fatalf("%v does not end", p.cmd.Args)
		return 0
	}
}

// stop ends it as a session does.
func (p *process) stop() {
	p.s.t.Helper()
	require.NoError(p.s.t, p.cmd.Process.Signal(syscall.SIGTERM))
	require.Zero(p.s.t, p.wait())
}

// alive fails where it has ended.
func (p *process) alive() {
	p.s.t.Helper()
	select {
	case <-p.ended:
		p.s.t.Fatalf("%v ended with %d", p.cmd.Args, p.code)
	default:
	}
}

// service starts the real service and waits until the model is loaded.
func (s *seat) service() *process {
	s.t.Helper()
	s.env["DRAGOMAN_OPENVINO"] = ovtest.Library(s.t).Library
	p := s.start(shared.daemon)
	s.eventually("the service is ready", func() bool {
		p.alive()
		now, err := s.client().Status(s.t.Context())
		return err == nil && now.State == api.StateReady
	})
	return p
}

// command runs the command line, which must succeed.
func (s *seat) command(args ...string) {
	s.t.Helper()
	p := s.start(shared.command, args...)
	require.Zero(s.t, p.wait(), "%v: %s", args, &p.output)
}

// tray starts dragoman-tray and waits until its icon says what it must. It then
// watches the clipboard.
func (s *seat) tray(says string) (*process, *desktest.Item) {
	s.t.Helper()
	p := s.start(shared.tray, "--verbose")
	icon := s.panel.Item(s.t)
	s.says(icon, says)
	through := "X11"
	if s.env["WAYLAND_DISPLAY"] != "" {
		through = "Wayland (wlr-data-control)"
	}
	s.eventually("the clipboard is watched", func() bool {
		p.alive()
		_, watched := desktest.Find(icon.Menu(s.t), "Watched through "+through)
		return watched
	})
	return p, icon
}

// says waits for the first line of the icon's tooltip.
func (s *seat) says(icon *desktest.Item, status string) {
	s.t.Helper()
	s.eventually("Dragoman: "+status, func() bool {
		first, _, _ := strings.Cut(icon.Tooltip(s.t), "\n")
		return first == "Dragoman: "+status
	})
}

// patience is far more than anything here takes on a slow machine.
const patience = time.Minute

// eventually looks often until cond holds. It is for what nobody tells.
func (s *seat) eventually(what string, cond func() bool) {
	s.t.Helper()
	for limit := time.Now().Add(patience); !cond(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(limit) {
			s.t.Fatalf("waited in vain until %s", what)
		}
	}
}

// log is the tray's, whose file comes with the first line.
func (s *seat) log() string {
	s.t.Helper()
	text, err := os.ReadFile(s.path("state/log/dragoman-tray.log"))
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(s.t, err)
	}
	return string(text)
}

// judged waits until the tray has told its log, n times, what it made of a copy.
func (s *seat) judged(reason string, n int) {
	s.t.Helper()
	s.eventually("the log says "+reason, func() bool { return strings.Count(s.log(), "reason="+reason) >= n })
}

// texts are those that the service was given, oldest first.
func (s *seat) texts() []api.HistoryEntry {
	s.t.Helper()
	answer, err := s.client().History(s.t.Context(), api.HistoryQuery{Limit: 1000})
	require.NoError(s.t, err)
	entries := answer.Entries
	for i, j := 0, len(entries)-1; i < j; i, j = i+1, j-1 {
		entries[i], entries[j] = entries[j], entries[i]
	}
	return entries
}
