package inference

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"dragoman/inference/m2m100"
)

// scratchMark begins the names of folders that are needed once, and of their locks.
const (
	scratchMark = "float-"
	scratchLock = ".lock"
)

// Scratch makes a cache of its own within the cache, for weights that are needed
// once, and tells how to take it away. What killed processes left of theirs
// goes first.
func (c Cache) Scratch() (scratch Cache, remove func() error, err error) {
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return Cache{}, nil, err
	}
	for _, dir := range c.leftScratch() {
		if err := removeLeft(dir); err != nil {
			return Cache{}, nil, err
		}
	}
	dir := filepath.Join(c.Dir, scratchMark+rand.Text())
	lock := flock.New(dir + scratchLock)
	if err := lock.Lock(); err != nil {
		return Cache{}, nil, err
	}
	remove = func() error { return errors.Join(os.RemoveAll(dir), lock.Unlock(), os.Remove(dir+scratchLock)) }
	if err := os.Mkdir(dir, 0o700); err != nil {
		return Cache{}, nil, errors.Join(err, remove())
	}
	return Cache{Dir: dir}, remove, nil
}

// leftScratch are the folders whose makers do not live any more.
func (c Cache) leftScratch() (dirs []string) {
	entries, _ := os.ReadDir(c.Dir) // an unreadable one is told of elsewhere
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), scratchMark) || !e.IsDir() {
			continue
		}
		dir := filepath.Join(c.Dir, e.Name())
		if _, err := os.Lstat(dir + scratchLock); err == nil {
			lock := flock.New(dir + scratchLock)
			if free, err := lock.TryLock(); err == nil && !free {
				continue
			}
			_ = lock.Unlock()
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// removeLeft takes away a folder whose maker lives no more. Its name never
// comes again, so its lock can go too.
func removeLeft(dir string) error {
	err := os.RemoveAll(dir)
	if gone := os.Remove(dir + scratchLock); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// left is what killed processes have left in the cache.
type left struct {
	dir    string
	bytes  int64
	remove func() error
}

func (c Cache) left() (all []left) {
	for _, u := range m2m100.ListUnfinished(filepath.Join(c.Dir, graphsFolder)) {
		all = append(all, left{u.Dir, u.Bytes, u.Remove})
	}
	for _, dir := range c.leftScratch() {
		all = append(all, left{dir, m2m100.SizeOf(dir), func() error { return removeLeft(dir) }})
	}
	return all
}
