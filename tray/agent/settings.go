package agent

import (
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"sync"

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
	read    bool           // as stamp says
	stamp   config.Stamp
	problem error // with the file or the policy as it is now
}

func openSettings(path string) *settings {
	s := &settings{path: path, current: new(config.Default())}
	if _, problem := s.refresh(); problem != nil {
		// Nobody knows what the person wanted: nothing is read without having
		// been asked for. What the policy wants may be known.
		if only, err := config.Read("", func(string) string { return "" }); err == nil {
			s.current = &only.Config
		}
		s.current.Clipboard.Watch = string(tray.ClipOff)
	}
	return s
}

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
	s.look()
	return s.current, s.problem
}

func (s *settings) look() {
	stamp, err := config.StampOf(s.path)
	if err == nil && s.read && stamp.Same(s.stamp) {
		return
	}
	// A file that cannot be looked at is told by Read, until it can be.
	s.read, s.stamp = err == nil, stamp
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
	s.read = false // two changes may have the same size and time
	s.look()
	return nil
}

func yesNo(v bool) string    { return strconv.FormatBool(v) }
func quoted(v string) string { return strconv.Quote(v) }
