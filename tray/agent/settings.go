package agent

import (
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"time"

	"dragoman/daemon/config"
	"dragoman/tray"
)

// settings are the user's, read again whenever the file has changed. The tray
// looks when something happens, and so needs no clock.
type settings struct {
	path    string
	current config.Config
	size    int64
	changed time.Time
	problem error // with the file as it is now
}

func openSettings(path string) *settings {
	s := &settings{path: path, current: config.Default(), size: -1}
	s.refresh()
	if s.problem != nil {
		// Nobody knows what the person wanted: nothing is read without having
		// been asked for.
		s.current.Clipboard.Watch = string(tray.ClipOff)
	}
	return s
}

func (s *settings) now() *config.Config { return &s.current }

// refresh reads the file if it is another than the last time, and says whether
// it is. A file with mistakes changes nothing.
func (s *settings) refresh() bool {
	var size int64
	var changed time.Time
	if info, err := os.Stat(s.path); err == nil {
		size, changed = info.Size(), info.ModTime()
	}
	if size == s.size && changed.Equal(s.changed) {
		return false
	}
	s.size, s.changed = size, changed
	read, err := config.Read(s.path, os.Getenv)
	if s.problem = err; err != nil {
		slog.Warn("The settings were not changed", "err", err)
		return false
	}
	s.current = read.Config
	return true
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
	s.refresh()
	return nil
}

func yesNo(v bool) string    { return strconv.FormatBool(v) }
func quoted(v string) string { return strconv.Quote(v) }
