package document

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameNew renames unless something has the new name, which is fs.ErrExist.
func renameNew(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS): // not on this file system
		return linkNew(from, to)
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}
