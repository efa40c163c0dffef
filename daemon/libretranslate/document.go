package libretranslate

import (
	"slices"
	"strings"

	"dragoman/watch/document/markup"
	"dragoman/watch/document/segment"
)

// plainDocument is a plain text: all of it is translated, unless it is blank.
func plainDocument(text string) (*segment.Part, error) {
	p := &segment.Part{Source: text}
	if strings.TrimSpace(text) != "" {
		p.Segments = []*segment.Segment{{Kind: segment.Text, Slots: []segment.Slot{{Text: text, End: len(text)}}}}
	}
	return p, nil
}

// htmlDocument is HTML, whose attributes stay, unlike those of a file.
func htmlDocument(source string) (*segment.Part, error) {
	p, err := markup.ReadHTML(source)
	if err != nil {
		return nil, badRequest("q " + err.Error())
	}
	p.Segments = slices.DeleteFunc(p.Segments, func(s *segment.Segment) bool { return s.Kind == segment.Attribute })
	return p, nil
}

// sample is what the language is told by.
func sample(p *segment.Part) string {
	if len(p.Segments) == 1 {
		return p.Segments[0].Source()
	}
	var b strings.Builder
	for _, s := range p.Segments {
		b.WriteString(s.Source())
		b.WriteByte('\n')
	}
	return b.String()
}
