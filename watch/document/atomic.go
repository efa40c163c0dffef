package document

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"dragoman/watch"
)

// WriteError is a failure to write into a folder. Callers that write many files
// tell it once per Dir instead of once per file.
type WriteError struct {
	Dir string
	Err error
}

func (e *WriteError) Error() string {
	hint := ""
	switch {
	case errors.Is(e.Err, fs.ErrPermission), readOnly(e.Err):
		hint = "; make the folder writable or choose another one"
	case diskFull(e.Err):
		hint = "; free some space"
	}
	return fmt.Sprintf("write in %s: %v%s", e.Dir, withoutPath(e.Err), hint)
}

func (e *WriteError) Unwrap() error { return e.Err }

// withoutPath drops the names that os adds: of temporary files, which mean
// nothing to the reader, and of the folder, which was named already.
func withoutPath(err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return at.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// WriteAtomic writes data to path so that at every moment, also after a crash
// or a power cut, path is either what it was before or the whole of data. The
// file gets the permission bits of mode whatever the umask; an existing file is
// replaced. The folder must exist. Errors are *WriteError.
//
// Own code instead of renameio: that package has no Windows, and CleanTemps
// needs to know the names and who holds them.
func WriteAtomic(path string, data []byte, mode fs.FileMode) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return &WriteError{Dir: filepath.Dir(path), Err: fmt.Errorf("a folder is in the place of %s: rename it (%w)", filepath.Base(path), errInTheWay)}
	}
	if err := writeAtomic(path, data, mode, moveInto); err != nil {
		return &WriteError{Dir: filepath.Dir(path), Err: err}
	}
	return nil
}

// CheckWritable finds out whether a file of size bytes can be written into dir
// now, and leaves nothing there. Its error is a *WriteError.
func CheckWritable(dir string, size int) error {
	f, err := createTemp(dir)
	if err == nil {
		_, err = f.Write(make([]byte, size))
		err = errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return &WriteError{Dir: dir, Err: err}
	}
	return nil
}

func writeAtomic(path string, data []byte, mode fs.FileMode, move func(*os.File, string) error) (err error) {
	f, err := createTemp(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close() // a second Close does no harm; Windows removes only closed files
			os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if err = f.Chmod(outputMode(mode.Perm())); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = move(f, path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

const tempSuffix = ".tmp"

// createTemp makes a file that the ignore rules know and CleanTemps leaves
// alone as long as this process lives.
func createTemp(dir string) (*os.File, error) {
	for range 100 {
		random := make([]byte, 8)
		rand.Read(random) // never fails (crypto/rand)
		name := fmt.Sprintf("%s-%d-%s%s", watch.OwnPrefix, os.Getpid(), hex.EncodeToString(random), tempSuffix)
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if holdTemp(f) {
			return f, nil
		}
		f.Close() // a cleaner was faster than the lock
		os.Remove(f.Name())
	}
	return nil, errors.New("cannot create a temporary file")
}

// tempOwner returns the process id in the name of a temporary file.
func tempOwner(name string) (pid int, ok bool) {
	middle, found := strings.CutPrefix(name, watch.OwnPrefix+"-")
	if !found {
		return 0, false
	}
	if middle, found = strings.CutSuffix(middle, tempSuffix); !found {
		return 0, false
	}
	var random string
	if n, err := fmt.Sscanf(middle, "%d-%16s", &pid, &random); n != 2 || err != nil || len(random) != 16 {
		return 0, false
	}
	return pid, pid > 0
}

// CleanTemps removes the temporary files that killed processes left in dir and
// the folders below it, and returns how many. Those of living processes stay.
// A dir that does not exist is clean.
func CleanTemps(dir string) (removed int, err error) {
	err = filepath.WalkDir(dir, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			if entry != nil && entry.IsDir() && at != dir {
				return fs.SkipDir // a folder we may not list holds none of ours
			}
			return err
		}
		pid, ok := tempOwner(entry.Name())
		if !ok || !entry.Type().IsRegular() {
			return nil
		}
		gone, err := removeOrphan(at, pid)
		if gone {
			removed++
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return removed, fmt.Errorf("remove leftover temporary files below %s: %w", dir, withoutPath(err))
	}
	return removed, nil
}

// MakeFolders creates the folders that the file rel (separated by slashes)
// needs below base, and base itself, but not the parent of base: a watched
// folder that was taken away must not come back as an empty one.
func MakeFolders(base, rel string) error {
	at := base
	if err := makeFolder(at); err != nil {
		return err
	}
	dir := path.Dir(rel)
	if dir == "." {
		return nil
	}
	for part := range strings.SplitSeq(dir, "/") {
		at = filepath.Join(at, part)
		if err := makeFolder(at); err != nil {
			return err
		}
	}
	return nil
}

var errInTheWay = errors.New("a file of that name is in the way; move it or choose another folder")

// InTheWay says whether err means that a file has the name of a folder that is
// needed, or the other way round: a matter of these names, not of the disk.
func InTheWay(err error) bool { return errors.Is(err, errInTheWay) }

func makeFolder(dir string) error {
	err := os.Mkdir(dir, 0o777)
	if err == nil {
		return nil
	}
	info, statErr := os.Stat(dir)
	switch {
	case statErr == nil && info.IsDir():
		return nil
	case statErr == nil:
		err = errInTheWay
	}
	return &WriteError{Dir: dir, Err: err}
}
