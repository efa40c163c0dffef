//go:build !windows

package folder

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// hiddenAttribute is only on Windows; elsewhere the name says it.
func hiddenAttribute(fs.FileInfo) bool { return false }

// inUse says whether another program has the file open for itself, which some
// network file systems report.
func inUse(err error) bool {
	return errors.Is(err, syscall.EBUSY) || errors.Is(err, syscall.ETXTBSY)
}

// tryOpen says whether the file can be read; it does not wait at a named pipe
// that took its place.
func tryOpen(path string) error {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	return f.Close()
}
