// Package tokenizer turns text into the token numbers of an M2M-100 checkpoint
// and back: the checkpoint's SentencePiece model, its vocab.json, its language
// tokens and its made-up words, by the rules of transformers' M2M100Tokenizer.
//
// It owns the numbering of tokens and nothing of the model behind it: it
// imports inference/sentencepiece and no other package of dragoman.
package tokenizer

import (
	"slices"
	"strings"
	"unicode"

	"dragoman/inference/sentencepiece"
)

// Tokenizer is the tokenizer of one checkpoint. It does not change after
// loading and may be used by several goroutines at the same time.
//
// Numbers are laid out as in every M2M-100 checkpoint: the entries of
// vocab.json, then the language tokens, then made-up words, which mean nothing
// and fill the embedding up to Size.
type Tokenizer struct {
	pieces *sentencepiece.Model
	vocab  *vocabulary
	// ofPiece maps a piece number of the SentencePiece model to a token.
	ofPiece []int32
	// ofText maps the vocabulary's entries that are no piece to their token.
	// They are met where a run of unknown text is exactly such an entry.
	ofText map[string]int32

	bos, pad, eos, unknown int32

	languages     map[string]int32 // those the model translates
	languageNames []string         // the same, sorted
	size          int

	targetFirst bool // the encoder is told the target language, and nobody the source's
}

// Encode gives the tokens of text, at most 128 MiB, in language lang as the
// encoder takes them: `[lang] X </s>`. They are not cut to what the model can
// take, and a language token or `</s>` written out in text is text. An unknown
// language is an ErrUnknownLanguage.
//
// SourceLanguage says which of a text's two languages lang has to be.
func (t *Tokenizer) Encode(lang, text string) ([]int32, error) {
	first, ok := t.languages[lang]
	if !ok {
		return nil, UnknownLanguage(lang, t.languageNames)
	}
	return t.framed(first, t.pieces.Tokenize(text)), nil
}

// EncodeFrom is Encode that also says where in text each token begins, its space
// counted: that of the language 0, </s> the end.
func (t *Tokenizer) EncodeFrom(lang, text string) (ids, from []int32, err error) {
	first, ok := t.languages[lang]
	if !ok {
		return nil, nil, UnknownLanguage(lang, t.languageNames)
	}
	tokens, from := t.pieces.TokenizeFrom(text)
	return t.framed(first, tokens), append([]int32{0}, from...), nil
}

// framed are the ids of tokens between a first one and </s>.
func (t *Tokenizer) framed(first int32, tokens []sentencepiece.Token) []int32 {
	ids := make([]int32, 0, len(tokens)+2)
	ids = append(ids, first)
	for _, token := range tokens {
		ids = append(ids, t.id(token))
	}
	return append(ids, t.eos)
}

// SourceLanguage is the language whose token the encoder takes before a text in
// language from that is to be translated into language to: from itself, or in
// SMaLL-100, which is told no source language, to.
func (t *Tokenizer) SourceLanguage(from, to string) string {
	if t.targetFirst {
		return to
	}
	return from
}

// NoLanguage is the token of a decoder's language where it takes none.
const NoLanguage int32 = -1

// DecoderLanguage is the token that the decoder begins a text in language lang
// with, or NoLanguage in SMaLL-100. The model must translate lang.
func (t *Tokenizer) DecoderLanguage(lang string) (int32, bool) {
	id, ok := t.languages[lang]
	if ok && t.targetFirst {
		return NoLanguage, true
	}
	return id, ok
}

// id maps by the piece's text, never by its number: the two files number
// differently, and 390 pieces of the 418M model are not in its vocab.json.
func (t *Tokenizer) id(token sentencepiece.Token) int32 {
	if token.ID == t.pieces.Unknown() {
		if id, ok := t.ofText[token.Text]; ok {
			return id
		}
		return t.unknown
	}
	return t.ofPiece[token.ID]
}

// Decode gives the text of ids. What IsSpecial says true of is left out; white
// space at both ends is taken away, as transformers does.
func (t *Tokenizer) Decode(ids []int32) string {
	pieces := make([]string, 0, len(ids))
	for _, id := range ids {
		if !t.IsSpecial(id) {
			pieces = append(pieces, t.vocab.entry(id))
		}
	}
	return strings.TrimFunc(t.pieces.Decode(pieces), isSpace)
}

// isSpace is Python's str.isspace for one character, which also counts the
// four information separators.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F }

// Languages are the codes of the languages the model translates, sorted.
func (t *Tokenizer) Languages() []string { return slices.Clone(t.languageNames) }

// LanguageID is the token of a language the model translates.
func (t *Tokenizer) LanguageID(lang string) (int32, bool) {
	id, ok := t.languages[lang]
	return id, ok
}

// IsSpecial reports whether id stands for no text: `<s>`, `<pad>`, `</s>`,
// `<unk>`, a language token, a made-up word, or a number outside [0, Size).
func (t *Tokenizer) IsSpecial(id int32) bool {
	return id < 0 || int(id) >= t.vocab.size() || id == t.bos || id == t.pad || id == t.eos || id == t.unknown
}

// Forbidden are the tokens that a translation never holds, in ascending order:
// all language tokens (the decoder's first token, which is one, is forced, not
// chosen) and all made-up words. BOS, Pad and Unknown are not among them.
func (t *Tokenizer) Forbidden() []int32 {
	ids := make([]int32, 0, t.size-t.vocab.size())
	for id := t.vocab.size(); id < t.size; id++ {
		ids = append(ids, int32(id))
	}
	return ids
}

// BOS is the token `<s>`, which M2M-100 does not use.
func (t *Tokenizer) BOS() int32 { return t.bos }

// Pad is the token `<pad>`.
func (t *Tokenizer) Pad() int32 { return t.pad }

// EOS is the token `</s>`, which ends a text and starts the decoder.
func (t *Tokenizer) EOS() int32 { return t.eos }

// Unknown is the token `<unk>`.
func (t *Tokenizer) Unknown() int32 { return t.unknown }

// Size is the number of tokens, made-up words included: the rows of the
// embedding.
func (t *Tokenizer) Size() int { return t.size }
