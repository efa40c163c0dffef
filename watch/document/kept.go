package document

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"dragoman/watch"
)

// keptDir is a folder beside originals that have to be removed by others (the
// shell of Windows, which may do it for good): it has a second link to each until
// that has gone well, so that a kill in between loses nothing. No watch looks
// into it, see tempSuffix.
const keptDir = watch.OwnPrefix + "-kept" + tempSuffix

// keeping guards what lies in such folders.
var keeping sync.Mutex

// keep makes the second link to an original; keeping must be held.
func keep(path string) (kept string, err error) {
	dir := filepath.Join(filepath.Dir(path), keptDir)
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	kept = filepath.Join(dir, filepath.Base(path))
	if err := os.Link(path, kept); err != nil {
		_ = os.Remove(dir) // if nothing else is in it
		return "", err
	}
	return kept, nil
}

// BringBack puts originals back that a killed process was about to move to the
// bin in the folder root, and those below it if deep: they may be in the bin
// already, or removed for good. It returns how many.
func BringBack(root string, deep bool) (back int, err error) {
	keeping.Lock()
	defer keeping.Unlock()
	err = filepath.WalkDir(root, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && entry != nil && at != root:
			return fs.SkipDir // a folder we may not list holds none of ours
		case err != nil || !entry.IsDir() || at == root:
			return err
		case entry.Name() == keptDir:
			n, err := bringBack(at)
			back += n
			if err == nil {
				err = fs.SkipDir
			}
			return err
		case !deep:
			return fs.SkipDir
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return back, fmt.Errorf("bring back originals below %s: %w", root, err)
	}
	return back, nil
}

func bringBack(dir string) (back int, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	for _, entry := range entries {
		kept := filepath.Join(dir, entry.Name())
		home := filepath.Join(filepath.Dir(dir), entry.Name())
		info, err := os.Lstat(kept)
		if err != nil {
			return back, err
		}
		if there, err := os.Lstat(home); err == nil && os.SameFile(there, info) {
			if err := os.Remove(kept); err != nil {
				return back, err
			}
			continue
		}
		stamp, err := StampOf(kept)
		if err != nil {
			return back, err
		}
		if _, err := moveUnique(kept, home, info, stamp); err != nil {
			return back, err
		}
		back++
	}
	return back, os.Remove(dir)
}
