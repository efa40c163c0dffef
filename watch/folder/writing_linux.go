package folder

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openForWriting asks for a read lease on the file (fcntl(2), F_SETLEASE), which
// nobody can have while any program has it open for writing. The kernel does not
// tell of files of other users, nor on most network file systems.
func openForWriting(f *os.File) (open, known bool) {
	_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	if err == nil {
		// Who wants to write meanwhile waits for this.
		_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_UNLCK)
	}
	open = errors.Is(err, unix.EAGAIN)
	return open, open || err == nil
}
