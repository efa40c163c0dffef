package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// markerLen returns the length of the list markers, heading and quotation signs at the beginning of a line, with the
// white space after them: "- ", "1. ", "a) ", "## ", "> ". They are kept as they are, because a model tends to lose
// or renumber them.
func markerLen(s string, r *rules) int {
	pos := 0
	for range 4 { // as in "> - [x] "
		n := max(bulletLen(s[pos:]), enumeratorLen(s[pos:], r))
		if n == 0 {
			break
		}
		end := skipBlank(s, pos+n, len(s))
		if end == pos+n || end == len(s) {
			break
		}
		pos = end
	}
	return pos
}

// bulletLen returns the length of a bullet, of a run of # or >, or of a check box.
func bulletLen(s string) int {
	for _, box := range []string{"[ ]", "[x]", "[X]"} {
		if strings.HasPrefix(s, box) {
			return len(box)
		}
	}
	c, size := utf8.DecodeRuneInString(s)
	if c == '#' || c == '>' {
		return len(s) - len(strings.TrimLeft(s, string(c)))
	}
	if strings.ContainsRune("-–—*+•‣◦▪▫●○■□·∙⁃", c) {
		return size
	}
	return 0
}

// enumeratorLen returns the length of "1.", "2.3.", "1)", "(1)", "a)", "(iv)" or "a." at the beginning of s.
func enumeratorLen(s string, r *rules) int {
	body := strings.TrimPrefix(s, "(")
	opened := len(body) < len(s)
	end := strings.IndexFunc(body, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '.' })
	if end < 1 || end > 16 {
		return 0
	}
	label, rest := body[:end], body[end:]
	if strings.HasPrefix(rest, ")") {
		if !isLabel(label) {
			return 0
		}
		return len(s) - len(rest) + 1
	}
	label, stopped := strings.CutSuffix(label, ".")
	if opened || !stopped || !isLabel(label) {
		return 0
	}
	word := strings.TrimLeftFunc(rest, isBlank)
	c, _ := utf8.DecodeRuneInString(word)
	switch {
	case isNumber(label):
		if r.ordinalDot && (isLower(c) || r.months[strings.ToLower(firstWord(word))]) {
			return 0 // "3. Oktober" is a date
		}
	case !isSingleLetter(label) || !isLower([]rune(label)[0]) || !startsUpper(word) || isInitial(word):
		return 0 // "J. Smith", "z. B. Brot", "p. ex. demain"
	}
	return len(s) - len(rest)
}

// isLabel says whether s counts list items: numbers of up to three digits, a letter or a small roman numeral.
func isLabel(s string) bool {
	if isNumber(s) {
		for part := range strings.SplitSeq(s, ".") {
			if n := utf8.RuneCountInString(part); n == 0 || n > 3 {
				return false
			}
		}
		return true
	}
	return isSingleLetter(s) || len(s) <= 4 && strings.Trim(s, "ivx") == ""
}
