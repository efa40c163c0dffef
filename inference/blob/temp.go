package blob

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// temp is a file that is being written. A lock file beside it tells sweep that its writer lives.
type temp struct {
	path string
	lock *flock.Flock
}

const lockSuffix = ".lock"

// newTemp chooses a path for a new file. The lock is there before the file.
func (s *Store) newTemp() (*temp, error) {
	path := s.path(tempFolder, rand.Text())
	lock, err := acquire(context.Background(), path+lockSuffix, storeLockPoll)
	if err != nil {
		return nil, err
	}
	return &temp{path: path, lock: lock}, nil
}

// remove deletes the file, if it is still there, and after it the lock.
func (t *temp) remove() {
	_ = os.Remove(t.path)
	_ = removeLocked(t.path+lockSuffix, t.lock)
	_ = t.lock.Close()
}

// sweep removes what killed processes left: temporary files whose lock is free, and locks of keys without blobs.
func (s *Store) sweep() {
	temps, _ := filepath.Glob(s.path(tempFolder, "*"))
	for _, path := range temps {
		path = strings.TrimSuffix(path, lockSuffix)
		s.sweepLock(path+lockSuffix, func() { _ = os.Remove(path) })
	}
	locks, _ := filepath.Glob(s.path(lockFolder, "*"+lockSuffix))
	for _, path := range locks {
		s.sweepLock(path, func() {})
	}
	s.sweepAbout()
	markers, _ := filepath.Glob(s.path("*" + marker))
	for _, path := range markers {
		name := strings.TrimSuffix(filepath.Base(path), marker)
		if key, number, ok := parseName(name); ok && exists(s.path(name)) {
			s.remove(entry{name: name, key: key, number: number})
		} else {
			_ = os.Remove(path)
		}
	}
}

// sweepLock removes a lock file that nobody holds, after calling clean under the lock.
func (s *Store) sweepLock(path string, clean func()) {
	lock := flock.New(path)
	if ok, err := lock.TryLock(); err != nil || !ok {
		return
	}
	defer lock.Close()
	if isAt(lock, path) {
		clean()
		_ = removeLocked(path, lock)
	}
}
