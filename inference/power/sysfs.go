package power

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
)

// Sysfs is where Linux shows its devices: "/sys", or a recorded tree.
type Sysfs string

func (s Sysfs) path(parts ...string) string {
	return filepath.Join(append([]string{string(s)}, parts...)...)
}

// entries are the names in a folder of the tree that begin with prefix, sorted.
func (s Sysfs) entries(folder, prefix string) []string {
	list, err := os.ReadDir(s.path(folder))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range list {
		if strings.HasPrefix(e.Name(), prefix) {
			names = append(names, e.Name())
		}
	}
	return names
}

// word is a file's text without spaces around it, "" if it cannot be read.
func word(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// number reads a file that holds one whole number.
func number(path string) (int64, error) {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, unknown("%s does not exist", path)
	case err != nil:
		return 0, unknown("%s cannot be read: %v", path, errors.Unwrap(err))
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0, unknown("%s holds no number", path)
	}
	return n, nil
}

// countFile is a file that holds a count and is read often: it stays open, since
// opening costs more than reading. A later reading from its begin is a new one
// (Documentation/filesystems/sysfs). It may be used by several goroutines.
type countFile struct {
	path string
	file atomic.Pointer[os.File]
}

func (c *countFile) count() (uint64, error) {
	f := c.file.Load()
	if f == nil {
		var err error
		if f, err = os.Open(c.path); err != nil {
			return count(c.path) // says why
		}
		if !c.file.CompareAndSwap(nil, f) {
			_ = f.Close()
			f = c.file.Load()
		}
	}
	var digits [24]byte
	n, err := f.ReadAt(digits[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, unknown("%s cannot be read any more: %v", c.path, errors.Unwrap(err))
	}
	v, err := strconv.ParseUint(string(bytes.TrimSpace(digits[:n])), 10, 64)
	if err != nil {
		return count(c.path)
	}
	return v, nil
}

// count reads a file that holds a count.
func count(path string) (uint64, error) {
	n, err := number(path)
	if err == nil && n < 0 {
		err = unknown("%s holds %d, and counts are not below 0", path, n)
	}
	return uint64(n), err
}

// denied says whether a file is there and may not be read.
func denied(path string) bool {
	f, err := os.Open(path)
	if err == nil {
		_ = f.Close()
	}
	return errors.Is(err, fs.ErrPermission)
}
