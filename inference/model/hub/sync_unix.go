//go:build unix

package hub

import (
	"errors"
	"os"
)

// syncFolder puts the names in dir on the disk.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
