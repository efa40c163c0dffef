package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// suffixes of the files of a database, and of those that SQLite has beside it
// while it is open.
var suffixes = [...]string{"", "-wal", "-shm"}

// inUse are the files that are open, nil where that is not known.
type inUse [len(suffixes)]fs.FileInfo

// noteFiles looks which files are there, right after they were opened.
func noteFiles(path string) (files inUse) {
	for i, suffix := range suffixes {
		if info, err := os.Stat(path + suffix); err == nil {
			files[i] = info
		}
	}
	return files
}

// loss is what became of files in use.
type loss int

const (
	nothing loss = iota
	removed
	replaced
)

func (l loss) String() string { return [...]string{"kept", "removed", "replaced"}[l] }

// lost says whether the files at the path are still those in use. An error that
// does not say that one is gone says nothing: a disk may come back.
func (files inUse) lost(path string) loss {
	if runtime.GOOS == "windows" {
		return nothing // it lets nobody remove or rename files that SQLite has open
	}
	for i, suffix := range suffixes {
		if files[i] == nil {
			continue
		}
		switch now, err := os.Stat(path + suffix); {
		case errors.Is(err, fs.ErrNotExist):
			return removed
		case err == nil && !os.SameFile(now, files[i]):
			return replaced
		}
	}
	return nothing
}

// Names beside the database while it is written anew. A whole copy has the
// second name, which the next Open looks for after a kill.
const (
	copyingSuffix = ".copying"
	copySuffix    = ".copy"
	otherInfix    = ".other-"
)

// copyOut writes the database of a connection to a file beside path.
func copyOut(c *conn, path string) error {
	temp := path + copyingSuffix
	if err := errors.Join(removeIfThere(temp), makeFile(temp)); err != nil {
		return err
	}
	_, err := c.once("VACUUM INTO ?", temp)
	if err == nil {
		err = syncFile(temp)
	}
	if err == nil {
		err = os.Rename(temp, path+copySuffix)
	}
	if err != nil {
		os.Remove(temp)
		return err
	}
	return syncFolder(path)
}

// putInPlace renames the copy to path, from where it removes files that were in
// use and renames others, by which name is returned: SQLite would take a log
// that does not belong to the copy for its own.
func putInPlace(path string, used inUse, now time.Time) (other string, err error) {
	name := path + otherInfix + mendStamp(now)
	for exists(name) {
		name += "+"
	}
	for i, suffix := range suffixes {
		info, err := os.Stat(path + suffix)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return "", err
		case used[i] != nil && os.SameFile(info, used[i]):
			err = os.Remove(path + suffix)
		default:
			err = os.Rename(path+suffix, name+suffix)
			if suffix == "" {
				other = name
			}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("put the database in its place: %w; move %s away", err, path+suffix)
		}
	}
	if err := os.Rename(path+copySuffix, path); err != nil {
		return "", err
	}
	return other, syncFolder(path)
}

// finishCopy ends what a kill interrupted. Nothing at path is removed, since it
// is not known what it was.
func finishCopy(path string, now time.Time) error {
	if err := removeIfThere(path + copyingSuffix); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	if !exists(path + copySuffix) {
		return nil
	}
	_, err := putInPlace(path, inUse{}, now)
	return err
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// syncFolder makes renames of files in the folder of path last, where the system
// can: on Windows a folder cannot be opened for that.
func syncFolder(path string) error {
	f, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil
	}
	_ = f.Sync()
	return f.Close()
}
