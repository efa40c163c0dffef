package clip

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	// ownTexts and ownBytes bound what is remembered of our own texts.
	ownTexts = 1000
	ownBytes = 2 << 20
	// ownAge is how long a part of a text of ours counts as ours. A whole text
	// counts for as long as it is remembered.
	ownAge = 30 * time.Minute
	// ownPart is the number of characters from which a part may begin and end
	// within words; a shorter one must be whole words.
	ownPart = 8
)

// own remembers our latest writes, so that neither they nor parts of them are
// taken for something that the user copied elsewhere.
type own struct {
	mu    sync.Mutex
	texts []ownText // the newest last
	bytes int
}

type ownText struct {
	text string // as squeeze returns it
	at   time.Time
}

func (o *own) remember(text string, at time.Time) {
	text = squeeze(text)
	if text == "" {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	// A result that was shown and then written must not take the place of two.
	if i := slices.IndexFunc(o.texts, func(t ownText) bool { return t.text == text }); i >= 0 {
		o.texts = slices.Delete(o.texts, i, i+1)
		o.bytes -= len(text)
	}
	o.texts = append(o.texts, ownText{text, at})
	o.bytes += len(text)
	for len(o.texts) > 1 && (len(o.texts) > ownTexts || o.bytes > ownBytes) {
		o.bytes -= len(o.texts[0].text)
		o.texts = append(o.texts[:0:0], o.texts[1:]...)
	}
}

// has tells whether text is one of ours or a part of one.
func (o *own) has(text string, at time.Time) bool {
	text = squeeze(text)
	if text == "" {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range o.texts {
		if t.text == text || at.Sub(t.at) < ownAge && partOf(t.text, text) {
			return true
		}
	}
	return false
}

// squeeze makes texts equal that differ in white space only, as they do after
// a way through another application.
func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }

// partOf tells whether part was cut out of whole.
func partOf(whole, part string) bool {
	long := utf8.RuneCountInString(part) >= ownPart
	for from := 0; ; {
		i := strings.Index(whole[from:], part)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(whole[:i])
		after, size := utf8.DecodeRuneInString(whole[i+len(part):])
		first, width := utf8.DecodeRuneInString(part)
		last, _ := utf8.DecodeLastRuneInString(part)
		if long || !(joined(before, first) || size > 0 && joined(last, after)) {
			return true
		}
		from = i + width
	}
}

// joined tells whether two neighbours are within one word. Scripts without
// spaces have no words to be cut.
func joined(a, b rune) bool {
	return inWord(a) && inWord(b)
}

func inWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
