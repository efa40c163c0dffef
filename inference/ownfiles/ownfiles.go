// Package ownfiles keeps what the files of a folder say that a person puts
// there, such as glossaries, and reads them again when they change.
//
// It knows no format: callers give a parser. It must not import anything of
// ours.
package ownfiles

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Folder has entries of type E in its files, which together make a T.
type Folder[E, T any] struct {
	dir    string
	format Format[E]
	join   func([]E) T

	mu      sync.Mutex
	seen    string // names, sizes and times of the files
	current T
	untold  error         // of the last time that they were read
	reading chan struct{} // closed when they were; nil while nobody reads
}

// Format says how files are read.
type Format[E any] struct {
	Extensions []string // in small letters; other files are none of these
	Own        string   // the file that dragoman writes itself, which goes last
	Parse      func(name string, r io.Reader) ([]E, error)
}

// New is a folder, which may be missing, or a single file. join must take no
// entries as well.
func New[E, T any](dir string, format Format[E], join func([]E) T) *Folder[E, T] {
	return &Folder[E, T]{dir: dir, format: format, join: join, current: join(nil)}
}

// Current are the entries of all files, in the order of Files. It looks at the
// folder for each call, so that what people write there counts at once. A file
// with an error counts for nothing and the others for all; where the folder
// cannot be read, what was read last counts on. err tells of it, once for each
// change.
func (f *Folder[E, T]) Current() (T, error) { return f.await(nil) }

// Within is Current for who cannot wait: what takes longer to be read counts when
// that is done, and until then what was read before.
func (f *Folder[E, T]) Within(patience time.Duration) (T, error) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	return f.await(timer.C)
}

func (f *Folder[E, T]) await(late <-chan time.Time) (T, error) {
	f.mu.Lock()
	if f.reading == nil {
		files, seen, err := f.list()
		if err != nil {
			seen = err.Error()
		}
		if seen != f.seen {
			f.seen = seen
			if err == nil {
				f.reading = make(chan struct{})
				go f.read(files)
			} else {
				f.untold = err
			}
		}
	}
	reading := f.reading
	f.mu.Unlock()
	if reading != nil {
		select {
		case <-reading:
		case <-late:
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.untold
	f.untold = nil
	return f.current, err
}

func (f *Folder[E, T]) read(files []string) {
	var entries []E
	var all error
	for _, name := range files {
		more, err := f.format.Read(name)
		entries = append(entries, more...)
		all = errors.Join(all, err)
	}
	joined := f.join(entries)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.current, f.untold = joined, all
	close(f.reading)
	f.reading = nil
}

// Files are those of the folder, by name, and the own one last.
func (f *Folder[E, T]) Files() ([]string, error) {
	files, _, err := f.list()
	return files, err
}

func (f *Folder[E, T]) list() (files []string, seen string, err error) {
	if info, err := os.Stat(f.dir); err == nil && info.Mode().IsRegular() && f.format.takes(f.dir) {
		return []string{f.dir}, stamp(info), nil
	}
	found, err := os.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	var b strings.Builder
	own := ""
	for _, e := range found {
		if !f.format.takes(e.Name()) {
			continue
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		fmt.Fprintln(&b, stamp(info))
		if path := filepath.Join(f.dir, e.Name()); e.Name() == f.format.Own {
			own = path
		} else {
			files = append(files, path)
		}
	}
	if own != "" {
		files = append(files, own)
	}
	return files, b.String(), nil
}

// stamp is another for a file that was changed.
func stamp(info fs.FileInfo) string {
	return fmt.Sprint(info.Name(), " ", info.Size(), " ", info.ModTime().UnixNano())
}

func (f Format[E]) takes(name string) bool {
	return slices.Contains(f.Extensions, strings.ToLower(filepath.Ext(name)))
}

// Read reads a file; errors name line and reason.
func (f Format[E]) Read(name string) ([]E, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return f.Parse(name, file)
}

// DropMark leaves out a byte order mark.
func DropMark(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	if mark, _ := b.Peek(3); string(mark) == "\ufeff" {
		_, _ = b.Discard(3)
	}
	return b
}
