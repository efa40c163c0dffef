package ovruntime

import (
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// holdFile is in each runtime's folder; who uses the runtime has it locked.
const holdFile = ".in-use"

// Hold keeps an installation from removing the runtime in dir until release is
// called or the process ends. A process that loads a runtime from the data
// folder should hold it, since plugins are opened late. It fails where the
// folder is gone or may not be locked; a runtime that somebody else installed in
// a folder that cannot be written needs no hold.
func Hold(dir string) (release func(), err error) {
	lock := flock.New(filepath.Join(dir, holdFile))
	ok, err := lock.TryRLock()
	if err != nil {
		return nil, fmt.Errorf("hold the runtime in %s: %w", dir, err)
	}
	if !ok {
		return nil, fmt.Errorf("hold the runtime in %s: it is being removed", dir)
	}
	return func() { _ = lock.Close() }, nil // closing cannot fail in a way that matters
}

// held tells whether some process holds the runtime in dir.
func held(dir string) bool {
	lock := flock.New(filepath.Join(dir, holdFile))
	ok, err := lock.TryLock()
	if err != nil {
		return true // in doubt it stays
	}
	_ = lock.Close()
	return !ok
}
