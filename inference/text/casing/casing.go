// Package casing takes headings in capitals or Title Case back to the plain form
// that models know best, and gives a translation the case of its source.
//
// It must not import anything of ours but span.
package casing

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"dragoman/inference/text/span"
)

// Form is how a text uses capitals.
type Form int

const (
	Plain Form = iota // as sentences do, or without any
	Upper             // ALL CAPITALS
	Title             // Each Longer Word with a Capital
)

const (
	// Shorter words in Title Case may be small.
	longWord = 4
	// A text in capitals has so many letters; shorter ones may be abbreviations.
	fewUpper = 5
	// A text in Title Case has so many long words; fewer may be a name.
	fewTitle = 3
)

// Of tells the form of a text in a language. Words that keep says true of do not
// count. German has no Title Case: its nouns have capitals anyway.
func Of(text, lang string, keep func(word string) bool) Form {
	upper, lower, long, titled := 0, 0, 0, 0
	for _, w := range words(text) {
		word := text[w.start:w.end]
		if keep(word) {
			continue
		}
		small := 0
		for _, c := range word {
			switch {
			case unicode.IsUpper(c):
				upper++
			case unicode.IsLower(c):
				small++
			}
		}
		lower += small
		if n := utf8.RuneCountInString(word); n >= longWord {
			long++
			first, size := utf8.DecodeRuneInString(word)
			if unicode.IsUpper(first) && word[size:] == strings.ToLower(word[size:]) && small > 0 {
				titled++
			}
		}
	}
	switch {
	case lower == 0 && upper >= fewUpper:
		return Upper
	case long >= fewTitle && titled == long && lang != "de" && !strings.ContainsAny(text[max(0, len(text)-1):], ".!?"):
		return Title
	}
	return Plain
}

// Lower writes a text of another form as a sentence would be: a capital first, and
// one for words that name says true of, as for Monday and German nouns; the rest
// small. The English pronoun keeps its capital.
func Lower(text, lang string, keep, name func(word string) bool) string {
	lowerer, upperer := cases.Lower(tag(lang)), cases.Upper(tag(lang))
	first := true
	return each(text, func(word string) string {
		if keep(word) || lang == "en" && word == "I" {
			first = false
			return word
		}
		small := lowerer.String(word)
		if first || name(small) {
			first = false
			small = capital(small, upperer)
		}
		return small
	})
}

// Restore gives a text the form. A text that has no capitals stays as it is. Of the languages that
// are translated into only English writes headings in Title Case: elsewhere it is a mistake of spelling.
func Restore(text string, form Form, lang string, keep func(word string) bool) string {
	if form == Plain || form == Title && lang != "en" {
		return text
	}
	upperer := cases.Upper(tag(lang))
	return each(text, func(word string) string {
		switch {
		case keep(word):
			return word
		case form == Upper:
			return upperer.String(word)
		case utf8.RuneCountInString(word) >= longWord:
			return capital(word, upperer)
		}
		return word
	})
}

func capital(word string, upperer cases.Caser) string {
	_, size := utf8.DecodeRuneInString(word)
	return upperer.String(word[:size]) + word[size:]
}

func tag(lang string) language.Tag {
	t, err := language.Parse(lang)
	if err != nil {
		return language.Und
	}
	return t
}

type place struct{ start, end int }

// words are their places.
func words(text string) (places []place) {
	for start, end := range span.Words(text) {
		places = append(places, place{start, end})
	}
	return places
}

// each replaces every word.
func each(text string, replace func(string) string) string {
	var b strings.Builder
	at := 0
	for _, w := range words(text) {
		b.WriteString(text[at:w.start])
		b.WriteString(replace(text[w.start:w.end]))
		at = w.end
	}
	b.WriteString(text[at:])
	return b.String()
}
