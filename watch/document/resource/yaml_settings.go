package resource

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"dragoman/watch/document/segment"
)

// settings tells files of texts, all of whose values are for people but a few, from those of settings
// (services of Docker, workflows, charts, descriptions of interfaces): what programs know by a single word is
// most of these, and looks like a word for people.
type settings struct {
	technical int // values that no person reads: numbers, names of files, commands
	words     int // single words in lower case, which may be either
	texts     int
	doubtful  map[*segment.Segment]bool // what is only translated in a file of texts
}

var (
	// named are keys whose single words are for people, in settings too, where they begin with a capital.
	named = regexp.MustCompile(`(?i)(title|label|summary|description|caption|heading|placeholder|tooltip|help|text|message|note|hint|display_?name)$`)
	// logical are keys of what programs compute with, also where it has several words.
	logical = regexp.MustCompile(`(?i)^(if|when|unless|.*condition|expr|.*matchers?|pattern|regex|operationid)$`)
	// plainWord is one with the punctuation around it.
	plainWord = regexp.MustCompile(`^["'“‘«(¿¡]*\p{L}[\p{L}'’-]*["'”’»),.;:!?…]*$`)
	capital   = regexp.MustCompile(`^\p{Lu}\p{L}*$`)
)

// add counts a value that may be for people.
func (t *settings) add(key string, s *segment.Segment) {
	text := s.Source()
	switch {
	case severalWords(text):
		t.texts++
		if !prose(text) || logical.MatchString(key) {
			t.doubtful[s] = true
		}
		return
	case capital.MatchString(text):
		t.texts++
	default:
		t.words++
	}
	if !named.MatchString(key) || !capital.MatchString(text) {
		t.doubtful[s] = true
	}
}

// prose says whether a text of several words has enough of them without signs of programs.
func prose(text string) bool {
	words, plain := 0, 0
	for word := range strings.FieldsSeq(text) {
		words++
		if plainWord.MatchString(word) {
			plain++
		}
	}
	return plain > 1 && 2*plain >= words || strings.ContainsFunc(text, segment.Unspaced)
}

// are says whether the file is one of settings.
func (t *settings) are() bool {
	return t.technical >= 3 && t.technical+t.words > t.texts || t.technical > 0 && t.texts == 0
}

// ofLanguages says whether all keys at the outermost are languages.
func (r *yamlReader) ofLanguages() bool {
	return len(r.roots) > 0 && !slices.ContainsFunc(r.roots, func(at segment.Span) bool {
		key, _ := yamlKeyOf(r.source[at.Start:at.End])
		return !isLocale(key)
	})
}

// isLocale says whether a key names a language.
func isLocale(key string) bool {
	base, _, _ := strings.Cut(strings.ReplaceAll(key, "_", "-"), "-")
	_, err := language.ParseBase(base)
	return err == nil && localeKey.MatchString(key)
}
