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

// errWriting is the error of a file that is not complete yet.
var errWriting = errors.New("another program is writing to it")

// inUse says whether another program has the file open for itself or for
// writing, which some network file systems report too.
func inUse(err error) bool {
	return errors.Is(err, errWriting) || errors.Is(err, syscall.EBUSY) || errors.Is(err, syscall.ETXTBSY)
}

// tryOpen says whether the file can be read and nobody is writing to it; it does
// not wait at a named pipe that took its place.
func tryOpen(path string) error {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if open, _ := openForWriting(f); open {
		return errWriting
	}
	return nil
}
