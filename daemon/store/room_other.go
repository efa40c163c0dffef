//go:build !linux

package store

import (
	"errors"
	"os"
)

// reserve says that room has to be written to be had.
func reserve(*os.File, int64) error { return errors.ErrUnsupported }
