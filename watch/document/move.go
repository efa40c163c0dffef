package document

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dragoman/watch"
)

// DoneDir is the folder below a watched one that takes originals which were
// translated.
const DoneDir = "done"

// doneMark lies in a DoneDir, so that its files are no inputs for any watch.
const doneMark = watch.OwnPrefix + "-done"

// MoveDone moves the original rel (below root, separated by slashes) to the
// same place below root/done and returns its new path. The original must still
// have the stamp it was translated with, else ErrChanged is returned. Nothing
// is overwritten: a name that is taken gets a number. A symbolic link stays
// where it is, since it may not lead anywhere from another folder; "" is
// returned then, as for an original that has gone.
func MoveDone(root, rel string, stamp Stamp) (string, error) {
	from := filepath.Join(root, filepath.FromSlash(rel))
	release, err := denyWriting(from)
	if err != nil {
		return "", err
	}
	defer release()
	there, err := unchanged(from, stamp)
	if err != nil || there == nil {
		return "", err
	}
	done := filepath.Join(root, DoneDir)
	if err := MakeFolders(done, rel); err != nil {
		return "", err
	}
	if err := markDone(done); err != nil {
		return "", err
	}
	return moveUnique(from, filepath.Join(done, filepath.FromSlash(rel)), there, stamp)
}

func markDone(done string) error {
	f, err := os.OpenFile(filepath.Join(done, doneMark), os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return &WriteError{Dir: done, Err: err}
	}
	return nil
}

// unchanged returns what is at path, nil if that is no regular file, and
// ErrChanged if it is not the one with the stamp. It reads the file too: a time
// alone can be kept through a change. A time that changed alone means that
// somebody is at it.
func unchanged(path string, stamp Stamp) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, readError(path, err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, nil
	}
	changed := fmt.Errorf("move %s away: %w", path, ErrChanged)
	if !info.Mode().IsRegular() || info.Size() != stamp.Size || !info.ModTime().Equal(stamp.ModTime) {
		return nil, changed
	}
	now, err := StampOf(path)
	if err != nil {
		return nil, err
	}
	if now.SHA256 != stamp.SHA256 {
		return nil, changed
	}
	return info, nil
}

// maxCopies bounds the search for a free name.
const maxCopies = 10_000

func moveUnique(from, to string, was fs.FileInfo, stamp Stamp) (string, error) {
	fail := func(err error) (string, error) { return "", &WriteError{Dir: filepath.Dir(to), Err: err} }
	stem, ext := splitExt(filepath.Base(to))
	for i := 1; i < maxCopies; i++ {
		at := to
		if i > 1 {
			number := fmt.Sprintf(" (%d)", i)
			at = filepath.Join(filepath.Dir(to), cut(stem, maxName-len(number)-len(ext))+number+ext)
		}
		err := renameNew(from, at)
		switch {
		case otherDisk(err):
			err = copyAway(from, at, stamp)
		case err == nil:
			err = recheck(from, at, was)
		}
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case errors.Is(err, ErrChanged):
			return "", err
		case errors.Is(err, fs.ErrNotExist):
			if _, gone := os.Lstat(from); errors.Is(gone, fs.ErrNotExist) {
				return "", nil
			}
			return fail(err)
		case err != nil:
			return fail(err)
		}
		return at, errors.Join(syncDir(filepath.Dir(at)), syncDir(filepath.Dir(from)))
	}
	return fail(fmt.Errorf("there are %d files of the name %s: move some away", maxCopies, filepath.Base(to)))
}

// recheck takes a move back if the file was written to since it was looked at:
// the new words are not translated yet.
func recheck(from, at string, was fs.FileInfo) error {
	info, err := os.Lstat(at)
	if err != nil || (info.Size() == was.Size() && info.ModTime().Equal(was.ModTime())) {
		return nil
	}
	if err := renameNew(at, from); err != nil {
		return err
	}
	return fmt.Errorf("move %s away: %w", from, ErrChanged)
}

// copyAway moves to another file system: the copy is complete and was compared
// with the stamp before the original is removed.
func copyAway(from, to string, stamp Stamp) (err error) {
	in, err := openNonblock(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	f, err := createTemp(filepath.Dir(to))
	if err != nil {
		return err
	}
	temp := f.Name()
	defer func() {
		f.Close()
		if err != nil {
			os.Remove(temp)
		}
	}()
	if _, err = io.Copy(f, in); err != nil {
		return err
	}
	if err = errors.Join(f.Chmod(info.Mode().Perm()), f.Sync()); err != nil {
		return err
	}
	if err = os.Chtimes(temp, info.ModTime(), info.ModTime()); err != nil {
		return err
	}
	if copied, err := StampOf(temp); err != nil || copied.SHA256 != stamp.SHA256 {
		return errors.Join(err, fmt.Errorf("move %s away: %w", from, ErrChanged))
	}
	if err = moveNew(f, to); err != nil {
		return err
	}
	if err = syncDir(filepath.Dir(to)); err != nil {
		return err
	}
	// The original is removed only if it still is what was copied.
	still, err := os.Lstat(from)
	if err != nil || !os.SameFile(still, info) || still.Size() != info.Size() || !still.ModTime().Equal(info.ModTime()) {
		err = errors.Join(err, os.Remove(to), fmt.Errorf("move %s away: %w", from, ErrChanged))
		return err
	}
	in.Close() // Windows removes only closed files
	if err := os.Remove(from); err != nil {
		return errors.Join(err, os.Remove(to)) // not two of them
	}
	return nil
}

// WriteNew is WriteAtomic for a path that must be free: if anything is there,
// even since just now, it stays and the error is fs.ErrExist.
func WriteNew(path string, data []byte, mode fs.FileMode) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("write %s: %w", path, fs.ErrExist)
	}
	err := writeAtomic(path, data, mode, moveNew)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write %s: %w", path, fs.ErrExist)
	}
	if err != nil {
		return &WriteError{Dir: filepath.Dir(path), Err: err}
	}
	return nil
}

// CleanFolderTemps is CleanTemps for dir alone, without the folders below it.
func CleanFolderTemps(dir string) (removed int, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	for _, entry := range entries {
		pid, ok := tempOwner(entry.Name())
		if !ok || !entry.Type().IsRegular() || !strings.HasPrefix(entry.Name(), watch.OwnPrefix) {
			continue
		}
		gone, e := removeOrphan(filepath.Join(dir, entry.Name()), pid)
		if gone {
			removed++
		}
		err = errors.Join(err, e)
	}
	if err != nil {
		return removed, fmt.Errorf("remove leftover temporary files in %s: %w", dir, withoutPath(err))
	}
	return removed, nil
}
