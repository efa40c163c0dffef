//go:build unix

package document

import (
	"os"
	"syscall"
)

// openNonblock opens for reading without waiting for the other end of a named
// pipe that took the file's place since it was looked at.
func openNonblock(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
