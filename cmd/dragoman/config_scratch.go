package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// scratch is the copy of the settings that an editor works on. It has one place,
// so that a copy that a kill left behind is found and removed by the next.
type scratch struct {
	file string
	made string // folder above that was made for it, "" if it was there
	lock *flock.Flock
}

// The folder of the copy in the state folder, which nobody else may read: the
// settings can hold a secret. The lock ends with the process that holds it.
const (
	scratchDir  = "settings.edit"
	scratchLock = "lock"
)

// newScratch makes a copy that is named like file, for editors that look at the
// name, and holds text.
func newScratch(stateDir, file string, text []byte) (*scratch, error) {
	s := &scratch{file: filepath.Join(stateDir, scratchDir, filepath.Base(file))}
	if _, err := os.Stat(stateDir); errors.Is(err, os.ErrNotExist) {
		s.made = stateDir
	}
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return nil, fmt.Errorf("make a copy of the settings: %w", err)
	}
	s.lock = flock.New(filepath.Join(filepath.Dir(s.file), scratchLock), flock.SetPermissions(0o600))
	switch got, err := s.lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("make a copy of the settings: %w", err)
	case !got:
		return nil, fmt.Errorf("the settings are being edited already: end that editor first (it has %s)", s.file)
	}
	// What an editor left beside an earlier copy goes too.
	entries, err := os.ReadDir(filepath.Dir(s.file))
	for _, e := range entries {
		if e.Name() != scratchLock {
			err = errors.Join(err, os.RemoveAll(filepath.Join(filepath.Dir(s.file), e.Name())))
		}
	}
	if err == nil {
		err = os.WriteFile(s.file, text, 0o600)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a copy of the settings: %w", err), s.remove())
	}
	return s, nil
}

func (s *scratch) remove() error {
	err := s.lock.Unlock() // Windows removes no file that is open
	if err = errors.Join(err, os.RemoveAll(filepath.Dir(s.file))); err != nil {
		return fmt.Errorf("remove the copy of the settings: %w", err)
	}
	if s.made != "" {
		_ = os.Remove(s.made) // stays where something else has come into it
	}
	return nil
}
