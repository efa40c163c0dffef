package words

import (
	"context"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"dragoman/daemon/api"
	"dragoman/inference/glossary"
	"dragoman/watch/document"
)

// Glossary lists the terms of all files.
func (w *Words) Glossary(context.Context) (api.GlossaryResponse, error) {
	r := api.GlossaryResponse{Terms: []api.Term{}}
	files, err := w.terms.Files()
	if err != nil {
		return r, err
	}
	for _, file := range files {
		entries, err := glossary.Read(file)
		if err != nil {
			r.Problems = append(r.Problems, err.Error())
		}
		for _, e := range entries {
			r.Terms = append(r.Terms, api.Term{
				From: e.From, To: e.To, Source: e.Source, Target: e.Target, File: filepath.Base(e.File), Line: e.Line,
			})
		}
	}
	return r, nil
}

// AddTerm adds a term, or replaces it for its languages. ErrWords if it can be
// none.
func (w *Words) AddTerm(_ context.Context, t api.Term) error {
	e := glossary.Entry{From: t.From, To: t.To, Source: t.Source, Target: t.Target}
	switch {
	case strings.TrimSpace(e.Source) == "":
		return fmt.Errorf("%w: the term is empty", ErrWords)
	case !glossary.HasWord(e.Source):
		return fmt.Errorf("%w: it has neither letters nor digits, so it would be found in no text", ErrWords)
	case e.Target != "" && (e.From == "" || e.To == ""):
		return fmt.Errorf("%w: the languages of the term and of its translation are needed", ErrWords)
	}
	return w.changeTerms(func(entries []glossary.Entry) ([]glossary.Entry, error) {
		entries = slices.DeleteFunc(entries, func(old glossary.Entry) bool {
			return old.From == e.From && old.To == e.To && old.Source == e.Source
		})
		return append(entries, e), nil
	})
}

// RemoveTerm removes a term that was added by itself, of the languages that t
// names, else of all; ErrNotFound if none was.
func (w *Words) RemoveTerm(_ context.Context, t api.Term) error {
	return w.changeTerms(func(entries []glossary.Entry) ([]glossary.Entry, error) {
		left := slices.DeleteFunc(slices.Clone(entries), func(e glossary.Entry) bool {
			return e.Source == t.Source && (t.From == "" || e.From == t.From) && (t.To == "" || e.To == t.To)
		})
		if len(left) == len(entries) {
			return nil, notFound("this term was not added by itself, or for other languages: see `dragoman glossary list`")
		}
		return left, nil
	})
}

func (w *Words) changeTerms(edit func([]glossary.Entry) ([]glossary.Entry, error)) error {
	return change(w.glossaries, func() error {
		entries, err := readOwn(glossary.Read, w.glossaries, glossary.Own)
		if err != nil {
			return err
		}
		if entries, err = edit(entries); err != nil {
			return err
		}
		return w.writeTerms(entries)
	})
}

// writeTerms writes what can be read again, or nothing.
func (w *Words) writeTerms(entries []glossary.Entry) error {
	var b strings.Builder
	table := csv.NewWriter(&b)
	_ = table.Write([]string{"from", "to", "source", "target"}) // to memory
	for _, e := range entries {
		_ = table.Write([]string{e.From, e.To, e.Source, e.Target})
	}
	table.Flush()
	if _, err := glossary.Parse(glossary.Own, strings.NewReader(b.String())); err != nil {
		return fmt.Errorf("%w: %w", ErrWords, err)
	}
	return document.WriteAtomic(filepath.Join(w.glossaries, glossary.Own), []byte(b.String()), 0o600)
}

// CheckGlossary says what AddGlossary would. Errors are ErrName or a
// *glossary.FileError.
func CheckGlossary(f api.WordsFile) (api.WordsFileResponse, error) {
	if err := checkName(f.Name, glossary.Own, glossary.Extensions); err != nil {
		return api.WordsFileResponse{}, err
	}
	entries, err := glossary.Parse(f.Name, strings.NewReader(f.Content))
	return api.WordsFileResponse{Entries: len(entries)}, err
}

// AddGlossary adds a file, or replaces the one of that name.
func (w *Words) AddGlossary(_ context.Context, f api.WordsFile) (api.WordsFileResponse, error) {
	return put(w.glossaries, f, CheckGlossary)
}

// RemoveGlossary removes a file; ErrNotFound if it is not there.
func (w *Words) RemoveGlossary(_ context.Context, name string) error {
	return remove(w.glossaries, name, glossary.Own, glossary.Extensions)
}
