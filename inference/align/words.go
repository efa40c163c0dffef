package align

import (
	"sort"
	"unicode/utf8"

	"dragoman/inference/text/span"
)

// Span is bytes of a text.
type Span struct{ Start, End int }

// Text is one side of a pair: its tokens and words.
type Text struct {
	Words []Span
	of    []int // by token the word that it is of, -1 for none: marks, and what is no text
}

// NewText takes a text of which each token begins at a byte of from, the end of the text
// behind the last. Tokens may begin with the space before them. In scripts without
// spaces each token with a letter is a word, in others words are runs of letters,
// digits and marks.
func NewText(text string, from []int32) *Text {
	t := &Text{}
	var whole []Span
	for start, end := range span.Words(text) {
		whole = append(whole, Span{start, end})
	}
	last := -1 // of whole that the words so far reach into
	for k := range len(from) - 1 {
		start, end := int(from[k]), int(from[k+1])
		at := sort.Search(len(whole), func(i int) bool { return whole[i].End > start })
		if at == len(whole) || whole[at].Start >= end {
			t.of = append(t.of, -1)
			continue
		}
		first := max(start, whole[at].Start)
		if r, _ := utf8.DecodeRuneInString(text[first:]); span.Unspaced(r) {
			t.Words = append(t.Words, Span{first, min(end, whole[at].End)})
		} else if at != last {
			t.Words = append(t.Words, whole[at])
		}
		last = at
		t.of = append(t.of, len(t.Words)-1)
	}
	return t
}
