package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dragoman/inference/text/span"
)

// stop says how a run of sentence marks ends a sentence.
type stop int

const (
	stopNone     stop = iota
	stopPeriod        // one full stop, the ambiguous one: needs white space after it and knowledge of the word before
	stopEllipsis      // dots: ends the sentence only where a new one visibly begins
	stopMark          // ! ? and the like: needs white space after it
	stopFull          // marks of scripts that need no white space after them, such as the ideographic full stop
)

// sentenceLen returns the length in bytes of the first sentence of s, without the white space after it. s holds no
// line end and begins and ends with something that is not blank. Marks before s[from] do not end it.
func (r *rules) sentenceLen(s string, from int) int {
	content := from > 0 // a sentence has a letter or digit before its mark: "... and" does not end at the dots
	oddQuotes := strings.Count(s[:from], `"`)%2 == 1
	for i := from; i < len(s); {
		kind, end := r.stopAt(s, i)
		if kind != stopNone {
			if content {
				if n := r.boundary(s, kind, i, end, oddQuotes); n > 0 {
					return n
				}
			}
			i = end
			continue
		}
		c, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == '"':
			oddQuotes = !oddQuotes
		case unicode.IsLetter(c) || unicode.IsNumber(c):
			content = true
		}
		i += size
	}
	return len(s)
}

// stopAt reads the run of sentence marks that begins at s[i], as in "?!" or "...", and returns its end.
func (r *rules) stopAt(s string, i int) (kind stop, end int) {
	end = i
	for end < len(s) {
		c, size := utf8.DecodeRuneInString(s[end:])
		k := r.stopOf(c)
		if c == ethiopicSpace && strings.HasPrefix(s[end+size:], string(ethiopicSpace)) {
			k, size = stopFull, 2*size // two word separators are the common way to type the full stop
		}
		if k == stopNone {
			break
		}
		if k == stopPeriod && end > i {
			k = stopEllipsis
		}
		kind = max(kind, k)
		end += size
	}
	return kind, end
}

const ethiopicSpace = '\u1361'

func (r *rules) stopOf(c rune) stop {
	switch c {
	case '.':
		return stopPeriod
	case '…':
		return stopEllipsis
	case '!', '?', '‼', '‽', '⁇', '⁈', '⁉':
		return stopMark
	case ';', '\u037e':
		if r.semicolonAsks {
			return stopMark
		}
		return stopNone
	}
	if isFullStop(c) {
		return stopFull
	}
	return stopNone
}

// isFullStop says whether c is a mark that ends a sentence with or without white space after it. To the table of
// Unicode 15 it adds the Khmer ones, as later versions do; it takes out the Burmese comma.
func isFullStop(c rune) bool {
	if c < 0x80 || c == '\u104a' {
		return false
	}
	return unicode.Is(unicode.Sentence_Terminal, c) || c == '\u17d4' || c == '\u17d5'
}

// boundary returns the length of the sentence of s whose marks are s[mark:end], or 0 if the sentence goes on.
func (r *rules) boundary(s string, kind stop, mark, end int, oddQuotes bool) int {
	end = skipClosers(s, end, kind != stopFull, kind != stopFull || oddQuotes)
	next := skipBlank(s, end, len(s))
	if next > end && strings.HasPrefix(s[next:], "»") && (r.spacedQuotes || !strings.Contains(s[end:next], " ")) {
		end = skipClosers(s, next, true, true) // the French way: « Bonjour ! »
		next = skipBlank(s, end, len(s))
	}
	if next == len(s) {
		return end
	}
	c, _ := utf8.DecodeRuneInString(s[next:])
	if strings.ContainsRune(",;:،؛，、；：", c) {
		return 0
	}
	spaced := next > end
	if kind == stopFull {
		if !spaced && endsWithBracket(s[:end]) && unicode.Is(unicode.Hiragana, c) {
			return 0 // 「…。」と言った: a quotation inside its sentence
		}
		if !spaced && unicode.IsDigit(c) && strings.HasSuffix(s[:end], "．") {
			return 0
		}
		return end
	}
	if !spaced {
		if !isUnspaced(c) || !unspacedStop(s[:mark], kind) {
			return 0
		}
		return end
	}
	next = skipOpeners(s, next)
	c, _ = utf8.DecodeRuneInString(s[next:])
	if isLower(c) {
		return 0
	}
	if kind == stopPeriod && !r.periodEnds(s, mark, next, c) {
		return 0
	}
	return end
}

// unspacedStop says whether a mark of European form, after before and without white space behind it, ends a sentence
// of a script that is written without spaces. A mark inside an address does not.
func unspacedStop(before string, kind stop) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	switch kind {
	case stopEllipsis: // 我不知道……也许吧
		return false
	case stopPeriod:
		return isUnspaced(last)
	}
	token := strings.LastIndexFunc(before, func(c rune) bool { return isBlank(c) || isUnspaced(c) })
	return !strings.Contains(before[token+1:], "://")
}

// skipClosers returns the offset after the characters that belong to the sentence before i: closing brackets and
// quotes, emphasis, emoji, combining marks, and references such as [12]. leftQuotes says that “ and « close as well,
// as in German; straight says that the straight quote closes.
func skipClosers(s string, i int, leftQuotes, straight bool) int {
	for i < len(s) {
		c, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == '[':
			size = referenceLen(s[i:])
			if size == 0 {
				return i
			}
		case c == '"' || c == '\'':
			if !straight {
				return i
			}
		case unicode.Is(unicode.Pi, c):
			if !leftQuotes {
				return i
			}
		case strings.ContainsRune("*_~`\u200d", c):
		case unicode.In(c, unicode.Pe, unicode.Pf, unicode.Mn, unicode.Me, unicode.So, unicode.Sk):
		default:
			return i
		}
		i += size
	}
	return i
}

// referenceLen returns the length of a reference of up to four digits in brackets at the beginning of s, or 0.
func referenceLen(s string) int {
	i := 1
	for i < len(s) && i < 5 && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 1 || i >= len(s) || s[i] != ']' {
		return 0
	}
	return i + 1
}

// skipOpeners returns the offset of the first character at or after i that tells whether a sentence begins. It
// gives up after a few characters, so that long runs of brackets cost no more than their length.
func skipOpeners(s string, i int) int {
	for range 8 {
		c, size := utf8.DecodeRuneInString(s[i:])
		if size == 0 || !unicode.In(c, unicode.Ps, unicode.Pi, unicode.Pf, unicode.Pd) && !strings.ContainsRune("\"'*_~`¿¡ \u00a0\u202f", c) {
			break
		}
		i += size
	}
	return min(i, len(s))
}

func endsWithBracket(s string) bool {
	c, _ := utf8.DecodeLastRuneInString(s)
	return unicode.Is(unicode.Pe, c)
}

// isLower says whether c is a small letter of a script in which sentences begin with capitals. Georgian has the
// category of small letters but no such capitals (UAX #29 leaves it out for the same reason).
func isLower(c rune) bool {
	return unicode.IsLower(c) && !unicode.Is(unicode.Georgian, c)
}

// isUnspaced says whether c is of a script that is written without spaces between words.
func isUnspaced(c rune) bool { return span.Unspaced(c) }
