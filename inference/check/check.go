// Package check tells translations that went wrong from good ones, by what can
// be seen without knowing what they mean: loops, lengths, numbers, scripts.
//
// Its bounds were measured on human translations, so that good ones are not
// doubted; docs/quality.md has the rates. It knows no model and must not import
// anything of ours but inference/language and inference/text.
package check

import (
	"strings"
	"unicode"

	"dragoman/inference/language"
)

// Kind is what is wrong with a translation, as programs read it.
type Kind string

const (
	Repetition   Kind = "repetition"   // words that loop
	Length       Kind = "length"       // much shorter or longer than texts become in the language
	Script       Kind = "script"       // letters of another script
	Language     Kind = "language"     // another language
	Untranslated Kind = "untranslated" // the source once more
	Dropped      Kind = "dropped"      // fewer sentences
	Numbers      Kind = "numbers"      // other numbers than the source's
	Token        Kind = "token"        // signs of the model's own
)

// Explain says for people what a doubt means.
func (k Kind) Explain() string {
	switch k {
	case Repetition:
		return "words repeat"
	case Length:
		return "its length does not fit the source"
	case Script:
		return "it is in letters of another language"
	case Language:
		return "it seems to be in another language"
	case Untranslated:
		return "it is still the source"
	case Dropped:
		return "a sentence seems to be missing"
	case Numbers:
		return "its numbers differ from the source's"
	case Token:
		return "it holds signs of the model's own"
	}
	return string(k)
}

// Sentence returns what is doubtful about a translation of a sentence or a few.
// Languages are codes of the M2M-100 models.
func Sentence(source, target, from, to string) (doubts []Kind) {
	for _, c := range []struct {
		kind  Kind
		wrong bool
	}{
		{Token, hasToken(source, target)},
		{Repetition, repeats(source, target)},
		{Length, lengthDiffers(source, target, from, to)},
		{Numbers, numbersDiffer(source, target)},
		{Untranslated, untranslated(source, target, from, to)},
		{Script, otherScript(source, target, to)},
		{Dropped, dropped(source, target, from, to)},
	} {
		if c.wrong {
			doubts = append(doubts, c.kind)
		}
	}
	if len(doubts) == 0 && otherLanguage(source, target, from, to) {
		doubts = append(doubts, Language)
	}
	return doubts
}

// hasToken looks for signs of the vocabulary, which are no text.
func hasToken(source, target string) bool {
	for _, sign := range []string{"▁", "<unk>", "</s>", "<s>", "<pad>", "\ufffd", "madeupword"} {
		if strings.Contains(target, sign) && !strings.Contains(source, sign) {
			return true
		}
	}
	for at := 0; ; {
		i := strings.Index(target[at:], "__")
		if i < 0 {
			return false
		}
		at += i + 2
		code, _, closed := strings.Cut(target[at:min(len(target), at+6)], "__")
		if english, _ := language.Names(code); closed && english != "" && !strings.Contains(source, "__"+code+"__") {
			return true
		}
	}
}

// words are the runs of letters, marks and digits in lower case.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsNumber(c) && !unicode.Is(unicode.M, c)
	})
}
