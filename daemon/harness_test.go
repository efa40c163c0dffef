package daemon_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon"
	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/daemon/ipc"
	"dragoman/inference/openvino/ovtest"
	"dragoman/inference/power"
)

// cacheDir is the cache of all daemons of these tests, so that the model is
// prepared once.
var cacheDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "dragoman-daemon-")
	if err != nil {
		panic(err)
	}
	cacheDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// patience is far more than anything here takes on a slow machine.
const patience = 2 * time.Minute

// look is how often the daemons of these tests look after their own files.
const look = 20 * time.Millisecond

// service is a daemon in this process, on a folder of its own, with the real
// model, a real database and a real socket.
type service struct {
	*api.Client
	t      *testing.T
	paths  config.Paths
	reload chan struct{}
	stop   func() error
}

// newPaths are the places of a daemon that runs for one test.
func newPaths(t *testing.T) config.Paths {
	t.Helper()
	// Sockets take no long paths.
	run, err := os.MkdirTemp("", "dragoman-run-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(run) })
	dir := t.TempDir()
	return config.Paths{
		ConfigFile: filepath.Join(dir, "config.toml"), DataDir: filepath.Join(dir, "data"), CacheDir: cacheDir,
		StateDir: filepath.Join(dir, "state"), RuntimeDir: run,
		Model: filepath.Join(ovtest.Root(), "assets", "starter"),
	}
}

// start runs a daemon until the end of the test.
func start(t *testing.T, paths config.Paths) *service {
	t.Helper()
	return startOn(t, paths, power.Sysfs(t.TempDir())) // has neither meters nor a battery
}

// startOn is start on a machine of the test's.
func startOn(t *testing.T, paths config.Paths, m power.Machine) *service {
	t.Helper()
	library := ovtest.Library(t)
	t.Setenv("DRAGOMAN_OPENVINO", library.Library)
	s := &service{t: t, paths: paths, reload: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- daemon.Run(ctx, daemon.Options{Paths: paths, Version: "test", Reload: s.reload, Ready: func() { close(ready) }, Look: look, Machine: m})
	}()
	s.stop = func() error {
		cancel()
		select {
		case err := <-ended:
			ended <- err
			return err
		case <-time.After(patience):
			return context.DeadlineExceeded
		}
	}
	t.Cleanup(func() { require.NoError(t, s.stop()) })
	select {
	case <-ready:
	case err := <-ended:
		ended <- nil
		require.NoError(t, err)
	}
	s.Client = api.NewClient(func(ctx context.Context) (net.Conn, error) { return ipc.Dial(ctx, ipc.Default(paths.RuntimeDir)) })
	return s
}

// warm waits until the model is loaded.
func (s *service) warm() *service {
	s.t.Helper()
	s.until(func(now api.Snapshot) bool { return now.State == api.StateReady })
	return s
}

// until waits for a snapshot.
func (s *service) until(wanted func(api.Snapshot) bool) api.Snapshot {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	var last api.Snapshot
	found := context.Canceled // of the stream, once it was seen
	err := s.Events(ctx, 0, func(e api.Event) error {
		if e.Snapshot == nil {
			return nil
		}
		if last = *e.Snapshot; wanted(last) {
			return found
		}
		return nil
	})
	require.ErrorIs(s.t, err, found, "last seen: %+v", last)
	return last
}

// catch waits for a snapshot that is soon over: a stream of events leaves out what
// is over within the time between two of its snapshots.
func (s *service) catch(wanted func(api.Snapshot) bool) (now api.Snapshot) {
	s.t.Helper()
	for limit := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		now, err := s.Status(s.t.Context())
		require.NoError(s.t, err)
		if wanted(now) {
			return now
		}
		require.True(s.t, time.Now().Before(limit), "last seen: %+v", now)
	}
}

// endless is so much that it is still being translated when it is given up.
const endless = 5000

// translate asks for one text.
func (s *service) translate(from, to, text string) api.Translation {
	s.t.Helper()
	r, err := s.Translate(s.t.Context(), api.TranslateRequest{Texts: []string{text}, From: from, To: to})
	require.NoError(s.t, err)
	require.Len(s.t, r.Translations, 1)
	return r.Translations[0]
}

// run runs a daemon that must not come up.
func run(t *testing.T, paths config.Paths) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return daemon.Run(ctx, daemon.Options{Paths: paths, Version: "test"})
}
