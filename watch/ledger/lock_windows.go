package ledger

import (
	"errors"

	"golang.org/x/sys/windows"
)

// noLocks says whether err means that the file system cannot lock at all.
func noLocks(err error) bool {
	return errors.Is(err, windows.ERROR_NOT_SUPPORTED) || errors.Is(err, windows.ERROR_INVALID_FUNCTION)
}
