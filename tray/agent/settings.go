package agent

import (
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"sync"
	"time"

	"dragoman/daemon/config"
	"dragoman/tray"
)

// settings are the user's, read again whenever the file has changed. The tray
// looks when something happens, and so needs no clock. It may be used by several
// goroutines.
type settings struct {
	path string

	mu      sync.Mutex
	current *config.Config // replaced by another, never changed
	size    int64
	changed time.Time
	problem error // with the file as it is now
}

func openSettings(path string) *settings {
	s := &settings{path: path, size: unread, current: new(config.Default())}
	if _, problem := s.refresh(); problem != nil {
		// Nobody knows what the person wanted: nothing is read without having
		// been asked for.
		s.current.Clipboard.Watch = string(tray.ClipOff)
	}
	return s
}

// unread is the size of no file.
const unread = -1

func (s *settings) now() *config.Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// refresh reads the file if it is another than the last time, and returns the
// settings and what is wrong with the file. One with mistakes changes nothing.
func (s *settings) refresh() (now *config.Config, problem error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read()
	return s.current, s.problem
}

func (s *settings) read() {
	var size int64
	var changed time.Time
	if info, err := os.Stat(s.path); err == nil {
		size, changed = info.Size(), info.ModTime()
	}
	if size == s.size && changed.Equal(s.changed) {
		return
	}
	s.size, s.changed = size, changed
	read, err := config.Read(s.path, os.Getenv)
	if s.problem = err; err != nil {
		slog.Warn("The settings were not changed", "err", err)
		return
	}
	s.current = &read.Config
}

// set writes keys and values, as TOML writes them.
func (s *settings) set(values map[string]string) error {
	all := make(map[string]*string, len(values))
	for key, value := range values {
		all[key] = &value
	}
	if err := config.SetAll(s.path, all); err != nil {
		return fmt.Errorf("change the settings: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.size = unread // two changes may have the same size and time
	s.read()
	return nil
}

func yesNo(v bool) string    { return strconv.FormatBool(v) }
func quoted(v string) string { return strconv.Quote(v) }
