package words

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dragoman/daemon/api"
	"dragoman/inference/memory"
	"dragoman/watch/document"
)

// SearchMemory returns the likest of the translations. ErrQuery if nothing can be
// like that.
func (w *Words) SearchMemory(_ context.Context, q api.MemoryQuery) (api.MemoryResponse, error) {
	r := api.MemoryResponse{Matches: []api.MemoryMatch{}}
	if err := q.Complete(); err != nil {
		return r, fmt.Errorf("%w: %w", ErrQuery, err)
	}
	for _, m := range w.Translations().Similar(q.From, q.To, q.Text, q.Least, q.Limit) {
		r.Matches = append(r.Matches, api.MemoryMatch{
			Percent: m.Percent, Source: m.Source, Target: m.Target, File: filepath.Base(m.Unit.File),
		})
	}
	return r, nil
}

// Correct says how a text is to be translated from now on. ErrWords if these can
// be no texts.
func (w *Words) Correct(_ context.Context, k api.Correction) error {
	if err := checkCorrection(k); err != nil {
		return err
	}
	normal := memory.Normal(k.Text)
	return w.changeCorrections(func(units []memory.Unit) ([]memory.Unit, error) {
		units = slices.DeleteFunc(units, func(u memory.Unit) bool {
			return memory.Normal(u.Texts[k.From]) == normal && u.Texts[k.To] != ""
		})
		return append(units, memory.Unit{Texts: map[string]string{k.From: k.Text, k.To: k.Translation}}), nil
	})
}

func checkCorrection(k api.Correction) error {
	for _, value := range []string{k.From, k.To, k.Text, k.Translation} {
		if strings.TrimSpace(value) == "" {
			return fmt.Errorf("%w: two languages, a text and its translation are needed", ErrWords)
		}
	}
	for _, text := range []string{k.Text, k.Translation} {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(c rune) bool { return unicode.IsControl(c) && !unicode.IsSpace(c) }) {
			return fmt.Errorf("%w: a text holds control characters", ErrWords) // XML has no place for them
		}
	}
	if k.From == k.To {
		return fmt.Errorf("%w: name two languages", ErrWords)
	}
	return nil
}

// ForgetCorrection takes back what a text was corrected to, or from; ErrNotFound if
// nothing was.
func (w *Words) ForgetCorrection(_ context.Context, text string) error {
	text = memory.Normal(text)
	return w.changeCorrections(func(units []memory.Unit) ([]memory.Unit, error) {
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

func (w *Words) changeCorrections(edit func([]memory.Unit) ([]memory.Unit, error)) error {
	return change(w.memories, func() error {
		units, err := readOwn(memory.Read, w.memories, memory.Own)
		if err != nil {
			return err
		}
		if units, err = edit(units); err != nil {
			return err
		}
		return w.writeCorrections(units)
	})
}

// writeCorrections writes what can be read again, or nothing, and removes the
// file where nothing is left.
func (w *Words) writeCorrections(units []memory.Unit) error {
	name := filepath.Join(w.memories, memory.Own)
	if len(units) == 0 {
		if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	var b strings.Builder
	if err := memory.WriteTMX(&b, slices.Values(units)); err != nil {
		return err
	}
	if _, err := memory.ParseTMX(memory.Own, strings.NewReader(b.String())); err != nil {
		return fmt.Errorf("%w: %w", ErrWords, err)
	}
	return document.WriteAtomic(name, []byte(b.String()), 0o600)
}

// MemoryFiles lists the translation memories.
func (w *Words) MemoryFiles(context.Context) (api.MemoryFilesResponse, error) {
	r := api.MemoryFilesResponse{Files: []api.MemoryFile{}}
	files, err := w.translations.Files()
	if err != nil {
		return r, err
	}
	for _, file := range files {
		found := api.MemoryFile{Name: filepath.Base(file)}
		if found.Units, err = memory.Count(file, w.indexes); err != nil {
			found.Problem = err.Error()
		}
		r.Files = append(r.Files, found)
	}
	return r, nil
}

// CheckMemory says what AddMemory would. Errors are ErrName or a
// *memory.FileError.
func CheckMemory(f api.WordsFile) (api.WordsFileResponse, error) {
	if err := checkName(f.Name, memory.Own, memory.Extensions); err != nil {
		return api.WordsFileResponse{}, err
	}
	units, err := memory.CountTMX(f.Name, strings.NewReader(f.Content))
	return api.WordsFileResponse{Entries: units}, err
}

// AddMemory adds a translation memory, or replaces the one of that name.
func (w *Words) AddMemory(_ context.Context, f api.WordsFile) (api.WordsFileResponse, error) {
	return put(w.memories, f, CheckMemory)
}

// RemoveMemory removes a file; ErrNotFound if it is not there.
func (w *Words) RemoveMemory(_ context.Context, name string) error {
	return remove(w.memories, name, memory.Own, memory.Extensions)
}

// ExportMemory returns all of them as TMX.
func (w *Words) ExportMemory(context.Context) (api.WordsFile, error) {
	var b strings.Builder
	err := memory.WriteTMX(&b, w.Translations().Units())
	return api.WordsFile{Name: "dragoman.tmx", Content: b.String()}, err
}
