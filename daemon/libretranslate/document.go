package libretranslate

import "strings"

// document is a text as what is translated and what stays: the segments in
// their order are the whole of it.
type document []*segment

// segment is a piece of a document.
type segment struct {
	raw  string // as it came
	text string // what is translated; "" stays as it is
	out  string // what is put in raw's place
	// escape writes a translation as raw is written; nil is as it is.
	escape func(translation string) string
}

// set takes a translation. One that changes nothing leaves the bytes as they
// were, however they were written.
func (s *segment) set(translation string) {
	switch {
	case translation == s.text:
		s.out = s.raw
	case s.escape == nil:
		s.out = translation
	default:
		s.out = s.escape(translation)
	}
}

func kept(raw string) *segment { return &segment{raw: raw, out: raw} }

// plainDocument is a plain text: all of it is translated, unless it is blank.
func plainDocument(text string) document {
	s := kept(text)
	if strings.TrimSpace(text) != "" {
		s.text = text
	}
	return document{s}
}

// segments are those that are translated.
func (d document) segments() []*segment {
	var segments []*segment
	for _, s := range d {
		if s.text != "" {
			segments = append(segments, s)
		}
	}
	return segments
}

// text is what the language is told by.
func (d document) text() string {
	if len(d) == 1 {
		return d[0].text
	}
	var b strings.Builder
	for _, s := range d {
		if s.text != "" {
			b.WriteString(s.text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func (d document) join() string {
	if len(d) == 1 {
		return d[0].out
	}
	var b strings.Builder
	for _, s := range d {
		b.WriteString(s.out)
	}
	return b.String()
}
