package check

import (
	"strings"
	"unicode"

	"dragoman/inference/text"
)

// relative is how many characters a text has in a language where it has 100 in
// English. Those of the starter's languages are from pud (docs/quality.md);
// those of scripts with other numbers of letters are rounded from the
// Universal Declaration of Human Rights.
var relative = map[string]float64{
	"en": 100, "de": 116, "es": 113, "fr": 119, "it": 113, "pt": 109,
	"zh": 32, "ja": 45, "ko": 52, "th": 95, "lo": 95, "km": 110, "my": 115, "he": 80, "ar": 85, "fa": 95, "ur": 100, "yi": 100,
	"am": 70, "ta": 120, "ml": 120, "el": 118,
}

const (
	// A translation may be so many times longer or shorter than expected, and
	// some characters besides: short texts vary most.
	tooLong, longMargin   = 2.0, 16
	tooShort, shortMargin = 0.5, 12
)

// expected is how many characters a translation should have about.
func expected(source, from, to string) float64 {
	of := func(code string) float64 {
		if r, ok := relative[code]; ok {
			return r
		}
		return 108
	}
	return float64(runes(source)) * of(to) / of(from)
}

func runes(s string) (n int) {
	for _, c := range s {
		if !unicode.Is(unicode.M, c) {
			n++
		}
	}
	return n
}

func lengthDiffers(source, target, from, to string) bool {
	n, e := float64(runes(target)), expected(source, from, to)
	return n > tooLong*e+longMargin || n < tooShort*e-shortMargin*relative["en"]/100 || strings.TrimSpace(target) == "" && strings.TrimSpace(source) != ""
}

// dropped says whether the translation has fewer sentences and is short.
func dropped(source, target, from, to string) bool {
	s, t := sentences(source, from), sentences(target, to)
	return s > 1 && t < s && float64(runes(target)) < 0.75*float64(runes(source))
}

// sentences counts them.
func sentences(s, lang string) (n int) {
	for _, p := range text.SplitLines(s, lang) {
		if p.Kind == text.Sentence {
			n++
		}
	}
	return n
}
