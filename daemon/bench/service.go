package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/daemon/ipc"
)

// service is a dragomand that runs for the bench.
type service struct {
	*api.Client
	process *exec.Cmd
	started time.Time
	running time.Duration // until it answered
	heap    *heap
	ended   chan error
	run     string // folder of the socket
	env     []string
}

// patience is far more than anything takes on a busy machine.
const patience = 10 * time.Minute

// startService starts one on a folder of its own, with the settings that it has
// by default and as its unit starts it, but for those in env, and returns when it
// answers.
func (b *bench) startService(ctx context.Context, env ...string) (*service, error) {
	return b.startServiceAt(ctx, b.tempDir("home-"), env...)
}

func (b *bench) startServiceAt(ctx context.Context, home string, env ...string) (*service, error) {
	run, err := os.MkdirTemp("", "dragoman-bench-") // sockets take no long paths
	if err != nil {
		return nil, err
	}
	s := &service{run: run, heap: &heap{}, ended: make(chan error, 1)}
	s.env = append(os.Environ(),
		config.EnvConfig+"="+filepath.Join(home, "config.toml"), config.EnvState+"="+filepath.Join(home, "state"),
		config.EnvData+"="+filepath.Join(b.root, data), config.EnvCache+"="+b.cache(), config.EnvRuntime+"="+run,
		config.EnvModel+"="+filepath.Join(b.root, starter), "DRAGOMAN_OPENVINO="+b.runtime.Library)
	s.Client = api.NewClient(func(ctx context.Context) (net.Conn, error) { return ipc.Dial(ctx, ipc.Default(run)) })
	unit, err := ofUnit(b.root)
	if err != nil {
		return nil, err
	}
	s.process = exec.Command(b.in("dragomand"))
	s.process.Env = slices.Concat(s.env, unit, []string{"GODEBUG=gctrace=1"}, env)
	s.process.Stderr = s.heap
	s.started = time.Now()
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	go func() { s.ended <- s.process.Wait() }()
	for {
		_, err := s.Status(ctx)
		if err == nil {
			s.running = time.Since(s.started)
			return s, nil
		}
		select {
		case end := <-s.ended:
			return nil, fmt.Errorf("dragomand ended early: %v: %s", end, s.heap.rest())
		case <-time.After(time.Millisecond):
		}
		if !errors.Is(err, api.ErrNotRunning) {
			return nil, errors.Join(err, s.stop())
		}
	}
}

// ofUnit is the environment that the user's unit sets.
func ofUnit(root string) (env []string, err error) {
	unit, err := os.ReadFile(filepath.Join(root, "assets", "units", "dragoman.user.service"))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(unit)) {
		if setting, found := strings.CutPrefix(line, "Environment="); found {
			env = append(env, strings.TrimSpace(setting))
		}
	}
	return env, nil
}

// warm waits until the model is loaded.
func (s *service) warm(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	warm := errors.New("warm") // ends the stream
	err := s.Events(ctx, 0, func(e api.Event) error {
		switch {
		case e.Snapshot == nil:
		case e.Snapshot.State == api.StateReady:
			return warm
		case e.Snapshot.State == api.StateFault:
			return errors.New(e.Snapshot.Message)
		}
		return nil
	})
	if errors.Is(err, warm) {
		return nil
	}
	return fmt.Errorf("wait for the model: %w", err)
}

// stop ends it as a service manager does.
func (s *service) stop() error {
	defer os.RemoveAll(s.run)
	if err := s.process.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	select {
	case err := <-s.ended:
		return err
	case <-time.After(time.Minute):
		_ = s.process.Process.Kill()
		return errors.New("dragomand did not stop within a minute")
	}
}

// translate asks for one text as somebody who waits for it.
func (s *service) translate(ctx context.Context, text string) (api.Translation, error) {
	answer, err := s.Translate(ctx, api.TranslateRequest{Texts: []string{text}, From: from, To: to})
	if err != nil {
		return api.Translation{}, err
	}
	return answer.Translations[0], nil
}

// usage of its process so far.
func (s *service) usage() (usage, error) { return usageOf(s.process.Process.Pid) }

// drop makes a folder of files, which is complete before it is watched, and
// returns its id.
func (s *service) drop(ctx context.Context, dir string, files []string) (id int64, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	for i, text := range files {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file-%05d.txt", i)), []byte(text), 0o644); err != nil {
			return 0, err
		}
	}
	folder, err := s.AddFolder(ctx, api.FolderSettings{Path: dir, From: from, To: []string{to}})
	return folder.ID, err
}

// look is the pause between two looks at a folder.
const look = 50 * time.Millisecond

// accepted waits until so many files of a folder are in the ledger, or found.
func (s *service) accepted(ctx context.Context, id int64, files int) error {
	return s.until(ctx, id, func(status api.FolderStatus) bool { return status.Waiting >= files })
}

// wait waits until so many files of a folder are done.
func (s *service) wait(ctx context.Context, id int64, files int) error {
	return s.until(ctx, id, func(status api.FolderStatus) bool { return status.Done >= int64(files) })
}

func (s *service) until(ctx context.Context, id int64, wanted func(api.FolderStatus) bool) error {
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for {
		folder, err := s.Folder(ctx, id)
		switch {
		case err != nil:
			return err
		case folder.Status.Failed > 0 || folder.Status.State == api.FolderFailed:
			return fmt.Errorf("%d files of %s failed: %s", folder.Status.Failed, folder.Settings.Path, folder.Status.Message)
		case wanted(folder.Status):
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
