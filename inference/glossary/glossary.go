// Package glossary holds a person's own words: how terms are to be translated,
// and which stay as they are. They are read from files that people and other
// programs write: CSV, TBX, and lists of words.
//
// It knows no model and must not import anything of ours but
// inference/ownfiles.
package glossary

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Entry is how a term of one language is said in another.
type Entry struct {
	From, To       string // languages; "" is every one
	Source, Target string // Target is "" where the term stays
	File           string // that says so
	Line           int
}

// Glossary is a set of entries. It does not change.
type Glossary struct {
	entries []Entry
	byWord  map[string][]int // entries by the first word of Source, in small letters
	key     string
}

// New makes a glossary. Of two entries for the same term and languages the
// later one counts.
func New(entries []Entry) *Glossary {
	type term struct{ from, to, source string }
	last := map[term]int{}
	for i, e := range entries {
		last[term{e.From, e.To, e.Source}] = i
	}
	g := &Glossary{byWord: map[string][]int{}}
	h := sha256.New()
	for i, e := range entries {
		if last[term{e.From, e.To, e.Source}] != i {
			continue
		}
		for _, part := range []string{e.From, e.To, e.Source, e.Target} {
			h.Write([]byte(part + "\x00"))
		}
		if lead, word := firstWord(e.Source); lead >= 0 {
			g.byWord[word] = append(g.byWord[word], len(g.entries))
		}
		g.entries = append(g.entries, e)
	}
	for _, found := range g.byWord { // longer terms go first, and of those of other languages later ones
		slices.Reverse(found)
		slices.SortStableFunc(found, func(a, b int) int { return len(g.entries[b].Source) - len(g.entries[a].Source) })
	}
	if len(g.entries) > 0 {
		g.key = hex.EncodeToString(h.Sum(nil)[:8])
	}
	return g
}

// Entries are all of them, in the order of their files.
func (g *Glossary) Entries() []Entry { return slices.Clone(g.entries) }

// Key is another for other entries, "" for none.
func (g *Glossary) Key() string { return g.key }

// Match is a term in a text.
type Match struct {
	Start, End int
	Target     string // what it becomes; itself where the term stays
	Entry      Entry
}

// Find returns the terms of a text that is translated between two languages,
// in order and without overlaps, the longest first at each place. Case does not
// matter, unless the term has a capital behind its first letter.
func (g *Glossary) Find(text, from, to string) (matches []Match) {
	if g == nil || len(g.entries) == 0 {
		return nil
	}
	at, before := 0, 0 // before is the end of the last match
	for at < len(text) {
		start := at + strings.IndexFunc(text[at:], isWord)
		if start < at {
			return matches
		}
		end := wordEnd(text, start)
		if m, ok := g.match(text, before, start, end, from, to); ok {
			matches = append(matches, m)
			end, before = m.End, m.End
		}
		at = end
	}
	return matches
}

// match finds the term whose first word is text[start:end]. It begins there, or
// with the marks before it, as .NET does, but not before the place before.
func (g *Glossary) match(text string, before, start, end int, from, to string) (Match, bool) {
	for _, i := range g.byWord[strings.ToLower(text[start:end])] {
		e := g.entries[i]
		if e.From != "" && e.From != from || e.To != "" && e.To != to {
			continue
		}
		lead := strings.IndexFunc(e.Source, isWord)
		begin := start - lead
		if begin < before || lead > 0 && endsInWord(text[:begin]) {
			continue
		}
		n, ok := prefix(text[begin:], e.Source)
		if !ok || isPartOfWord(text, begin+n) {
			continue
		}
		target := e.Target
		if target == "" {
			target = text[begin : begin+n]
		}
		return Match{Start: begin, End: begin + n, Target: target, Entry: e}, true
	}
	return Match{}, false
}

// prefix says whether text begins with a term, and how much of text that is.
func prefix(text, term string) (n int, ok bool) {
	if exact(term) {
		return len(term), strings.HasPrefix(text, term)
	}
	n = foldedPrefix(text, term)
	return n, n > 0
}

// foldedPrefix is how much of text is a term in any case, 0 where it does not begin
// with it.
func foldedPrefix(text, term string) (n int) {
	for _, want := range term {
		if n >= len(text) {
			return 0
		}
		c, size := utf8.DecodeRuneInString(text[n:])
		if c != want && unicode.ToLower(c) != unicode.ToLower(want) && !(unicode.IsSpace(c) && unicode.IsSpace(want)) {
			return 0
		}
		n += size
	}
	return n
}

// exact says whether the case of a term matters: it has a capital behind its
// first letter, as NATO and iPhone have.
func exact(term string) bool {
	_, size := utf8.DecodeRuneInString(term)
	return strings.ContainsFunc(term[size:], unicode.IsUpper)
}

// InOwnCase returns a text with a term written as it writes itself wherever it
// stands there in another case, if its case matters: iPhone is iPhone and no Iphone,
// but a folder may begin a sentence.
func InOwnCase(text, term string) string {
	if !exact(term) {
		return text
	}
	var b strings.Builder
	done := 0
	for at := 0; at < len(text); {
		start := at + max(0, strings.IndexFunc(text[at:], isWord))
		end := wordEnd(text, start)
		if n := foldedPrefix(text[start:], term); n > 0 && !isPartOfWord(text, start+n) {
			b.WriteString(text[done:start])
			b.WriteString(term)
			done, end = start+n, start+n
		}
		if end == at {
			break // nothing but marks is left
		}
		at = end
	}
	return b.String() + text[done:]
}

// isPartOfWord says whether a word goes on at a place of a text.
func isPartOfWord(text string, at int) bool {
	next, _ := utf8.DecodeRuneInString(text[at:])
	return isWord(next) && endsInWord(text[:at])
}

func endsInWord(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return isWord(last)
}

// firstWord is that of a term in small letters, and how many bytes of marks are
// before it; -1 where it has no word, and so is never found.
func firstWord(term string) (lead int, word string) {
	lead = strings.IndexFunc(term, isWord)
	if lead < 0 {
		return lead, ""
	}
	return lead, strings.ToLower(term[lead:wordEnd(term, lead)])
}

// HasWord says whether a term can be found in texts: it needs a letter or a digit.
func HasWord(term string) bool { return strings.ContainsFunc(term, isWord) }

func wordEnd(s string, start int) int {
	if n := strings.IndexFunc(s[start:], func(c rune) bool { return !isWord(c) && !unicode.Is(unicode.M, c) }); n >= 0 {
		return start + n
	}
	return len(s)
}

func isWord(c rune) bool {
	return c != utf8.RuneError && (unicode.IsLetter(c) || unicode.IsDigit(c))
}
