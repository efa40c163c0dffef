package text

import (
	"fmt"
	"strings"
)

// Join puts translations in the places of the sentences of pieces: translated[i] in that of the i-th Sentence. All
// that lies between them stays exactly as it was, with one exception: where from is written without spaces and to is
// not, a space is put between two sentences that touch each other.
//
// It panics if the number of translations is not that of the sentences, which is a mistake of the caller.
func Join(pieces []Piece, translated []string, from, to string) string {
	space := writtenWithoutSpaces(from) && !writtenWithoutSpaces(to)
	var b strings.Builder
	n := 0
	for i, p := range pieces {
		if p.Kind == Verbatim {
			b.WriteString(p.Text)
			continue
		}
		if n == len(translated) {
			panic(fmt.Sprintf("text: %d translations for more sentences", n))
		}
		if space && i > 0 && pieces[i-1].Kind == Sentence {
			b.WriteByte(' ')
		}
		b.WriteString(translated[n])
		n++
	}
	if n != len(translated) {
		panic(fmt.Sprintf("text: %d translations for %d sentences", len(translated), n))
	}
	return b.String()
}

// writtenWithoutSpaces says whether a language of M2M-100 puts no space between words and sentences.
func writtenWithoutSpaces(lang string) bool {
	switch baseLanguage(lang) {
	case "ja", "km", "lo", "my", "th", "zh":
		return true
	}
	return false
}
