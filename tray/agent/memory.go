package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"dragoman/tray"
	"dragoman/tray/message"
)

// memory is what the tray keeps that is no setting. Two sessions of one person
// share its file: each changes what is there by now, and under a lock.
type memory struct {
	kept
	path    string
	size    int64 // of the file when it was read
	changed time.Time
}

// kept is the content of the file.
type kept struct {
	Recent []string `json:"recent,omitempty"` // languages, last chosen first
	// NoHostTold says that the user was told once that this desktop shows no
	// icons.
	NoHostTold bool `json:"no_host_told,omitempty"`
	// BatteryPaused says that files wait because the machine ran on its battery.
	BatteryPaused bool `json:"battery_paused,omitempty"`
}

const maxRecent = 8

// lockPatience is how long another session may take to write the file.
const lockPatience = time.Second

// unread is the size of no file.
const unread = -1

func openMemory(path string) *memory {
	m := &memory{path: path, size: unread}
	m.refresh()
	return m
}

// refresh reads the file if it is another than the last time. One that cannot be
// read is one that is not there: nothing in it is worth an error.
func (m *memory) refresh() {
	info, err := os.Stat(m.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return // what could not be written is known all the same
	case err != nil || info.Size() == m.size && info.ModTime().Equal(m.changed):
		return
	}
	m.size, m.changed = info.Size(), info.ModTime()
	if k, ok := readKept(m.path); ok {
		m.kept = k
	}
}

func readKept(path string) (k kept, ok bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return kept{}, false
	}
	if err := json.Unmarshal(data, &k); err != nil {
		slog.Warn("What the tray had kept cannot be read", "path", path, "err", err)
		k = kept{}
	}
	return k, true
}

// change applies f to what is kept by now and writes it. After an error it counts
// for this process alone.
func (m *memory) change(f func(*kept)) error {
	err := m.write(f)
	if err != nil {
		f(&m.kept)
		return fmt.Errorf("keep the tray's memory: %w", err)
	}
	return nil
}

func (m *memory) write(f func(*kept)) error {
	if err := os.MkdirAll(filepath.Dir(m.path), 0o700); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	lock := flock.New(m.path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return fmt.Errorf("lock it: %w", err)
	}
	defer func() { _ = lock.Unlock() }()
	now, there := readKept(m.path)
	if !there {
		now = m.kept
	}
	f(&now)
	data, err := json.Marshal(now)
	if err == nil {
		err = replace(m.path, data)
	}
	if err == nil {
		m.kept, m.size = now, unread // two changes may have the same size and time
	}
	return err
}

func (k *kept) chose(code string) {
	k.Recent = slices.DeleteFunc(slices.Clone(k.Recent), func(c string) bool { return c == code })
	k.Recent = slices.Insert(k.Recent, 0, code)
	k.Recent = k.Recent[:min(len(k.Recent), maxRecent)]
}

// replace puts a file in place in one step; the lock is held.
func replace(path string, data []byte) error {
	temp := path + ".new"
	if err := os.WriteFile(temp, data, 0o600); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

// remember changes the memory.
func (a *Agent) remember(ctx context.Context, f func(*kept)) {
	if err := a.memory.change(f); err != nil {
		slog.Warn("What the tray keeps was not written", "err", err)
		a.cannotKeep(ctx, filepath.Dir(a.memory.path))
	}
}

// CannotKeep tells the person, once, that nothing can be written to a folder. It
// may be called from any goroutine, and waits for Run.
func (a *Agent) CannotKeep(ctx context.Context, folder string) {
	a.do(ctx, func() { a.cannotKeep(ctx, folder) })
}

func (a *Agent) cannotKeep(ctx context.Context, folder string) {
	if a.unkept {
		return
	}
	a.unkept = true
	a.tell(ctx, "memory", a.texts.Say(message.NoteNotKept, "Program", tray.Program, "Folder", folder))
}
