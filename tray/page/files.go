package page

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Files are the pages of one session in a folder of their own, which only the
// user can read and which holds nothing else.
type Files struct{ folder string }

// OpenFiles takes a folder for the pages, and removes those that a tray left
// which was killed.
func OpenFiles(folder string) (Files, error) {
	f := Files{folder}
	return f, f.Remove()
}

// Write puts a page in the place of the one of the same name and returns its path.
func (f Files) Write(name string, content []byte) (string, error) {
	if err := os.MkdirAll(f.folder, 0o700); err != nil {
		return "", fmt.Errorf("make the folder of the page: %w", err)
	}
	path := filepath.Join(f.folder, name+".html")
	temp := path + ".new"
	err := os.WriteFile(temp, content, 0o600)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("write the page: %w", err), f.Remove())
	}
	return path, nil
}

// Remove removes all pages and their folder.
func (f Files) Remove() error {
	if err := os.RemoveAll(f.folder); err != nil {
		return fmt.Errorf("remove the pages: %w", err)
	}
	return nil
}
