package resource

import (
	"slices"
	"strings"

	"dragoman/watch/document/quantity"
	"dragoman/watch/document/segment"
)

// mapping is a mapping of YAML whose keys may be forms of one text for numbers of things, as Rails has it.
type mapping struct {
	text   quantity.Text
	others bool // it has keys that are no forms
}

func (m *mapping) add(key string) {
	switch {
	case m == nil:
	case quantity.IsForm(key) && !slices.Contains(m.text.Has, key):
		m.text.Has = append(m.text.Has, key)
	default:
		m.others = true
	}
}

// other notes where the form "other" is.
func (r *yamlReader) other(k yamlKey, s yamlScalar) {
	at := strings.Index(r.source[k.at:s.start], k.key)
	if at < 0 || at > 1 || strings.ContainsAny(r.source[k.at:s.start], "&!#") { // what has a name has it once
		return
	}
	t := &k.in.text
	t.Other, t.Name = segment.Span{Start: k.at, End: s.end}, segment.Span{Start: k.at + at, End: k.at + at + len(k.key)}
	t.Between = ", "
	if !s.flow {
		t.Between = "\n" + strings.Repeat(" ", k.at-strings.LastIndexByte(r.source[:k.at], '\n')-1)
		if strings.Contains(r.source, "\r\n") {
			t.Between = "\r" + t.Between
		}
	}
	r.forms = append(r.forms, k.in)
}

// missingForms adds the forms that only the target language has.
func (r *yamlReader) missingForms(p *segment.Part, o segment.Options) []segment.Edit {
	if o.To == "" {
		return nil
	}
	var texts []*quantity.Text
	for _, m := range r.forms {
		if !m.others && len(m.text.Has) > 1 {
			texts = append(texts, &m.text)
		}
	}
	return quantity.Add(p, texts, o.To)
}
