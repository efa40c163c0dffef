// Package session is the desktop session that a tray belongs to: its name, and
// the locks by which each has only one tray. It must not import anything of ours.
package session

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"
)

// ErrTaken is the error of a second tray.
var ErrTaken = errors.New("dragoman-tray already runs in this session: its icon is in the tray")

// Take makes this process the session's only tray until release, by a lock in
// each of the folders that can be written. unkept is the first of them if it
// cannot be, "" if it can. Where none can be, nothing keeps a second tray away.
func Take(folders ...string) (release func(), unkept string, err error) {
	var locks []*flock.Flock
	release = func() {
		for _, l := range locks {
			_ = l.Unlock()
		}
	}
	for i, folder := range folders {
		if slices.Contains(folders[:i], folder) {
			continue // its lock would be ours already, which counts as taken
		}
		lock, err := take(folder)
		switch {
		case errors.Is(err, ErrTaken):
			release()
			return nil, "", err
		case err == nil:
			locks = append(locks, lock)
			continue
		case i == 0:
			unkept = folder
		}
		slog.Warn("The session is not locked by this folder", "err", err)
	}
	return release, unkept, nil
}

func take(folder string) (*flock.Flock, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder: %w", err)
	}
	lock := flock.New(file(folder), flock.SetPermissions(0o600))
	taken, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the session: %w", err)
	}
	if !taken {
		return nil, ErrTaken
	}
	return lock, nil
}

// Taken says whether a tray runs in this session. It makes nothing.
func Taken(folders ...string) bool {
	for _, folder := range folders {
		path := file(folder)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
		free, err := lock.TryRLock()
		if err == nil && !free {
			return true
		}
		_ = lock.Unlock()
	}
	return false
}

func file(folder string) string { return filepath.Join(folder, "tray-"+Name()+".lock") }
