package text

import (
	"strings"
	"unicode/utf8"
)

// rulers draw lines around words: "-----Original Message-----", "=== Chapter 1 ===", "Name: ____". They are kept as
// they are, because a model takes them for punctuation.
const rulers = "-=_~–—"

// leastRule is how many of one sign are a line.
const leastRule = 3

// ruleLen returns the length of a line of one sign at the beginning of s.
func ruleLen(s string) int {
	c, size := utf8.DecodeRuneInString(s)
	n := len(s) - len(strings.TrimLeft(s, string(c)))
	if !strings.ContainsRune(rulers, c) || n < leastRule*size {
		return 0
	}
	return n
}

// ruleEndLen is ruleLen of the end of s.
func ruleEndLen(s string) int {
	c, size := utf8.DecodeLastRuneInString(s)
	n := len(s) - len(strings.TrimRight(s, string(c)))
	if !strings.ContainsRune(rulers, c) || n < leastRule*size {
		return 0
	}
	return n
}
