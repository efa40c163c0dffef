package words

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"dragoman/inference/glossary"
	"dragoman/watch/document"
)

// AddTerm adds a term, or replaces it for its languages. ErrWords if it can be
// none.
func (f Files) AddTerm(e glossary.Entry) error {
	switch {
	case strings.TrimSpace(e.Source) == "":
		return fmt.Errorf("%w: the term is empty", ErrWords)
	case e.Target != "" && (e.From == "" || e.To == ""):
		return fmt.Errorf("%w: the languages of the term and of its translation are needed", ErrWords)
	}
	return f.changeTerms(func(entries []glossary.Entry) ([]glossary.Entry, error) {
		entries = slices.DeleteFunc(entries, func(old glossary.Entry) bool {
			return old.From == e.From && old.To == e.To && old.Source == e.Source
		})
		return append(entries, e), nil
	})
}

// RemoveTerm removes a term of all languages that was added by itself;
// ErrNotFound if none was.
func (f Files) RemoveTerm(term string) error {
	return f.changeTerms(func(entries []glossary.Entry) ([]glossary.Entry, error) {
		left := slices.DeleteFunc(slices.Clone(entries), func(e glossary.Entry) bool { return e.Source == term })
		if len(left) == len(entries) {
			return nil, notFound("this term was not added by itself: see `dragoman glossary list` for its file")
		}
		return left, nil
	})
}

func (f Files) changeTerms(edit func([]glossary.Entry) ([]glossary.Entry, error)) error {
	return change(f.Glossaries, func() error {
		entries, err := readOwn(glossary.Read, f.Glossaries, glossary.Own)
		if err != nil {
			return err
		}
		if entries, err = edit(entries); err != nil {
			return err
		}
		return f.writeTerms(entries)
	})
}

// writeTerms writes what can be read again, or nothing.
func (f Files) writeTerms(entries []glossary.Entry) error {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"from", "to", "source", "target"}) // to memory
	for _, e := range entries {
		_ = w.Write([]string{e.From, e.To, e.Source, e.Target})
	}
	w.Flush()
	if _, err := glossary.Parse(glossary.Own, strings.NewReader(b.String())); err != nil {
		return fmt.Errorf("%w: %w", ErrWords, err)
	}
	return document.WriteAtomic(filepath.Join(f.Glossaries, glossary.Own), []byte(b.String()), 0o600)
}

// CheckGlossary says how many entries a file has and why it cannot be added:
// errors are ErrName or a *glossary.FileError.
func CheckGlossary(name string, data []byte) (entries int, err error) {
	if err := checkName(name, glossary.Own, glossary.Extensions); err != nil {
		return 0, err
	}
	all, err := glossary.Parse(name, bytes.NewReader(data))
	return len(all), err
}

// AddGlossary adds a file, or replaces the one of that name.
func (f Files) AddGlossary(name string, data []byte) (entries int, err error) {
	if entries, err = CheckGlossary(name, data); err != nil {
		return 0, err
	}
	return entries, put(f.Glossaries, name, data)
}

// RemoveGlossary removes a file; ErrNotFound if it is not there.
func (f Files) RemoveGlossary(name string) error { return remove(f.Glossaries, name) }
