// Package quantity tells how many forms the languages have for numbers of things, as "one file" and "many
// files", and adds to a file that has a text once for each form those that only the target language has.
package quantity

import (
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"dragoman/watch/document/segment"
)

// names are those of Unicode CLDR, in the order of its files.
var names = []struct {
	name string
	form plural.Form
}{{"zero", plural.Zero}, {"one", plural.One}, {"two", plural.Two}, {"few", plural.Few}, {"many", plural.Many}, {"other", plural.Other}}

// IsForm says whether a word names a form.
func IsForm(word string) bool {
	for _, n := range names {
		if n.name == word {
			return true
		}
	}
	return false
}

// Cardinal are the forms that a language has for numbers of things, whole ones and fractions. They
// are not to be changed.
func Cardinal(lang string) []string { return cardinals.of(lang) }

// Ordinal are those for places in an order: 1st, 2nd. They are not to be changed.
func Ordinal(lang string) []string { return ordinals.of(lang) }

// forms are those of languages by some rules, each found out once: trying all numbers takes longer than
// reading a small document.
type forms struct {
	rules *plural.Rules
	known sync.Map
}

var cardinals, ordinals = forms{rules: plural.Cardinal}, forms{rules: plural.Ordinal}

func (f *forms) of(lang string) []string {
	all, ok := f.known.Load(lang)
	if !ok {
		all, _ = f.known.LoadOrStore(lang, tried(f.rules, lang))
	}
	return all.([]string)
}

// tried are the forms that numbers take, of which no table tells which there are.
func tried(rules *plural.Rules, lang string) (all []string) {
	tag := language.Make(lang)
	has := map[plural.Form]bool{plural.Other: true}
	for n := range 201 {
		has[rules.MatchPlural(tag, n, 0, 0, 0, 0)] = true
		if rules == plural.Cardinal {
			has[rules.MatchPlural(tag, n%10, 1, 1, 5, 5)] = true // 1.5
		}
	}
	has[rules.MatchPlural(tag, 1_000_000, 0, 0, 0, 0)] = true
	for _, n := range names {
		if has[n.form] {
			all = append(all, n.name)
		}
	}
	return all
}

// Text is one that a file has once for each form.
type Text struct {
	Has     []string // names of the forms that are there
	Ordinal bool
	Other   segment.Span // the form that all languages have, with its name: what is written once more for another
	Name    segment.Span // its name
	Between string       // stands between two forms
}

// Add has the forms of a language written that are not there: each like the translation of "other", which is right for numbers for
// certain where the form itself is not known. Nothing is added to a text that was not translated. The
// segments are all of the part, in the order of their places.
func Add(p *segment.Part, texts []*Text, to string) (edits []segment.Edit) {
	if len(texts) == 0 {
		return nil
	}
	cardinal, ordinal := Cardinal(to), Ordinal(to)
	for _, t := range texts {
		all := cardinal
		if t.Ordinal {
			all = ordinal
		}
		from, _ := slices.BinarySearchFunc(p.Segments, t.Other.Start, func(s *segment.Segment, at int) int { return s.Slots[0].Start - at })
		within := p.Segments[from:]
		if end := slices.IndexFunc(within, func(s *segment.Segment) bool { return s.Slots[0].Start >= t.Other.End }); end >= 0 {
			within = within[:end]
		}
		if !slices.ContainsFunc(within, (*segment.Segment).Changed) {
			continue
		}
		var b strings.Builder
		for _, form := range all {
			if !slices.Contains(t.Has, form) {
				b.WriteString(segment.Written(p.Source, t.Other, within, segment.Edit{Start: t.Name.Start, End: t.Name.End, Text: form}) + t.Between)
			}
		}
		if b.Len() > 0 {
			edits = append(edits, segment.Edit{Start: t.Other.Start, End: t.Other.Start, Text: b.String()})
		}
	}
	return edits
}
