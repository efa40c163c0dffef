package inference

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"dragoman/inference/text/protect"
	"dragoman/inference/text/span"
)

// withoutStop takes away a full stop that a text without one was given, as
// models do with what looks like no sentence.
func withoutStop(sentence, out string) string {
	last, _ := utf8.DecodeLastRuneInString(sentence)
	bare, stopped := strings.CutSuffix(out, ".")
	if !stopped || !isWordLetter(last) || bare == "" || strings.HasSuffix(bare, ".") || strings.Contains(lastWord(bare), ".") {
		return out
	}
	return bare
}

// withMark gives a text back the comma, colon or semicolon at its end, as a salutation
// has, for which models write a stop or nothing.
func withMark(sentence, out string) string {
	mark := sentence[max(0, len(sentence)-1):]
	if mark == "" || !strings.Contains(",:;", mark) || len(sentence) > 1 && !isWordLetter(lastRune(sentence[:len(sentence)-1])) {
		return out
	}
	bare := strings.TrimSuffix(out, ".")
	if c := lastRune(bare); !isWordLetter(c) || span.Unspaced(c) {
		return out
	}
	return bare + mark
}

// withCapital begins a text with a capital as its source does, where the model has a
// small letter: "öffnen Sie". What is kept has its own case, and a single word may be
// a noun of German or a name, from the middle of a sentence.
func withCapital(sentence, out string, spans []protect.Span) string {
	first, _ := utf8.DecodeRuneInString(sentence)
	begins, size := utf8.DecodeRuneInString(out)
	if !unicode.IsUpper(first) || !unicode.IsLower(begins) || !strings.Contains(sentence, " ") {
		return out
	}
	for _, s := range spans {
		if kept := cmp.Or(s.Into, sentence[s.Start:s.End]); kept != "" && strings.HasPrefix(out, kept) {
			return out
		}
	}
	return string(unicode.ToTitle(begins)) + out[size:]
}

func lastRune(s string) rune {
	c, _ := utf8.DecodeLastRuneInString(s)
	return c
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }
