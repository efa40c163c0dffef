package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Stamp tells versions of a configuration file apart without reading them: by
// which file it is, its size and when it was last changed. The zero Stamp is
// that of a file that is not there.
type Stamp struct{ info fs.FileInfo }

// StampOf returns the stamp of the file at path, through links.
func StampOf(path string) (Stamp, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Stamp{}, nil
	}
	if err != nil {
		return Stamp{}, fmt.Errorf("look at the configuration: %w", err)
	}
	return Stamp{info}, nil
}

// Same says whether the file has not changed from one stamp to the other.
func (s Stamp) Same(other Stamp) bool {
	if s.info == nil || other.info == nil {
		return s.info == other.info
	}
	return os.SameFile(s.info, other.info) && s.info.Size() == other.info.Size() && s.info.ModTime().Equal(other.info.ModTime())
}

// settle is longer than a program needs to write a file of a few kilobytes.
const settle = time.Second

// Settled says whether whoever changed the file has had time to write all of
// it. The age of a file of the future, by a clock that was put back, counts for
// nothing.
func (s Stamp) Settled(now time.Time) bool {
	if s.info == nil {
		return true
	}
	age := now.Sub(s.info.ModTime())
	return age < 0 || age >= settle
}
