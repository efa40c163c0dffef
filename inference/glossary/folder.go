package glossary

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Folder is where a person's glossaries lie. It is looked at again for each use,
// so that what people write there counts at once.
type Folder struct {
	dir string

	mu      sync.Mutex
	seen    string // names, sizes and times of the files
	current *Glossary
}

// NewFolder is the glossaries in a folder, which may be missing.
func NewFolder(dir string) *Folder { return &Folder{dir: dir, current: New(nil)} }

// Current are the entries of all files. A file with an error counts for nothing
// and the others for all; err tells of it, once for each change.
func (f *Folder) Current() (*Glossary, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	files, seen := f.list()
	if seen == f.seen {
		return f.current, nil
	}
	f.seen = seen
	var entries []Entry
	var all error
	for _, name := range files {
		more, err := Read(name)
		entries = append(entries, more...)
		all = errors.Join(all, err)
	}
	f.current = New(entries)
	return f.current, all
}

func (f *Folder) list() (files []string, seen string) {
	found, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, ""
	}
	var b strings.Builder
	for _, e := range found {
		if !slices.Contains(Extensions, strings.ToLower(filepath.Ext(e.Name()))) {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			fmt.Fprintln(&b, e.Name(), info.Size(), info.ModTime().UnixNano())
			files = append(files, filepath.Join(f.dir, e.Name()))
		}
	}
	return files, b.String()
}

// Read reads a file; errors name line and reason.
func Read(name string) ([]Entry, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Parse(name, file)
}
