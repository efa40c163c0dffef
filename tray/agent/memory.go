package agent

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
)

// memory is what the tray keeps that is no setting.
type memory struct {
	Recent []string `json:"recent,omitempty"` // languages, last chosen first
	// NoHostTold says that the user was told once that this desktop shows no
	// icons.
	NoHostTold bool `json:"no_host_told,omitempty"`
	// BatteryPaused says that files wait because the machine ran on its battery.
	BatteryPaused bool `json:"battery_paused,omitempty"`

	path string
}

const maxRecent = 8

// openMemory reads what was kept. A file that cannot be read is one that is
// not there: nothing in it is worth an error.
func openMemory(path string) *memory {
	m := &memory{}
	if data, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(data, m); err != nil {
			slog.Warn("What the tray had kept cannot be read", "path", path, "err", err)
			*m = memory{}
		}
	}
	m.path = path
	return m
}

func (m *memory) chose(code string) {
	m.Recent = slices.DeleteFunc(slices.Clone(m.Recent), func(c string) bool { return c == code })
	m.Recent = slices.Insert(m.Recent, 0, code)
	m.Recent = m.Recent[:min(len(m.Recent), maxRecent)]
	m.save()
}

func (m *memory) save() {
	data, err := json.Marshal(m)
	if err == nil {
		if err = os.MkdirAll(filepath.Dir(m.path), 0o700); err == nil {
			err = replace(m.path, data)
		}
	}
	if err != nil {
		slog.Warn("What the tray keeps was not written", "err", err)
	}
}

// replace puts a file in place in one step.
func replace(path string, data []byte) error {
	temp := path + ".new"
	if err := os.WriteFile(temp, data, 0o600); err != nil {
		return err
	}
	return os.Rename(temp, path)
}
