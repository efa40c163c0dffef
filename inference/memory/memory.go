// Package memory holds a person's own translations: what was imported from other
// programs (TMX) and what was corrected by hand. Unlike what the service
// remembers of a model, they count for every model.
//
// Large files are indexed on the disk, so that a million units cost a process
// little memory. It knows no model and must not import anything of ours but
// inference/ownfiles, mapped and checksum.
package memory

import (
	"cmp"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"unicode"
)

// Unit is one text in several languages.
type Unit struct {
	Texts map[string]string // by language
	File  string            // that it is from
	Line  int
}

// Memory is a set of units. It does not change.
type Memory struct {
	indexes []*index // later ones count before earlier ones
}

// New makes a memory that lies in the memory of the process. Of two units with
// the same source the later one counts.
func New(units []Unit) *Memory {
	x, err := indexOf("", func(yield func(Unit, error) bool) {
		for _, u := range units {
			if !yield(u, nil) {
				return
			}
		}
	})
	if err != nil {
		panic(err) // buffers do not fail
	}
	return &Memory{indexes: []*index{x}}
}

// Units are all of them.
func (m *Memory) Units() iter.Seq[Unit] {
	return func(yield func(Unit) bool) {
		defer runtime.KeepAlive(m)
		for _, x := range m.indexes {
			for _, s := range x.segments {
				for i := range uint32(s.count()) {
					if !yield(s.unit(i, x.file)) {
						return
					}
				}
			}
		}
	}
}

// Exact returns the translation of a text that is in the memory.
func (m *Memory) Exact(from, to, text string) (translation string, found bool) {
	if m == nil {
		return "", false
	}
	defer runtime.KeepAlive(m) // its maps end with it
	text = Normal(text)
	for _, x := range slices.Backward(m.indexes) {
		for _, s := range slices.Backward(x.segments) {
			s.same(from, text, func(unit uint32) bool {
				source, _ := s.text(unit, from)
				if target, ok := s.text(unit, to); ok && Normal(string(source)) == text {
					translation, found = string(target), true
				}
				return !found
			})
			if found {
				return translation, true
			}
		}
	}
	return "", false
}

// Match is a text like the one that was looked for.
type Match struct {
	Source, Target string
	Percent        int // 100 is the same text; the share of words that need no change
	Unit           Unit
}

const (
	// Words that so many texts of a segment have tell little.
	tooCommon = 2000
	// mostCommon of such words are looked at all the same where a text has no others.
	mostCommon = 6
	// So many candidates are compared word by word.
	candidates = 300
)

// candidate is a unit that shares words with what is looked for.
type candidate struct {
	index   *index
	segment segment
	unit    uint32
	shared  int // words
}

// Similar returns the texts of a language that are most like text and have a
// translation, the likest first: at least percent alike, at most n.
func (m *Memory) Similar(from, to, text string, percent, n int) (matches []Match) {
	if m == nil {
		return nil
	}
	defer runtime.KeepAlive(m) // its maps end with it
	text = Normal(text)
	words := distinct(wordsOf(text))
	var found []candidate
	for _, x := range slices.Backward(m.indexes) {
		for _, s := range slices.Backward(x.segments) {
			found = append(found, s.sharing(x, from, to, words)...)
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.shared, a.shared) })
	for _, c := range found[:min(candidates, len(found))] {
		source, _ := c.segment.text(c.unit, from)
		if p := alike(text, Normal(string(source))); p >= percent {
			target, _ := c.segment.text(c.unit, to)
			matches = append(matches, Match{string(source), string(target), p, c.segment.unit(c.unit, c.index.file)})
		}
	}
	slices.SortStableFunc(matches, func(a, b Match) int { return cmp.Compare(b.Percent, a.Percent) })
	return matches[:min(n, len(matches))]
}

// sharing are the units of a segment with a translation that share most words,
// the last first of those that share as many.
func (s segment) sharing(x *index, from, to string, words []string) (found []candidate) {
	type list struct {
		postings []byte
		units    int
	}
	lists := make([]list, 0, len(words))
	for _, w := range words {
		if postings, units := s.holding(from, w); units > 0 {
			lists = append(lists, list{postings, units})
		}
	}
	slices.SortFunc(lists, func(a, b list) int { return cmp.Compare(a.units, b.units) })
	shared := make([]uint8, s.count())
	touched, more := 0, 0
	for i, l := range lists {
		common := i > 0 && l.units > tooCommon
		if common { // tells those that were found apart, where they are too many
			if more++; touched <= candidates || more > mostCommon {
				break
			}
		}
		each(l.postings, l.units, func(unit uint32) {
			if int(unit) >= len(shared) || shared[unit] == math.MaxUint8 || common && shared[unit] == 0 {
				return
			}
			if shared[unit]++; shared[unit] == 1 {
				touched++
			}
		})
	}
	if touched == 0 {
		return nil
	}
	var units [math.MaxUint8 + 1][]uint32 // by how many words they share, the last first
	for id, n := range slices.Backward(shared) {
		if n > 0 && (len(units[n]) < candidates) {
			if _, ok := s.text(uint32(id), to); ok {
				units[n] = append(units[n], uint32(id))
			}
		}
	}
	for n, ids := range slices.Backward(units[:]) {
		for _, id := range ids {
			if found = append(found, candidate{x, s, id, n}); len(found) == candidates {
				return found
			}
		}
	}
	return found
}

// alike is the percentage of a match: words that need not be changed, and 99 at
// most where anything differs.
func alike(a, b string) int {
	if a == b {
		return 100
	}
	x, y := wordsOf(a), wordsOf(b)
	longest := max(len(x), len(y))
	if longest == 0 {
		return 0
	}
	return min(99, 100*(longest-distance(x, y))/longest)
}

// distance is Levenshtein's, in words.
func distance(a, b []string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before := row[0]
		row[0] = i + 1
		for j := range b {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// mostWords of a text are compared.
const mostWords = 400

// wordsOf are runs of letters and digits in small letters, and single characters
// of scripts without spaces.
func wordsOf(text string) (words []string) {
	start := -1
	end := func(i int) {
		if start >= 0 {
			words = append(words, strings.ToLower(text[start:i]))
		}
		start = -1
	}
	for i, c := range text {
		switch {
		case len(words) >= mostWords:
			return words
		case unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			end(i)
			words = append(words, string(c))
		case unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.Is(unicode.M, c):
			if start < 0 {
				start = i
			}
		default:
			end(i)
		}
	}
	end(len(text))
	return words
}

func distinct(words []string) []string {
	words = slices.Clone(words)
	slices.Sort(words)
	return slices.Compact(words)
}
