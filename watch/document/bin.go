package document

import (
	"errors"
	"fmt"
	"path/filepath"
)

// ErrNoBin is returned where the desktop has no bin for a file: on a share, on
// a stick, or where none can be made. Removing it for good is never the answer.
var ErrNoBin = errors.New("there is no bin for its disk: let originals stay or be moved to \"done\"")

// MoveToBin moves the original at path to the desktop's bin, from where a user
// can bring it back. It must still have the stamp it was translated with, else
// ErrChanged is returned. A symbolic link stays, and an original that has gone
// is no error.
//
// On Linux it follows the FreeDesktop.org Trash specification 1.0; on Windows
// the shell does it.
func MoveToBin(path string, stamp Stamp) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("move to the bin: %w", err)
	}
	release, err := denyWriting(path)
	if err != nil {
		return err
	}
	there, err := unchanged(path, stamp)
	release() // the shell may need more than to rename it
	if err != nil || there == nil {
		return err
	}
	if err := moveToBin(path, stamp); err != nil {
		return fmt.Errorf("move %s to the bin: %w", path, err)
	}
	return nil
}
