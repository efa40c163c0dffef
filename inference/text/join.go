package text

import "strings"

// Join puts translations in the places of the sentences of pieces: translated[i] in that of the i-th Sentence. All
// that lies between them stays exactly as it was, with one exception: where from is written without spaces and to is
// not, a space is put between two sentences that touch each other.
//
// It panics if the number of translations is not that of the sentences, which is a mistake of the caller.
func Join(pieces []Piece, translated []string, from, to string) string {
	var b strings.Builder
	j := NewJoiner(pieces, from, to)
	for _, t := range translated {
		b.WriteString(j.Next(t))
	}
	b.WriteString(j.Rest())
	return b.String()
}

// Joiner is Join, sentence by sentence.
type Joiner struct {
	pieces []Piece
	at     int // the next piece
	space  bool
}

// NewJoiner begins to join the translations of the sentences of pieces.
func NewJoiner(pieces []Piece, from, to string) *Joiner {
	return &Joiner{pieces: pieces, space: writtenWithoutSpaces(from) && !writtenWithoutSpaces(to)}
}

// Next returns the translation of the next sentence with what stands before it. It panics where there is none.
func (j *Joiner) Next(translated string) string {
	before := j.verbatim()
	if j.at == len(j.pieces) {
		panic("text: more translations than sentences")
	}
	if j.space && j.at > 0 && j.pieces[j.at-1].Kind == Sentence {
		before += " "
	}
	j.at++
	return before + translated
}

// Rest returns what stands after the last sentence. It panics where a sentence is left.
func (j *Joiner) Rest() string {
	rest := j.verbatim()
	if j.at < len(j.pieces) {
		panic("text: fewer translations than sentences")
	}
	return rest
}

// verbatim returns what stands before the next sentence.
func (j *Joiner) verbatim() string {
	var b strings.Builder
	for ; j.at < len(j.pieces) && j.pieces[j.at].Kind == Verbatim; j.at++ {
		b.WriteString(j.pieces[j.at].Text)
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
