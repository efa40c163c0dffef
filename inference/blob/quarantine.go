package blob

import (
	"fmt"
	"log/slog"
	"os"
	"time"
)

// Quarantine takes all blobs of key out of use, because reason makes them doubtful: the runtime refused to import
// them, or what they compute is wrong. The newest files are kept in the quarantine folder.
func (s *Store) Quarantine(key Key, reason string) {
	for _, e := range s.entriesOf(key) {
		if !s.doubtful(e.name) {
			s.setAside(e, reason)
		}
	}
}

// setAside moves a file to quarantine. Where it cannot be moved (it is mapped on Windows, or the store is read-only)
// it is marked, on disk if possible.
func (s *Store) setAside(e entry, reason string) {
	// The time comes first in the name, so that names sort by age.
	to := s.path(quarantineFolder, fmt.Sprintf("%020d-%s", time.Now().UnixNano(), e.name))
	if err := os.Rename(s.path(e.name), to); err != nil {
		if !exists(s.path(e.name)) {
			return // another process was first
		}
		_ = os.WriteFile(s.path(e.name+marker), nil, 0o600)
		s.mu.Lock()
		s.bad[e.name] = true
		s.mu.Unlock()
	}
	s.mu.Lock()
	s.stats.Quarantined++
	s.status.Doubt = fmt.Sprintf("%s: %s", e.name, reason)
	s.mu.Unlock()
	slog.Warn("Compiled model put into quarantine", "file", e.name, "reason", reason)
	if old := s.quarantined(); len(old) > quarantineKeep {
		for _, q := range old[:len(old)-quarantineKeep] {
			_ = os.Remove(s.path(quarantineFolder, q.name)) // whoever comes next tries again
		}
	}
}

// quarantined lists the files in quarantine, the oldest first.
func (s *Store) quarantined() []entry {
	files, err := os.ReadDir(s.path(quarantineFolder))
	if err != nil {
		return nil
	}
	var all []entry
	for _, f := range files {
		if info, err := f.Info(); err == nil {
			all = append(all, entry{name: f.Name(), size: info.Size()})
		}
	}
	return all
}
