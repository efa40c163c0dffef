//go:build unix

package document

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// moveToBin puts the file into the home trash if that is on the same file
// system, else into the trash at the top of the file's own.
func moveToBin(path string, stamp Stamp) error {
	bin, err := binFor(path)
	if err != nil {
		return err
	}
	for _, dir := range []string{"info", "files"} {
		if err := os.MkdirAll(filepath.Join(bin.dir, dir), 0o700); err != nil {
			return err
		}
	}
	if err := cleanBin(bin.dir); err != nil {
		return err
	}
	stem, ext := splitExt(filepath.Base(path))
	for i := 1; i < maxCopies; i++ {
		name := stem + ext
		if i > 1 {
			name = fmt.Sprintf("%s.%d%s", stem, i, ext)
		}
		name = cut(strings.TrimSuffix(name, ext), maxName-len(ext)-len(".trashinfo")) + ext
		// The info file is made first and claims the name ("atomically").
		info, there := filepath.Join(bin.dir, "info", name+".trashinfo"), filepath.Join(bin.dir, "files", name)
		entry := fmt.Sprintf("[Trash Info]\nPath=%s\nDeletionDate=", bin.pathOf(path))
		if err := dropStale(info, there, entry); err != nil {
			return err
		}
		f, err := os.OpenFile(info, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(f, "%s%s\n", entry, time.Now().Format("2006-01-02T15:04:05"))
		if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
			err = renameNew(path, there)
			if otherDisk(err) { // such as a bind mount of the same device
				err = copyAway(path, there, stamp)
			}
		}
		if err == nil {
			return nil
		}
		os.Remove(info)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return fmt.Errorf("the bin has %d files of that name: empty it", maxCopies)
}

// dropStale removes what a killed process left of moving this very file: it had
// described it in info, and what was to come there has not come.
func dropStale(info, there, entry string) error {
	content, err := os.ReadFile(info)
	if err != nil || !strings.HasPrefix(string(content), entry) {
		return nil
	}
	if _, err := os.Lstat(there); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.Remove(info)
}

// cleaned are the trash folders that were looked through in this process.
var cleaned sync.Map

// cleanBin removes the temporary files that killed processes left in a trash
// folder. It is enough to do so once, before the first file is moved there: the
// one that was on its way is still in its place and comes again.
func cleanBin(dir string) error {
	if _, done := cleaned.Load(dir); done {
		return nil
	}
	if _, err := CleanFolderTemps(filepath.Join(dir, "files")); err != nil {
		return err
	}
	cleaned.Store(dir, true)
	return nil
}

// bin is a trash folder; top is the mount point it serves, "" at home.
type bin struct{ dir, top string }

// pathOf is where the file was, as the info file says it: relative to the mount
// point there, and escaped as in a URL (RFC 2396).
func (b bin) pathOf(path string) string {
	if b.top != "" {
		if rel, err := filepath.Rel(b.top, path); err == nil {
			path = rel
		}
	}
	return (&url.URL{Path: path}).EscapedPath()
}

func binFor(path string) (bin, error) {
	// Links in the folders above would hide where the file system begins.
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return bin{}, err
	}
	device, err := deviceOf(dir)
	if err != nil {
		return bin{}, err
	}
	if home := homeBin(); home != "" {
		if at, err := deviceOf(home); err == nil && at == device {
			return bin{dir: home}, nil
		}
	}
	top := dir
	for top != "/" {
		if above, err := deviceOf(filepath.Dir(top)); err != nil || above != device {
			break
		}
		top = filepath.Dir(top)
	}
	uid := strconv.Itoa(os.Getuid())
	// A shared folder made by the administrator must be a real one and sticky,
	// or others could reach into it.
	shared := filepath.Join(top, ".Trash")
	if info, err := os.Lstat(shared); err == nil && info.IsDir() && info.Mode()&fs.ModeSticky != 0 {
		if mine := filepath.Join(shared, uid); private(mine) {
			return bin{mine, top}, nil
		}
	}
	if mine := filepath.Join(top, ".Trash-"+uid); private(mine) {
		return bin{mine, top}, nil
	}
	return bin{}, ErrNoBin
}

// homeBin makes the folder if needed, "" where there is no home.
func homeBin() string {
	data := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) {
		home, err := os.UserHomeDir()
		if err != nil || !filepath.IsAbs(home) {
			return ""
		}
		data = filepath.Join(home, ".local", "share")
	}
	dir := filepath.Join(data, "Trash")
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return dir
}

// private makes dir if needed and says whether it is a real folder of this user.
func private(dir string) bool {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return false
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}

func deviceOf(path string) (uint64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, errors.New("the system does not say which disk it is on")
	}
	return uint64(st.Dev), nil
}
