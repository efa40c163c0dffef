package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// reserve gives a file room on its disk without writing it, and says whether the
// file system can.
func reserve(f *os.File, bytes int64) bool {
	return unix.Fallocate(int(f.Fd()), 0, 0, bytes) == nil
}
