package protect

import (
	"strings"

	"dragoman/inference/text/span"
)

// fewSpans is how many different spans are looked for everywhere in a text, which
// takes a pass for each. More of them are only compared as they are found.
const fewSpans = 64

// faithful says whether a translation has all spans exactly as often as the
// sentence, and nothing strict besides.
func (p *sentence) faithful(out string) bool {
	kept := map[string]bool{}
	for _, s := range p.all {
		if s.Into == "" {
			kept[p.whole[s.Start:s.End]] = true
		} else if !strings.Contains(out, s.Into) && !strings.Contains(out, capital(s.Into)) {
			return false
		}
	}
	if len(kept) > fewSpans {
		return sameSpans(p.whole, out)
	}
	for s := range kept {
		if strings.Count(out, s) != strings.Count(p.whole, s) {
			return false
		}
	}
	return !inventive(p.whole, out)
}

// Faithful says whether a translation, however it was made, has all spans of its
// sentence exactly as often, and nothing strict besides.
func Faithful(sentence string, spans []Span, out string) bool {
	return newSentence(sentence, spans).faithful(out)
}

// inventive says whether out has something strict more often than source.
func inventive(source, out string) bool {
	found := strict(out)
	if len(found) > fewSpans {
		return !sameSpans(source, out)
	}
	for s := range found {
		if strings.Count(out, s) > strings.Count(source, s) {
			return true
		}
	}
	return false
}

// sameSpans compares what is found in two texts.
func sameSpans(source, out string) bool {
	a, b := strict(source), strict(out)
	if len(a) != len(b) {
		return false
	}
	for s, n := range a {
		if b[s] != n {
			return false
		}
	}
	return true
}

// strict counts the strict spans of a text.
func strict(s string) map[string]int {
	found := map[string]int{}
	for _, f := range span.Find(s) {
		if f.Kind.Strict() {
			found[s[f.Start:f.End]]++
		}
	}
	return found
}
