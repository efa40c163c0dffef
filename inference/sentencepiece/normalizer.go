package sentencepiece

import (
	"strings"
	"unicode/utf8"
)

// spaceMark is U+2581, which stands for a space inside pieces.
const spaceMark = "\u2581"

// normalizer turns text into the form that pieces are cut from, by the rules
// of SentencePiece's normalizer.cc.
type normalizer struct {
	chars       charsMap
	symbols     symbolMatcher
	dummyPrefix bool
	removeExtra bool
	space       string // what a space becomes
}

func newNormalizer(spec normalizerSpec, symbols symbolMatcher) (normalizer, error) {
	chars, err := newCharsMap(spec.charsmap)
	if err != nil {
		return normalizer{}, err
	}
	n := normalizer{chars: chars, symbols: symbols, dummyPrefix: spec.dummyPrefix, removeExtra: spec.removeExtra, space: " "}
	if spec.escape {
		n.space = spaceMark
	}
	return n, nil
}

func (n *normalizer) normalize(text string) string { return n.normalizeFrom(text, nil) }

// normalizeFrom is normalize that also says, where from is not nil, for each byte of
// the result where in text the characters begin that it was made of.
func (n *normalizer) normalizeFrom(text string, from *[]int32) string {
	at := int32(0) // of what is left of text
	if n.removeExtra {
		for text != "" {
			replacement, size := n.first(text)
			if replacement != " " {
				break
			}
			text = text[size:]
			at += int32(size)
		}
	}
	if text == "" {
		return ""
	}
	var out strings.Builder
	out.Grow(len(text) + len(text)/2 + len(n.space))
	came := func() { // from the characters that text began with
		for from != nil && len(*from) < out.Len() {
			*from = append(*from, at)
		}
	}
	if n.dummyPrefix {
		out.WriteString(n.space)
		came()
	}
	afterSpace := n.removeExtra
	for text != "" {
		replacement, size := n.first(text)
		if afterSpace {
			replacement = strings.TrimLeft(replacement, " ")
		}
		if replacement != "" {
			n.write(&out, replacement)
			afterSpace = n.removeExtra && strings.HasSuffix(replacement, " ")
			came()
		}
		text = text[size:]
		at += int32(size)
	}
	normalized := out.String()
	if n.removeExtra {
		for strings.HasSuffix(normalized, n.space) {
			normalized = normalized[:len(normalized)-len(n.space)]
		}
	}
	return normalized
}

// first normalises the beginning of text, which must not be empty: the
// longest user-defined symbol, else the longest rule of the character map, else
// one character. A byte that is not UTF-8 becomes U+FFFD.
func (n *normalizer) first(text string) (replacement string, size int) {
	if size := n.symbols.match(text); size > 0 {
		return text[:size], size
	}
	if replacement, size := n.chars.longest(text); size > 0 {
		return replacement, size
	}
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && size == 1 {
		return string(utf8.RuneError), 1
	}
	return text[:size], size
}

func (n *normalizer) write(out *strings.Builder, s string) {
	for {
		before, after, found := strings.Cut(s, " ")
		out.WriteString(before)
		if !found {
			return
		}
		out.WriteString(n.space)
		s = after
	}
}
