// Package words changes a person's own words: the terms, glossaries,
// translation memories and corrections in a data folder. What counts is read
// from there by inference/glossary and inference/memory.
//
// The service and the commands use it, in this and in other processes at a time.
package words

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/gofrs/flock"

	"dragoman/daemon/api"
	"dragoman/inference/glossary"
	"dragoman/inference/memory"
	"dragoman/inference/ownfiles"
	"dragoman/watch/document"
)

// Words are what the files of a data folder say. Its methods with contexts are
// those that api.Client has for the service's words.
type Words struct {
	glossaries, memories string // folders
	indexes              string // folder of those of large memories
	terms                *glossary.Folder
	translations         *memory.Folder
	opts                 Options

	mu     sync.Mutex
	others map[string]*other // by path
}

// other is a glossary of another place, joined with the own terms.
type other struct {
	files       *glossary.Folder
	own, theirs *glossary.Glossary // that were joined
	joined      *glossary.Glossary
	missing     bool
}

// Options say where words are.
type Options struct {
	Data  string // folder, which may be missing
	Cache string // folder for what is made to find things in large files, "" for none
	// Patience is how long a large file that is new is waited for; it counts when
	// it was read. 0 is as long as it takes.
	Patience time.Duration
	// Tell is told of a file with an error, which counts for nothing, once for each
	// change.
	Tell func(error)
}

// Open are the words of a folder.
func Open(o Options) *Words {
	w := &Words{opts: o, glossaries: filepath.Join(o.Data, "glossary"), memories: filepath.Join(o.Data, "memory")}
	w.indexes = memory.Indexes(o.Cache, w.memories)
	w.terms, w.translations = glossary.NewFolder(w.glossaries), memory.NewFolder(w.memories, w.indexes)
	return w
}

// Terms are the terms of all files, as they are now.
func (w *Words) Terms() *glossary.Glossary { return current(w, w.terms) }

// TermsWith are the terms of all files and those of another file or folder, which
// count before them.
func (w *Words) TermsWith(path string) *glossary.Glossary {
	own := w.Terms()
	if path == "" {
		return own
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	o := w.others[path]
	if o == nil {
		o = &other{files: glossary.NewFolder(path)}
		if w.others == nil {
			w.others = map[string]*other{}
		}
		w.others[path] = o
	}
	_, err := os.Stat(path)
	if err != nil && !o.missing {
		w.opts.Tell(fmt.Errorf("glossary of a drop folder: %w", err))
	}
	o.missing = err != nil
	theirs := current(w, o.files)
	if o.joined == nil || o.own != own || o.theirs != theirs {
		o.own, o.theirs = own, theirs
		o.joined = glossary.New(append(own.Entries(), theirs.Entries()...))
	}
	return o.joined
}

// CheckGlossaries is what is wrong with the terms of a file or folder.
func CheckGlossaries(path string) error {
	if _, err := os.Stat(path); err != nil {
		return err
	}
	_, err := glossary.NewFolder(path).Current()
	return err
}

// Translations are those of all files, as they are now.
func (w *Words) Translations() *memory.Memory { return current(w, w.translations) }

func current[E, T any](w *Words, files *ownfiles.Folder[E, T]) T {
	read := files.Current
	if w.opts.Patience > 0 {
		read = func() (T, error) { return files.Within(w.opts.Patience) }
	}
	now, err := read()
	if err != nil {
		w.opts.Tell(err)
	}
	return now
}

// ErrNotFound is the error of what is to be removed and is not there.
var ErrNotFound = errors.New("not found")

// notFound has a text of its own.
type notFound string

func (n notFound) Error() string      { return string(n) }
func (notFound) Is(target error) bool { return target == ErrNotFound }

// ErrName is the error of a name that no file of words can have.
var ErrName = errors.New("no name for such a file")

// ErrWords is the error of a term or text that could not be read again.
var ErrWords = errors.New("this cannot be kept")

// ErrQuery is the error of what cannot be looked for.
var ErrQuery = errors.New("this cannot be looked for")

// checkName refuses names that lead elsewhere, or that dragoman uses itself.
func checkName(name, own string, extensions []string) error {
	switch {
	case name == "", name != filepath.Base(name), strings.ContainsAny(name, `/\:`), name[0] == '.', len(name) > 200,
		strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("%w: a file's name is needed, without a folder", ErrName)
	case strings.EqualFold(name, own):
		return fmt.Errorf("%w: %s holds what was added one by one: rename the file", ErrName, own)
	case !slices.Contains(extensions, strings.ToLower(filepath.Ext(name))):
		return fmt.Errorf("%w: it must end in one of %s", ErrName, strings.Join(extensions, " "))
	}
	return nil
}

// change runs with the folder made and locked against other processes.
func change(dir string, do func() error) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	lock := flock.New(filepath.Join(dir, ".lock"))
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("lock %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return do()
}

// put writes a file that is right, whole or not at all.
func put(dir string, f api.WordsFile, check func(api.WordsFile) (api.WordsFileResponse, error)) (api.WordsFileResponse, error) {
	r, err := check(f)
	if err != nil {
		return api.WordsFileResponse{}, err
	}
	return r, change(dir, func() error { return document.WriteAtomic(filepath.Join(dir, f.Name), []byte(f.Content), 0o600) })
}

// remove removes a file that may have been added, or the own one.
func remove(dir, name, own string, extensions []string) error {
	if name != own {
		if err := checkName(name, own, extensions); err != nil {
			return err
		}
	}
	err := os.Remove(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return notFound(fmt.Sprintf("there is no file %q in %s", name, dir))
	}
	return err
}

// readOwn reads the file of what was added one by one, which may be missing.
func readOwn[E any](read func(string) ([]E, error), dir, own string) ([]E, error) {
	entries, err := read(filepath.Join(dir, own))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, err
}

// IsGlossary says whether a name is one of a file of terms.
func IsGlossary(name string) bool {
	return slices.Contains(glossary.Extensions, strings.ToLower(filepath.Ext(name)))
}

// IsMemory says whether a name is one of a translation memory.
func IsMemory(name string) bool {
	return slices.Contains(memory.Extensions, strings.ToLower(filepath.Ext(name)))
}
