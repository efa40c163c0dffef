package language

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// word is a run of letters of one script in lower case, cut at everything else,
// apostrophes too.
type word struct {
	text    string
	script  int // index in scripts
	letters int
}

// cut returns the words at the beginning of a text (sample bytes), and how many
// letters it has there of scripts that are in no list. Addresses and what is
// mixed with digits are left out: they are of no language.
func cut(text string) (words []word, strange int) {
	if len(text) > sample {
		text = strings.ToValidUTF8(text[:sample], "")
	}
	for field := range strings.FieldsSeq(norm.NFC.String(text)) {
		if strings.Contains(field, "://") || strings.ContainsAny(field, "@_\\") || strings.HasPrefix(field, "www.") {
			continue
		}
		words = appendWords(words, field)
		for _, c := range field {
			if c >= 0x80 && scriptIndex(c) < 0 && unicode.IsLetter(c) && !unicode.In(c, unicode.Common, unicode.Inherited, unicode.Latin) {
				strange++
			}
		}
	}
	return words, strange
}

func appendWords(words []word, field string) []word {
	start, at, letters := -1, -1, 0
	end := func(i int) {
		if start >= 0 {
			words = append(words, word{strings.ToLower(field[start:i]), at, letters})
		}
		start, letters = -1, 0
	}
	for i, c := range field {
		s := scriptIndex(c)
		switch {
		case s < 0 && start >= 0 && unicode.Is(unicode.M, c): // a mark of the letter before it
		case s < 0:
			end(i)
		case start >= 0 && s == at:
			letters++
		default:
			end(i)
			start, at, letters = i, s, 1
		}
	}
	end(len(field))
	return words
}
