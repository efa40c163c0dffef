package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// HistoryQuery filters History.
type HistoryQuery struct {
	// Search has words, separated by white space, that each must be in source
	// or target: anywhere in it, in any case, with or without accents. It has no
	// operators; "" is everything.
	Search string
	Before int64 // entries with a smaller id, for the next page
	Limit  int   // no bound if 0
}

// History returns texts with the newest id first.
func (s *Store) History(ctx context.Context, q HistoryQuery) ([]HistoryEntry, error) {
	query, args := "SELECT id, time, origin, from_lang, to_lang, source, target FROM history WHERE true", []any{}
	if q.Before != 0 {
		query += " AND id < ?"
		args = append(args, q.Before)
	}
	if expression := indexQuery(q.Search); expression != "" {
		query += " AND id IN (SELECT rowid FROM history_index WHERE history_index MATCH ?)"
		args = append(args, expression)
	}
	var words []string
	for _, word := range strings.Fields(q.Search) {
		words = append(words, plain(word))
	}
	var found []HistoryEntry
	err := s.each(ctx, func(rows *sql.Rows) error {
		var e HistoryEntry
		if err := e.scan(rows); err != nil {
			return err
		}
		if holds(words, &e) {
			found = append(found, e)
		}
		if q.Limit > 0 && len(found) == q.Limit {
			return errEnough
		}
		return nil
	}, query+" ORDER BY id DESC", args...)
	if errors.Is(err, errEnough) {
		err = nil
	}
	if kind(err) == nil && code(err) != 0 {
		// SQLite's message may quote what was searched for.
		err = fmt.Errorf("SQLite's error %d", code(err))
	}
	return found, s.fail("search the history", err)
}

// holds says whether each word is in the source or the target.
func holds(words []string, e *HistoryEntry) bool {
	if len(words) == 0 {
		return true
	}
	source, target := plain(e.Source), plain(e.Target)
	for _, w := range words {
		if !strings.Contains(source, w) && !strings.Contains(target, w) {
			return false
		}
	}
	return true
}

// plain is text without case and without the marks of Latin, Greek and
// Cyrillic letters; the marks of other scripts make other letters.
func plain(text string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if isAccent(r) {
			return -1
		}
		// The smallest of the letters that differ in case only.
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, norm.NFD.String(text)))
}

// isAccent: block Combining Diacritical Marks.
func isAccent(r rune) bool { return r >= 0x300 && r <= 0x36f }

// maxTrigrams of a search are looked up; the texts that have them are compared
// with all of it.
const maxTrigrams = 24

// indexQuery is an expression of the index (https://sqlite.org/fts5.html) that
// finds at least all texts with the words of search: it asks for their
// trigrams. It is "" where no word has three letters; then each text is looked
// at, newest first.
func indexQuery(search string) string {
	var trigrams []string
	seen := map[string]bool{}
	for _, word := range strings.Fields(norm.NFC.String(strings.ToValidUTF8(search, " "))) {
		letters := []rune(strings.Map(func(r rune) rune {
			if isAccent(r) {
				return -1
			}
			return r
		}, word))
		for i := 0; i+3 <= len(letters) && len(trigrams) < maxTrigrams; i++ {
			t := string(letters[i : i+3])
			if strings.ContainsRune(t, 0) || seen[t] {
				continue
			}
			seen[t] = true
			trigrams = append(trigrams, `"`+strings.ReplaceAll(t, `"`, `""`)+`"`)
		}
	}
	return strings.Join(trigrams, " AND ")
}
