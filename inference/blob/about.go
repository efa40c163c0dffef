package blob

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// About is what a blob was made of, for people and for cleaning up: keys tell
// nothing. A part that is not known is "".
type About struct {
	Model        string `json:"model"`    // its folder's name
	Prepared     string `json:"prepared"` // folder of the graphs that it was compiled from
	Graph        string `json:"graph"`    // file there
	Device       string `json:"device"`
	Architecture string `json:"architecture,omitempty"`
	Tiles        string `json:"tiles,omitempty"`
	Driver       string `json:"driver,omitempty"`
	Compiler     string `json:"compiler,omitempty"`
	Runtime      string `json:"runtime"` // build
}

// Listed is a blob in the store.
type Listed struct {
	Key     Key
	Bytes   int64 // on disk
	Used    time.Time
	About   About
	Known   bool // there is an About
	Doubted bool // it counts as absent

	entry entry
}

const (
	aboutFolder = "about"
	aboutSuffix = ".json"
	mostAbout   = 1 << 16 // bytes
)

// Describe keeps what the blobs of a key were made of. It does nothing where
// that is kept already or the store cannot be written.
func (s *Store) Describe(key Key, a About) error {
	path := s.path(aboutFolder, key.String()+aboutSuffix)
	if !s.writable() || exists(path) {
		return nil
	}
	if err := s.describe(path, a); err != nil && !exists(path) { // another process may have been first
		return fmt.Errorf("describe compiled model %s in %s: %w", key, s.dir, err)
	}
	return nil
}

func (s *Store) describe(path string, a About) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	text, err := json.MarshalIndent(a, "", "\t")
	if err != nil {
		return err
	}
	t, err := s.newTemp()
	if err != nil {
		return err
	}
	defer t.remove()
	if err := os.WriteFile(t.path, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return rename(t.path, path)
}

func (s *Store) about(key Key) (a About, known bool) {
	f, err := os.Open(s.path(aboutFolder, key.String()+aboutSuffix))
	if err != nil {
		return a, false
	}
	defer f.Close()
	if json.NewDecoder(io.LimitReader(f, mostAbout)).Decode(&a) != nil {
		return About{}, false
	}
	return a, true
}

// List tells what is in the store, the least recently used first.
func (s *Store) List() (all []Listed) {
	for _, e := range s.entries() {
		l := Listed{Key: e.key, Bytes: e.size, Used: e.used, Doubted: s.doubtful(e.name), entry: e}
		l.About, l.Known = s.about(e.key)
		all = append(all, l)
	}
	return all
}

// Check reads all of a listed blob. One that is damaged goes into quarantine, and
// the error says what is wrong with it.
func (s *Store) Check(l Listed) error {
	file, lock, err := openFile(s.path(l.entry.name))
	if err != nil {
		return err
	}
	_, err = verify(file, l.Key)
	file.Close()
	_ = lock.Close()
	if err != nil {
		s.setAside(l.entry, err.Error())
		return fmt.Errorf("compiled model %s: %w", l.entry.name, err)
	}
	return nil
}

// Remove deletes a listed blob unless some process has it open.
func (s *Store) Remove(l Listed) bool { return s.writable() && s.remove(l.entry) }

// ClearQuarantine deletes what was set aside, and returns how many files and
// bytes that were.
func (s *Store) ClearQuarantine() (files int, bytes int64) {
	for _, q := range s.quarantined() {
		if os.Remove(s.path(quarantineFolder, q.name)) == nil {
			files, bytes = files+1, bytes+q.size
		}
	}
	return files, bytes
}

// Quarantined is what was set aside.
func (s *Store) Quarantined() (files int, bytes int64) {
	all := s.quarantined()
	return len(all), totalSize(all)
}

// sweepAbout removes what is told of keys without blobs.
func (s *Store) sweepAbout() {
	paths, _ := filepath.Glob(s.path(aboutFolder, "*"+aboutSuffix))
	if len(paths) == 0 {
		return
	}
	there := map[string]bool{}
	for _, e := range s.entries() {
		there[e.key.String()] = true
	}
	for _, path := range paths {
		if !there[strings.TrimSuffix(filepath.Base(path), aboutSuffix)] {
			_ = os.Remove(path)
		}
	}
}
