package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dragoman/inference/quality/corpus"
	"dragoman/inference/text/casing"
)

// variants are what is done to a test set, source and reference alike.
var variants = map[string]func(corpus.Pair) corpus.Pair{
	"plain": func(p corpus.Pair) corpus.Pair { return p },
	"capitals": func(p corpus.Pair) corpus.Pair {
		return each(p, func(source, reference string) (string, string, bool) {
			return casing.Restore(source, casing.Upper, p.From, none), casing.Restore(reference, casing.Upper, p.To, none), true
		})
	},
	// Only English has Title Case: what is translated from it keeps none.
	"title": func(p corpus.Pair) corpus.Pair {
		return each(p, func(source, reference string) (string, string, bool) {
			source = casing.Restore(strings.TrimRight(source, "."), casing.Title, p.From, none)
			reference = casing.Restore(strings.TrimRight(reference, "."), casing.Title, p.To, none)
			return source, reference, casing.Of(source, p.From, none) == casing.Title
		})
	},
	// Hard-wrapped, where that makes three lines or more.
	"wrapped": func(p corpus.Pair) corpus.Pair {
		return each(p, func(source, reference string) (string, string, bool) {
			lines := wrap(source, 60)
			return strings.Join(lines, "\n"), reference, len(lines) > 2
		})
	},
	// A placeholder in the place of a name that both have.
	"spans": func(p corpus.Pair) corpus.Pair {
		return each(p, func(source, reference string) (string, string, bool) {
			words := strings.Fields(source)
			for _, w := range words[min(1, len(words)):] {
				name := strings.TrimFunc(w, func(c rune) bool { return !unicode.IsLetter(c) })
				if len(name) > 2 && unicode.IsUpper([]rune(name)[0]) && strings.Count(source, name) == 1 && strings.Count(reference, name) == 1 {
					return strings.Replace(source, name, mark, 1), strings.Replace(reference, name, mark, 1), true
				}
			}
			return "", "", false
		})
	},
}

// wrap breaks a sentence before the word that does not fit.
func wrap(s string, width int) (lines []string) {
	line := ""
	for _, w := range strings.Fields(s) {
		if line != "" && utf8.RuneCountInString(line+" "+w) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+w, " ")
	}
	return append(lines, line)
}

// mark is the placeholder of the variant spans.
const mark = "{name}"

func none(string) bool { return false }

func each(p corpus.Pair, change func(source, reference string) (string, string, bool)) corpus.Pair {
	changed := corpus.Pair{From: p.From, To: p.To, Set: p.Set}
	for i := range p.Source {
		if source, reference, ok := change(p.Source[i], p.Reference[i]); ok {
			changed.Source, changed.Reference = append(changed.Source, source), append(changed.Reference, reference)
		}
	}
	return changed
}
