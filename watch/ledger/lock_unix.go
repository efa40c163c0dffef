//go:build unix

package ledger

import (
	"errors"
	"syscall"
)

// noLocks says whether err means that the file system cannot lock at all.
func noLocks(err error) bool {
	return errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.ENOLCK)
}
