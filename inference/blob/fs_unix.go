//go:build unix

package blob

import (
	"errors"
	"os"

	"github.com/gofrs/flock"
)

// rename gives a file its name; the caller makes that durable by syncFolder.
func rename(from, to string) error {
	return os.Rename(from, to)
}

// syncFolder makes new names in a folder durable.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// removeLocked deletes the file that lock is on, before the lock is given up: who waits for it sees that the file has
// lost its name.
func removeLocked(path string, _ *flock.Flock) error {
	return os.Remove(path)
}
