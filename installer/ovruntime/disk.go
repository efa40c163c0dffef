package ovruntime

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writeSynced makes a file whose content is on the disk when it returns.
func writeSynced(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	if _, err = f.Write(content); err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// replaceFile makes path's content be content in one step: whoever reads it, and
// whenever the machine stops, sees the old content or the new.
func replaceFile(path string, content []byte) error {
	next := filepath.Join(filepath.Dir(path), temporary+filepath.Base(path))
	err := writeSynced(next, content)
	if err == nil {
		err = rename(next, path)
	}
	if err != nil {
		_ = os.Remove(next) // a full disk must not be left fuller
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncFile puts a file that was written before on the disk.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = f.Sync()
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// syncTree puts the entries of dir and of the folders in it on the disk.
func syncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		return syncDir(path)
	})
}
