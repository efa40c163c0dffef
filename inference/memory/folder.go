package memory

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Own is the file of corrections.
const Own = "own.tmx"

// Folder is where a person's translation memories lie. It is looked at again for
// each use, so that what is put there counts at once.
type Folder struct {
	dir string

	mu      sync.Mutex
	seen    string // names, sizes and times of the files
	current *Memory
}

// NewFolder is the memories in a folder, which may be missing.
func NewFolder(dir string) *Folder { return &Folder{dir: dir, current: New(nil)} }

// Current are the units of all files, corrections last, so that they count. A
// file with an error counts for nothing and the others for all; err tells of
// it, once for each change.
func (f *Folder) Current() (*Memory, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	files, seen := f.list()
	if seen == f.seen {
		return f.current, nil
	}
	f.seen = seen
	var units []Unit
	var all error
	for _, name := range files {
		more, err := Read(name)
		units = append(units, more...)
		all = errors.Join(all, err)
	}
	f.current = New(units)
	return f.current, all
}

func (f *Folder) list() (files []string, seen string) {
	found, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, ""
	}
	var b strings.Builder
	own := ""
	for _, e := range found {
		if !strings.EqualFold(filepath.Ext(e.Name()), ".tmx") {
			continue
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		fmt.Fprintln(&b, e.Name(), info.Size(), info.ModTime().UnixNano())
		if path := filepath.Join(f.dir, e.Name()); e.Name() == Own {
			own = path
		} else {
			files = append(files, path)
		}
	}
	if own != "" {
		files = append(files, own)
	}
	return files, b.String()
}

// Read reads a file; errors name line and reason.
func Read(name string) ([]Unit, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ParseTMX(name, file)
}
