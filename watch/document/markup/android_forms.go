package markup

import (
	"strings"

	"dragoman/watch/document/quantity"
	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// startForm looks at an element that may be a form of a text for numbers of things (plurals), as Android has it.
func (r *reader) startForm(t xmltext.Token, path []string) {
	if !r.xml.android || len(path) < 2 || path[1] != "plurals" {
		return
	}
	if len(path) == 2 {
		r.forms = append(r.forms, &quantity.Text{})
	}
	if len(path) != 3 || path[2] != "item" {
		return
	}
	text := r.forms[len(r.forms)-1]
	for a := range xmltext.Each(r.source, t.Start, t.End) {
		if a.Name != "quantity" {
			continue
		}
		text.Has = append(text.Has, a.Value)
		if a.Value == "other" && !t.Empty {
			before := len(strings.TrimRight(r.source[:t.Start], space))
			text.Other, text.Name, text.Between = segment.Span{Start: t.Start}, segment.Span{Start: a.Start, End: a.End}, r.source[before:t.Start]
		}
	}
}

// endForm notes where the form "other" ends.
func (r *reader) endForm(t xmltext.Token, path []string) {
	if len(path) != 3 || len(r.forms) == 0 {
		return
	}
	if text := r.forms[len(r.forms)-1]; text.Name.End > 0 && text.Other.End == 0 {
		text.Other.End = t.End
	}
}
