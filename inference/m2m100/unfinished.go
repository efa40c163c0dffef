package m2m100

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// unfinishedMark begins the names of folders in which a model is being prepared.
// The name of the model's own folder and a number follow.
const unfinishedMark = ".prepare-"

// Unfinished is a folder with parts of a prepared model that no start uses: a
// process was killed while it wrote them, or their manifest was taken away
// because one was damaged.
type Unfinished struct {
	Dir   string
	Bytes int64
}

// ListUnfinished finds them below parent, besides those that a process is
// writing now.
func ListUnfinished(parent string) (all []Unfinished) {
	entries, _ := os.ReadDir(parent) // where there is no such folder there are none
	for _, e := range entries {
		u := Unfinished{Dir: filepath.Join(parent, e.Name())}
		if !e.IsDir() || !u.begun() && exists(filepath.Join(u.Dir, manifestFile)) {
			continue
		}
		lock := flock.New(u.lock())
		if exists(u.lock()) {
			if free, err := lock.TryLock(); err == nil && !free {
				continue
			}
			_ = lock.Unlock()
		}
		u.Bytes = SizeOf(u.Dir)
		all = append(all, u)
	}
	return all
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func (u Unfinished) begun() bool { return strings.HasPrefix(filepath.Base(u.Dir), unfinishedMark) }

// lock is the file that whoever writes the folder holds.
func (u Unfinished) lock() string {
	name := strings.TrimPrefix(filepath.Base(u.Dir), unfinishedMark)
	if i := strings.LastIndexByte(name, '-'); u.begun() && i > 0 {
		name = name[:i]
	}
	return filepath.Join(filepath.Dir(u.Dir), name+".lock")
}

// Remove deletes the folder, unless a process is writing it.
func (u Unfinished) Remove() error { return removeUnder(u.lock(), u.Dir) }

// SizeOf is how many bytes the files below dir have.
func SizeOf(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil // what cannot be read counts for nothing
		}
		if info, err := e.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}
