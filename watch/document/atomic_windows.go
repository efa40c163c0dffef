package document

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/windows"
)

// windowsNames: names of files follow the rules of Win32.
const windowsNames = true

// outputMode keeps outputs replaceable: Windows refuses to rename over a file
// with the read-only attribute, which is all a mode can say there.
func outputMode(mode fs.FileMode) fs.FileMode { return mode | 0o200 }

// holdTemp has nothing to do: an open file cannot be removed here.
func holdTemp(*os.File) bool { return true }

// removeOrphan removes the temporary file at path unless its writer lives. The
// process id counts for the moment between closing and renaming; when it was
// given to another process, the file stays until a later start.
func removeOrphan(path string, pid int) (bool, error) {
	if alive(pid) {
		return false, nil
	}
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

func alive(pid int) bool {
	if pid == os.Getpid() {
		return true
	}
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer windows.CloseHandle(h)
	var code uint32
	const stillActive = 259
	return windows.GetExitCodeProcess(h, &code) == nil && code == stillActive
}

// retryPauses are the waits while another program (a virus scanner, an open
// editor) holds the file to be replaced; together under a second.
var retryPauses = []time.Duration{10 * time.Millisecond, 40 * time.Millisecond, 160 * time.Millisecond, 640 * time.Millisecond}

// moveInto closes first, because Go opens files without the right to rename
// them, and waits for programs that hold the old output for a moment.
func moveInto(f *os.File, path string) error {
	if err := f.Close(); err != nil {
		return err
	}
	err := os.Rename(f.Name(), path)
	for _, pause := range retryPauses {
		if !errors.Is(err, windows.ERROR_SHARING_VIOLATION) && !errors.Is(err, windows.ERROR_ACCESS_DENIED) {
			break
		}
		time.Sleep(pause)
		err = os.Rename(f.Name(), path)
	}
	return err
}

// syncDir has no counterpart: NTFS journals the rename.
func syncDir(string) error { return nil }

func readOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }

func diskFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// moveNew is moveInto for a path that must be free.
func moveNew(f *os.File, path string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return renameNew(f.Name(), path)
}

// renameNew renames unless something has the new name, which is fs.ErrExist.
func renameNew(from, to string) error {
	old, err := windows.UTF16PtrFromString(longPath(from))
	if err != nil {
		return err
	}
	now, err := windows.UTF16PtrFromString(longPath(to))
	if err != nil {
		return err
	}
	err = windows.MoveFileEx(old, now, windows.MOVEFILE_WRITE_THROUGH)
	for _, pause := range retryPauses {
		if !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
			break
		}
		time.Sleep(pause)
		err = windows.MoveFileEx(old, now, windows.MOVEFILE_WRITE_THROUGH)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// longPath lifts the limit of 260 characters, as package os does by itself.
func longPath(path string) string {
	if len(path) < 248 || !filepath.IsAbs(path) || strings.HasPrefix(path, `\\`) {
		return path
	}
	return `\\?\` + filepath.Clean(path)
}

func otherDisk(err error) bool { return errors.Is(err, windows.ERROR_NOT_SAME_DEVICE) }
