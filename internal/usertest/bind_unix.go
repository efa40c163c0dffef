//go:build unix

package usertest

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// nobody has no rights but those that everybody has.
const nobody = 65534

// Bind makes permissions count for the rest of a test: root, who may do
// everything, becomes another user, who gets the folders with all that is in
// them. That holds for the whole process, so the test must not run in parallel
// with others.
func Bind(t testing.TB, folders ...string) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	for _, dir := range folders {
		if err := give(dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Seteuid(nobody); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Seteuid(0); err != nil {
			t.Fatal(err)
		}
	})
}

// give makes nobody the owner of a folder and of those above it that a test has
// made: only the owner may enter them.
func give(dir string) error {
	for up := filepath.Dir(dir); up != filepath.Clean(os.TempDir()) && up != filepath.Dir(up); up = filepath.Dir(up) {
		if err := os.Lchown(up, nobody, nobody); err != nil {
			return err
		}
	}
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	})
}
