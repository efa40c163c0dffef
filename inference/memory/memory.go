// Package memory holds a person's own translations: what was imported from other
// programs (TMX) and what was corrected by hand. Unlike what the service
// remembers of a model, they count for every model.
//
// It knows no model and must not import anything of ours but
// inference/ownfiles.
package memory

import (
	"cmp"
	"slices"
	"strings"
	"sync"
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
	units []Unit
	exact map[string]map[string][]int32        // units by language and text
	words func() map[string]map[string][]int32 // units by language and word
}

// New makes a memory. Of two units with the same source the later one counts.
func New(units []Unit) *Memory {
	m := &Memory{units: units}
	m.exact = m.index(func(text string) []string { return []string{text} })
	// Only who looks for similar texts needs words: the service never does.
	m.words = sync.OnceValue(func() map[string]map[string][]int32 {
		return m.index(func(text string) []string { return distinct(wordsOf(text)) })
	})
	return m
}

// index are the units by language and by each key of their texts.
func (m *Memory) index(keys func(text string) []string) map[string]map[string][]int32 {
	index := map[string]map[string][]int32{}
	for i, u := range m.units {
		for lang, text := range u.Texts {
			if index[lang] == nil {
				index[lang] = map[string][]int32{}
			}
			for _, key := range keys(Normal(text)) {
				index[lang][key] = append(index[lang][key], int32(i))
			}
		}
	}
	return index
}

// Normal is a text as it is compared: without white space at its ends, and with
// single spaces in it.
func Normal(text string) string { return strings.Join(strings.Fields(text), " ") }

// Units are all of them.
func (m *Memory) Units() []Unit { return slices.Clone(m.units) }

// Exact returns the translation of a text that is in the memory.
func (m *Memory) Exact(from, to, text string) (translation string, found bool) {
	if m == nil || len(m.units) == 0 {
		return "", false
	}
	ids := m.exact[from][Normal(text)]
	for _, id := range slices.Backward(ids) {
		if translation, found = m.units[id].Texts[to]; found {
			return translation, true
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
	// Words that so many texts have tell little.
	tooCommon = 20_000
	// So many candidates are compared word by word.
	candidates = 300
)

// Similar returns the texts of a language that are most like text and have a
// translation, the likest first: at least percent alike, at most n.
func (m *Memory) Similar(from, to, text string, percent, n int) (matches []Match) {
	if m == nil {
		return nil
	}
	text = Normal(text)
	words := wordsOf(text)
	shared := map[int32]int{}
	lists := make([][]int32, 0, len(words))
	index := m.words()[from]
	for _, w := range distinct(words) {
		if list := index[w]; len(list) > 0 {
			lists = append(lists, list)
		}
	}
	slices.SortFunc(lists, func(a, b []int32) int { return cmp.Compare(len(a), len(b)) })
	for i, list := range lists {
		if i > 0 && len(list) > tooCommon {
			break
		}
		for _, id := range list {
			shared[id]++
		}
	}
	ids := make([]int32, 0, len(shared))
	for id := range shared {
		if _, ok := m.units[id].Texts[to]; ok {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b int32) int { return cmp.Or(cmp.Compare(shared[b], shared[a]), cmp.Compare(b, a)) })
	for _, id := range ids[:min(candidates, len(ids))] {
		u := m.units[id]
		p := alike(text, Normal(u.Texts[from]))
		if p >= percent {
			matches = append(matches, Match{u.Texts[from], u.Texts[to], p, u})
		}
	}
	slices.SortStableFunc(matches, func(a, b Match) int { return cmp.Compare(b.Percent, a.Percent) })
	return matches[:min(n, len(matches))]
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
