//go:build unix

package document

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// windowsNames: names of files follow the rules of Win32.
const windowsNames = false

func outputMode(mode fs.FileMode) fs.FileMode { return mode }

// holdTemp locks the file for as long as it is open. The kernel lets go when
// the process dies, however it dies; a process id alone could have been given
// to another process since. False when a cleaner removed the file before.
func holdTemp(f *os.File) bool {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		// Held by a cleaner, or a file system without locks: there the process
		// id in the name protects.
		return !errors.Is(err, syscall.EWOULDBLOCK)
	}
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(open, named)
}

// removeOrphan removes the temporary file at path unless its writer lives.
func removeOrphan(path string, pid int) (bool, error) {
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil // renamed into place meanwhile
	case errors.Is(err, fs.ErrPermission):
		// Written and already given the read-only bits of its input, or not
		// ours; only the process id can tell.
		if alive(pid) {
			return false, nil
		}
		return removed(os.Remove(path))
	case err != nil:
		return false, err
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) || alive(pid) {
			return false, nil
		}
	}
	// Renamed into place between opening and locking: path is another file now.
	open, err := f.Stat()
	if err != nil {
		return false, err
	}
	if named, err := os.Lstat(path); err != nil || !os.SameFile(open, named) {
		return false, nil
	}
	return removed(os.Remove(path))
}

func removed(err error) (bool, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// moveInto renames while the file is open, so that it is locked up to the
// moment it stops being a temporary file.
func moveInto(f *os.File, path string) error {
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return f.Close()
}

// syncDir makes a rename in dir survive a power cut.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err // some network file systems have no fsync for folders
	}
	return nil
}

func readOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

func diskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// moveNew is moveInto for a path that must be free.
func moveNew(f *os.File, path string) error {
	if err := renameNew(f.Name(), path); err != nil {
		return err
	}
	return f.Close()
}

// linkNew is renameNew for systems that cannot rename without replacing: a link
// is never made over a file. Where there are no links either, looking first is
// the best that can be done.
func linkNew(from, to string) error {
	err := os.Link(from, to)
	switch {
	case err == nil:
		return os.Remove(from)
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist), otherDisk(err):
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	}
	return os.Rename(from, to)
}

func otherDisk(err error) bool { return errors.Is(err, syscall.EXDEV) }
