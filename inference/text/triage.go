package text

import (
	"strings"
	"unicode"

	"dragoman/inference/text/span"
)

// Translatable says whether s has anything that a translation could change. It is false for text without letters
// (empty, blank, numbers, dates, punctuation, symbols, emoji) and for exactly one address: a URL, an e-mail address,
// a mention, a path, a file name or a time stamp, with or without punctuation around it.
func Translatable(s string) bool {
	return strings.ContainsFunc(s, isWordLetter) && !span.IsAddress(strings.TrimFunc(s, isBlank))
}

// isWordLetter says whether c is a letter as words are made of. ℹ is an emoji, ª and º are signs of ordinal numbers,
// although Unicode calls all three letters.
func isWordLetter(c rune) bool {
	return unicode.IsLetter(c) && c != 'ℹ' && c != 'ª' && c != 'º'
}
