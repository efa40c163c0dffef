package clip

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// trim takes away what selecting with a mouse adds by chance.
func trim(text string) string { return strings.TrimSpace(text) }

// worth tells whether a text could have a translation at all, by its form.
func worth(text string) Reason {
	text = trim(text)
	switch letters, alone := letters(text); {
	case letters == 0, letters == 1 && alone:
		return NoLetters
	case strings.Contains(text, "-----BEGIN ") && strings.Contains(text, "PRIVATE KEY"):
		return LooksSecret
	case strings.ContainsFunc(text, unicode.IsSpace):
		return Accepted
	case address(text):
		return Address
	case token(text):
		return LooksSecret
	}
	return Accepted
}

// letters counts up to two; alone says that a single one means nothing, which
// it does in scripts that write sounds.
func letters(text string) (n int, alone bool) {
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		n++
		alone = !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
		if n == 2 {
			break
		}
	}
	return n, alone
}

// address knows web and mail addresses and paths. text has no spaces.
func address(text string) bool {
	text = strings.Trim(text, `<>()[]"'`)
	lower := strings.ToLower(text)
	if scheme, _, found := strings.Cut(lower, "://"); found && isASCIIWord(scheme) {
		return true
	}
	for _, prefix := range []string{"www.", "mailto:", "tel:", "data:", "urn:", "magnet:", "/", "~/", "./", "../", `\\`, `.\`, `..\`, "~\\"} {
		if strings.HasPrefix(lower, prefix) {
			return true
		}
	}
	if len(lower) > 2 && lower[1] == ':' && (lower[2] == '\\' || lower[2] == '/') && lower[0] >= 'a' && lower[0] <= 'z' {
		return true // C:\ and C:/
	}
	if name, host, found := strings.Cut(text, "@"); found && name != "" && dotted(host) {
		return true
	}
	if strings.Contains(text, `\`) {
		return true
	}
	// "example.org/page" and "src/main.go", but not "and/or" nor "end.Start".
	first, _, _ := strings.Cut(text, "/")
	last := text[strings.LastIndex(text, "/")+1:]
	return dotted(first) || dotted(last)
}

// dotted knows "example.org", "main.go", "archive.tar.gz" and "report-2.PDF":
// labels with a short last one in one case, and no capital after a dot, which
// would be a sentence without its space.
func dotted(s string) bool {
	s, _, _ = strings.Cut(s, ":")
	s = strings.TrimRight(s, ".,;!?")
	labels := strings.Split(s, ".")
	end := labels[len(labels)-1]
	if len(labels) < 2 || len(end) < 2 || len(end) > 6 || !isASCIIWord(end) {
		return false
	}
	if end != strings.ToLower(end) && end != strings.ToUpper(end) {
		return false
	}
	for _, label := range labels[:len(labels)-1] {
		if utf8.RuneCountInString(label) < 2 || strings.ContainsFunc(label, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_'
		}) {
			return false // also "z.B." and "e.g."
		}
	}
	return true
}

func isASCIIWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '+' || r == '-')
	})
}

// token tells whether a text without spaces is no word of a language: a
// password, key, hash or identifier. Scripts other than Latin have words only.
// What looks like a word is taken for one, also where it was a weak password.
func token(text string) bool {
	text = strings.TrimFunc(text, func(r rune) bool {
		return strings.ContainsRune("\"'“”„‘’«»‹›()[]{}<>.,;:!?…¡¿*#@_~`", r)
	})
	if utf8.RuneCountInString(text) < 6 {
		return false
	}
	for _, r := range text {
		if unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) {
			return false
		}
	}
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("-–—‐'’/.,:;…!?()\"·&+", r) })
	if len(parts) > 12 {
		return true
	}
	numbers := 0
	for _, part := range parts {
		digits, word := wordlike(part)
		if !word {
			return true
		}
		if digits {
			numbers++
		}
	}
	// "24-7-Service" is a word; "12-ab-34-cd" is none.
	return numbers > 2 && numbers*2 >= len(parts)
}

// wordlike tells whether a part of a Latin token could be a word, or a number
// of up to four digits, or both as in "1990er" and "3rd".
func wordlike(part string) (number, word bool) {
	var (
		lead, trail, vowels, letters, humps int
		lower                               bool // the letter before was a small one
	)
	for _, r := range part {
		switch {
		case unicode.IsDigit(r):
			if letters == 0 {
				lead++
			} else {
				trail++
			}
		case unicode.IsLetter(r), unicode.IsMark(r):
			letters++
			if trail > 0 {
				return false, false
			}
			if unicode.IsUpper(r) && lower {
				humps++
			}
			lower = unicode.IsLower(r)
			if r > unicode.MaxASCII || strings.ContainsRune("aeiouyAEIOUY", r) {
				vowels++
			}
		case r <= unicode.MaxASCII:
			return false, false // "p@ss", "a_b", "x=1"; not soft hyphens and emoji
		}
	}
	switch {
	case letters == 0:
		return true, lead <= 4
	case trail > 0 || lead > 4 || lead > 0 && letters > 3:
		return true, false
	case letters > 60, humps > 2, humps > 1 && letters < 10:
		return false, false
	case letters >= 7 && vowels*10 < letters:
		return false, false // no language that Latin letters write does without
	}
	return lead > 0, true
}
