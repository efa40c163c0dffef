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
	"unicode"

	"github.com/gofrs/flock"

	"dragoman/inference/glossary"
	"dragoman/inference/memory"
	"dragoman/watch/document"
)

// Files are the files of a data folder.
type Files struct {
	Glossaries string // folder
	Memories   string // folder
}

// In are the files of a data folder, which may be missing.
func In(data string) Files {
	return Files{Glossaries: filepath.Join(data, "glossary"), Memories: filepath.Join(data, "memory")}
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

// put writes a file whole or not at all.
func put(dir, name string, data []byte) error {
	return change(dir, func() error { return document.WriteAtomic(filepath.Join(dir, name), data, 0o600) })
}

// remove removes a file.
func remove(dir, name string) error {
	if name != filepath.Base(name) {
		return fmt.Errorf("%w: a file's name is needed, without a folder", ErrName)
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
