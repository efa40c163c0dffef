package words

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dragoman/inference/memory"
	"dragoman/watch/document"
)

// Correct says how a text is to be translated from now on. ErrWords if these can
// be no texts.
func (f Files) Correct(from, to, text, translation string) error {
	normal := memory.Normal(text)
	return f.changeCorrections(func(units []memory.Unit) ([]memory.Unit, error) {
		units = slices.DeleteFunc(units, func(u memory.Unit) bool {
			return memory.Normal(u.Texts[from]) == normal && u.Texts[to] != ""
		})
		return append(units, memory.Unit{Texts: map[string]string{from: text, to: translation}}), nil
	})
}

// Forget takes back what a text was corrected to, or from; ErrNotFound if
// nothing was.
func (f Files) Forget(text string) error {
	text = memory.Normal(text)
	return f.changeCorrections(func(units []memory.Unit) ([]memory.Unit, error) {
		left := slices.DeleteFunc(slices.Clone(units), func(u memory.Unit) bool {
			for _, t := range u.Texts {
				if memory.Normal(t) == text {
					return true
				}
			}
			return false
		})
		if len(left) == len(units) {
			return nil, notFound("this text was not corrected: see `dragoman memory search`")
		}
		return left, nil
	})
}

func (f Files) changeCorrections(edit func([]memory.Unit) ([]memory.Unit, error)) error {
	return change(f.Memories, func() error {
		units, err := readOwn(memory.Read, f.Memories, memory.Own)
		if err != nil {
			return err
		}
		if units, err = edit(units); err != nil {
			return err
		}
		return f.writeCorrections(units)
	})
}

// writeCorrections writes what can be read again, or nothing, and removes the
// file where nothing is left.
func (f Files) writeCorrections(units []memory.Unit) error {
	name := filepath.Join(f.Memories, memory.Own)
	if len(units) == 0 {
		if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	var b strings.Builder
	if err := memory.WriteTMX(&b, units); err != nil {
		return err
	}
	if _, err := memory.ParseTMX(memory.Own, strings.NewReader(b.String())); err != nil {
		return fmt.Errorf("%w: %w", ErrWords, err)
	}
	return document.WriteAtomic(name, []byte(b.String()), 0o600)
}

// CheckMemory says how many units a file has and why it cannot be added: errors
// are ErrName or a *memory.FileError.
func CheckMemory(name string, data []byte) (units int, err error) {
	if err := checkName(name, memory.Own, memory.Extensions); err != nil {
		return 0, err
	}
	all, err := memory.ParseTMX(name, bytes.NewReader(data))
	return len(all), err
}

// AddMemory adds a translation memory, or replaces the one of that name.
func (f Files) AddMemory(name string, data []byte) (units int, err error) {
	if units, err = CheckMemory(name, data); err != nil {
		return 0, err
	}
	return units, put(f.Memories, name, data)
}

// RemoveMemory removes a file; ErrNotFound if it is not there.
func (f Files) RemoveMemory(name string) error { return remove(f.Memories, name) }
