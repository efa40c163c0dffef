package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// periodEnds says whether the full stop at s[mark] ends a sentence. next is the offset of c, the first character
// after it that is neither white space nor an opening mark.
//
// In doubt it says no: two sentences in one piece lose less in translation than one sentence in two.
func (r *rules) periodEnds(s string, mark, next int, c rune) bool {
	word := lastWord(s[:mark])
	begins := len(word) == mark
	lower := strings.ToLower(word)
	switch {
	case word == "":
		return true
	case r.never[lower]:
		return false
	case r.title[lower] && startsUpper(word):
		return false
	case r.number[lower] && unicode.IsDigit(c):
		return false
	case r.either[lower]:
		return r.starts(s[next:])
	case isNumber(word):
		// "3.1. Scope" or "5. Scope" at the beginning is a heading; elsewhere many languages write ordinals so.
		if begins {
			return false
		}
		if r.ordinalDot && utf8.RuneCountInString(word) <= 3 && unicode.IsLetter(c) {
			return r.starts(s[next:])
		}
		return true
	case begins && (isSingleLetter(word) || isRoman(word)):
		return false // "A. Scope", "II. Scope"
	case r.ordinalDot && isRoman(word):
		return r.starts(s[next:])
	case strings.Contains(word, "."):
		return !isDotted(word) || r.starts(s[next:])
	case isSingleLetter(word):
		if word == r.pronoun {
			return !isInitial(s[next:])
		}
		return r.starts(s[next:]) && !nameParticles[strings.ToLower(firstWord(s[next:]))]
	}
	return true
}

// nameParticles are words that begin family names, so that they say nothing after an initial: "J. La Fontaine".
var nameParticles = wordSet("al da das de del della di do dos du el i la las le les lo los van von y zu")

// lastWord returns the letters, digits and inner stops at the end of s.
func lastWord(s string) string {
	i := len(s)
	for i > 0 {
		c, size := utf8.DecodeLastRuneInString(s[:i])
		if c != '.' && !unicode.In(c, unicode.L, unicode.M, unicode.N) {
			break
		}
		i -= size
	}
	return s[i:]
}

// starts says whether s begins with a word that usually begins a sentence. A single letter with a stop is an initial.
func (r *rules) starts(s string) bool {
	return startsUpper(s) && r.starters[strings.ToLower(firstWord(s))] && !isInitial(s)
}

func firstWord(s string) string {
	if i := strings.IndexFunc(s, func(c rune) bool { return !unicode.In(c, unicode.L, unicode.M) }); i >= 0 {
		return s[:i]
	}
	return s
}

func startsUpper(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(c) || unicode.IsTitle(c)
}

func isInitial(s string) bool {
	c, size := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(c) && strings.HasPrefix(s[size:], ".")
}

// isSingleLetter says whether word is one letter of an alphabet, with or without combining marks.
func isSingleLetter(word string) bool {
	c, size := utf8.DecodeRuneInString(word)
	if !unicode.IsLetter(c) || isUnspaced(c) || unicode.Is(unicode.Hangul, c) {
		return false
	}
	return strings.TrimLeftFunc(word[size:], unicode.IsMark) == ""
}

func isNumber(word string) bool {
	return strings.TrimFunc(word, func(c rune) bool { return unicode.IsNumber(c) || c == '.' }) == ""
}

func isRoman(word string) bool {
	return len(word) > 1 && strings.Trim(word, "IVXLC") == ""
}

// isDotted says whether word is an abbreviation with inner stops: its parts have one or two letters, as in "U.S",
// "p.ej" or "Ph.D".
func isDotted(word string) bool {
	for part := range strings.SplitSeq(word, ".") {
		if utf8.RuneCountInString(part) > 2 || strings.ContainsFunc(part, unicode.IsNumber) {
			return false
		}
	}
	return true
}
