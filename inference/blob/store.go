package blob

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
)

// Options are the settings of a store.
type Options struct {
	// QuotaBytes is the most that blobs and quarantine together may take on disk. 0 means no limit.
	QuotaBytes int64
}

// Mode says what a store can do.
type Mode string

// The modes of a store.
const (
	ReadWrite   Mode = "read-write"
	ReadOnly    Mode = "read-only"
	Unavailable Mode = "unavailable"
)

// Status is what a store says about itself.
type Status struct {
	Dir     string
	Mode    Mode
	Problem string // why the store is not writable, or why the last Put or Lock failed; empty if all is well
	Doubt   string // why the newest blob was put into quarantine; empty if none was
}

// Stats are the figures of a store. Entries and Bytes are those of the folder (of all processes), without quarantine;
// the counts are those of this Store.
type Stats struct {
	Entries     int
	Bytes       int64
	Hits        int
	Misses      int
	Quarantined int
	Evicted     int
}

// Store is a folder of compiled models. Any number of goroutines and processes may use the same folder.
type Store struct {
	dir   string
	quota int64

	mu     sync.Mutex // guards what follows
	status Status
	stats  Stats
	bad    map[string]bool // files that are in doubt and could not be moved away
}

// Names of the folders and files in the store.
const (
	tempFolder       = "tmp"
	lockFolder       = "locks"
	quarantineFolder = "quarantine"
	storeLock        = "store.lock"
)

// Open opens the store in dir and makes the folder where it is missing. It never fails: where the folder cannot be
// written the store is read-only, where it cannot be read either the store is always empty, and a warning is logged.
// What killed processes left is removed.
func Open(dir string, o Options) *Store {
	s := &Store{dir: dir, quota: o.QuotaBytes, bad: map[string]bool{}, status: Status{Dir: dir, Mode: ReadWrite}}
	if err := s.prepare(); err != nil {
		s.status.Mode = Unavailable
		if _, readErr := os.ReadDir(dir); readErr == nil {
			s.status.Mode = ReadOnly
		}
		s.status.Problem = err.Error()
		slog.Warn("Compiled models cannot be stored and are compiled anew at each start", "folder", dir, "mode", string(s.status.Mode), "reason", err.Error())
		return s
	}
	s.sweep()
	return s
}

// prepare makes the folders and finds out whether files can be made and locked there.
func (s *Store) prepare() error {
	for _, name := range []string{tempFolder, lockFolder, quarantineFolder} {
		if err := os.MkdirAll(filepath.Join(s.dir, name), 0o700); err != nil {
			return fmt.Errorf("make the folder of compiled models: %w", err)
		}
	}
	probe, err := s.newTemp()
	if err != nil {
		return fmt.Errorf("write to the folder of compiled models: %w", err)
	}
	probe.remove()
	return nil
}

// Status tells the state of the store.
func (s *Store) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

// Stats counts what is in the store.
func (s *Store) Stats() Stats {
	entries := s.entries()
	s.mu.Lock()
	defer s.mu.Unlock()
	stats := s.stats
	stats.Entries = len(entries)
	stats.Bytes = totalSize(entries)
	return stats
}

func (s *Store) path(names ...string) string {
	return filepath.Join(append([]string{s.dir}, names...)...)
}

func (s *Store) writable() bool {
	return s.Status().Mode == ReadWrite
}

// fail notes a problem, or that there is none any more, and returns err.
func (s *Store) fail(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Problem = ""
	if err != nil {
		s.status.Problem = err.Error()
	}
	return err
}

// exists says whether there is anything at path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
