package blob

import (
	"errors"
	"os"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sys/windows"
)

// rename gives a file its name and makes that durable. Virus scanners open new files for a moment, without letting
// others rename them, so it is tried again for a second.
func rename(from, to string) error {
	source, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	target, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	for range 20 {
		err = windows.MoveFileEx(source, target, windows.MOVEFILE_WRITE_THROUGH)
		if !errors.Is(err, windows.ERROR_SHARING_VIOLATION) && !errors.Is(err, windows.ERROR_ACCESS_DENIED) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// syncFolder has nothing to do: Windows cannot flush a folder, and rename writes through.
func syncFolder(string) error {
	return nil
}

// removeLocked deletes the file that lock is on. Windows removes no file that is open, so the lock is given up
// before; if another process has opened the file meanwhile, it stays.
func removeLocked(path string, lock *flock.Flock) error {
	if err := lock.Close(); err != nil {
		return err
	}
	return os.Remove(path)
}
