package document

import (
	"errors"
	"fmt"

	"golang.org/x/sys/windows"
)

// denyWriting keeps other programs from opening the file for writing until it is
// released; it may be renamed meanwhile. ErrChanged if one has it open.
func denyWriting(path string) (release func(), err error) {
	name, err := windows.UTF16PtrFromString(longPath(path))
	if err != nil {
		return nil, err
	}
	h, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ|windows.FILE_SHARE_DELETE, nil,
		windows.OPEN_EXISTING, windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	switch {
	case err == nil:
		return func() { _ = windows.CloseHandle(h) }, nil
	case errors.Is(err, windows.ERROR_SHARING_VIOLATION):
		return nil, fmt.Errorf("move %s away while a program writes to it: %w", path, ErrChanged)
	}
	return func() {}, nil // such as a file that has gone; whoever moves it will see
}
