package folder

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openForWriting says whether any program has the file open for writing: then
// nobody can have a read lease on it (fcntl(2), F_SETLEASE). The kernel does not
// tell of files of other users, nor on most network file systems.
func openForWriting(f *os.File) bool {
	_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	if err == nil {
		// Who wants to write meanwhile waits for this.
		_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_UNLCK)
	}
	return errors.Is(err, unix.EAGAIN)
}
