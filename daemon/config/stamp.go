package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Stamp tells versions of a configuration file apart without reading them: by
// which file it is, its size and when it was last changed; and those of the
// machine's policy with it. The zero Stamp is that of a file that is not there
// where there is no policy.
type Stamp struct {
	info   fs.FileInfo
	policy policyStamp
}

// policyStamp tells versions of the policy apart.
type policyStamp struct {
	id      string
	changed time.Time
}

// StampOf returns the stamp of the file at path, through links.
func StampOf(path string) (Stamp, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Stamp{policy: stampOfPolicy()}, nil
	}
	if err != nil {
		return Stamp{}, fmt.Errorf("look at the configuration: %w", err)
	}
	return Stamp{info, stampOfPolicy()}, nil
}

// Same says whether the file has not changed from one stamp to the other.
func (s Stamp) Same(other Stamp) bool {
	if s.policy.id != other.policy.id {
		return false
	}
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
	return settledSince(s.policy.changed, now) && (s.info == nil || settledSince(s.info.ModTime(), now))
}

func settledSince(changed, now time.Time) bool {
	age := now.Sub(changed)
	return age < 0 || age >= settle
}
