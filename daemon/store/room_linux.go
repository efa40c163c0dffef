package store

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// reserve gives a file room on its disk without writing it; errors.ErrUnsupported
// where the file system cannot.
func reserve(f *os.File, bytes int64) error {
	for {
		if err := unix.Fallocate(int(f.Fd()), 0, 0, bytes); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
