package tokenizer

import "strings"

// wordStart is what SentencePiece writes in the place of a space.
const wordStart = "▁"

// Begins tells whether a token begins a word: a space stands before it.
func (t *Tokenizer) Begins(id int32) bool {
	return !t.IsSpecial(id) && strings.HasPrefix(t.vocab.entry(id), wordStart)
}
