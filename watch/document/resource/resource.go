// Package resource takes files of texts of programs apart, whose values have keys: JSON
// and ARB, Java's properties, Apple's strings, .NET's resx, YAML; and tables in CSV and
// TSV. Keys, placeholders, comments and the order stay.
package resource

import (
	"regexp"
	"strings"
	"unicode"

	"dragoman/watch/document/segment"
)

// technical are keys whose values are for programs.
var technical = regexp.MustCompile(`(?i)^(\$schema|@.*|_?id|uuid|guid|type|kind|url|uri|href|src|link|path|file|filename|class|classname|icon|image|img|colou?r|version|locale|lang|language|email|code|key|slug|date|time|timestamp|format|encoding|mime|sha\d*|hash|license|repository|main|target|status|round_mode)$`)

// code is a single word that nobody wrote for people: names of programs, of files (a.txt) and of types (ReadOnly).
var code = regexp.MustCompile(`^(\w[\w-]*(\.[\w-]+)+|[A-Z]+[a-z0-9]+([A-Z]+[a-z0-9]*)+|\S*\$[({]\S*|[a-z0-9]*[_/\\:#.0-9@=-][\w/\\:#.@=+-]*|[\w.*-]+/[\w./*-]*|[a-z]+[A-Z]\w*|[A-Z0-9_]{2,}|[A-Za-z][\w.-]*:\w*\d[\w.-]*|true|false|yes|no|null)$`)

// directive is a placeholder of printf or strftime without a name.
var directive = regexp.MustCompile(`%[-^0_#+]?\d*(\.\d+)?[a-zA-Z@%]`)

// forPeople says whether a value may be a text: not one of nothing but placeholders, such as the format of a date.
func forPeople(value string) bool {
	value = strings.TrimSpace(value)
	return segment.HasWords(value) && !code.MatchString(value) &&
		(strings.IndexByte(value, '%') < 0 || segment.HasWords(directive.ReplaceAllString(value, ""))) &&
		(!strings.ContainsAny(value, "{<@") || segment.Chooses(value) || segment.HasWords(segment.InMessages.ReplaceAllString(value, "")))
}

// severalWords says whether a value has more words than one, which no program has for itself. Scripts
// without spaces are written for people, but in names of files.
func severalWords(value string) bool {
	return strings.Contains(value, " ") || strings.ContainsFunc(value, segment.Unspaced) && !strings.ContainsAny(value, `/\.`)
}

// longestID is how many bytes of an id are kept. It is there to be read, and one that held
// all keys of deep or long ones would take as much for every value that is in them.
const longestID = 400

// under is the id of a key in the value that has the id path, "" for the outermost.
func under(path, key string) string {
	if path == "" {
		return shortened("", key)
	}
	return shortened(path, "."+key)
}

// shortened adds to an id what it can hold.
func shortened(path, more string) string {
	const cut = "…"
	switch {
	case len(path)+len(more) <= longestID:
		return path + more
	case strings.HasSuffix(path, cut):
		return path
	}
	return strings.ToValidUTF8(path+more[:longestID-len(path)], "") + cut
}

// reader collects the segments of a file.
type reader struct {
	source   string
	segments []*segment.Segment
	taken    map[string]int
}

func (r *reader) add(id string, kind segment.Kind, slot segment.Slot, keep string) {
	if r.taken == nil {
		r.taken = map[string]int{}
	}
	if r.taken[id]++; r.taken[id] > 1 {
		id += " (" + itoa(r.taken[id]) + ")"
	}
	r.segments = append(r.segments, &segment.Segment{ID: id, Kind: kind, Keep: keep, Protect: segment.InMessages, Slots: []segment.Slot{slot}})
}

func (r *reader) part() *segment.Part { return &segment.Part{Source: r.source, Segments: r.segments} }

// ascii says whether a text has nothing else: then what is written has not either, so
// that whoever reads it in an old encoding reads the same.
func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}
