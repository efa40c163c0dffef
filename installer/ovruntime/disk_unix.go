//go:build unix

package ovruntime

import "os"

func rename(from, to string) error { return os.Rename(from, to) }

// syncDir puts a folder's entries on the disk, without which a new name may be
// gone after a power cut.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = f.Sync()
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}
