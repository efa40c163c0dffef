package config

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// keepOwner has nothing to do: a new file has the rights of its folder.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// rename tries again for a second where another process reads the old file, as
// the service does when it loads it or a virus scanner when it was written.
func rename(from, to string) error {
	var err error
	for range 50 {
		err = os.Rename(from, to)
		if !errors.Is(err, windows.ERROR_ACCESS_DENIED) && !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}
