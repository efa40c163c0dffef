package folder

import (
	"errors"
	"io/fs"
	"syscall"

	"golang.org/x/sys/windows"
)

// hiddenAttribute says whether Explorer hides the file.
func hiddenAttribute(info fs.FileInfo) bool {
	data, ok := info.Sys().(*syscall.Win32FileAttributeData)
	return ok && data.FileAttributes&(windows.FILE_ATTRIBUTE_HIDDEN|windows.FILE_ATTRIBUTE_SYSTEM) != 0
}

// inUse says whether another program has the file open for itself.
func inUse(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}

// tryOpen says whether the file can be read, now that nobody has it for himself
// or writes to it.
func tryOpen(path string) error {
	h, err := openComplete(path)
	if err != nil {
		return err
	}
	return windows.CloseHandle(h)
}
