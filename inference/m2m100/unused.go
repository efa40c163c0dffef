package m2m100

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// UnusedAfter is how long a prepared model is kept that no start has used:
// another model, another recipe, or an older writer's.
const UnusedAfter = 90 * 24 * time.Hour

// markUsed notes that a start has used the prepared model in dir.
func markUsed(dir string, now time.Time) {
	// Where the time cannot be set the folder cannot be cleaned up either.
	_ = os.Chtimes(filepath.Join(dir, manifestFile), now, now)
}

// removeUnused removes prepared models below parent that were not used for
// UnusedAfter. It runs when one is written, which is when the disk fills.
func removeUnused(parent string, now time.Time) {
	manifests, _ := filepath.Glob(filepath.Join(parent, "*", manifestFile)) // the pattern is sound
	for _, path := range manifests {
		info, err := os.Stat(path)
		if err != nil || now.Sub(info.ModTime()) < UnusedAfter {
			continue
		}
		// One that was not finished has another lock than its name says.
		if err := (Unfinished{Dir: filepath.Dir(path)}).Remove(); err != nil {
			slog.Warn("Unused model was not removed from the cache", "err", err)
		}
	}
}

func removePrepared(dir string) error { return removeUnder(dir+".lock", dir) }

// removeUnder removes a folder while it holds the lock of who would write it.
func removeUnder(path, dir string) error {
	lock := flock.New(path)
	if free, err := lock.TryLock(); err != nil || !free {
		return err // a process that prepares it is using it
	}
	// The lock's file stays: removing it would let two processes hold the
	// lock of one name.
	return errors.Join(os.RemoveAll(dir), lock.Unlock())
}
