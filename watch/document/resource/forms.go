package resource

import (
	"strings"

	"dragoman/watch/document/quantity"
	"dragoman/watch/document/segment"
)

// members are those of an object of JSON that may be forms of one text for numbers of things: all of them, as Rails has it
// ({"one": …, "other": …}), or those with the same beginning of their keys, as i18next has it ("files_one", "files_other").
type members struct {
	byStem map[string]*quantity.Text
	stems  []string
	others bool // there are members that are no forms
}

// add looks at a member whose value ends at a place.
func (m *members) add(source, key string, at segment.Span, end int, text bool) {
	form := key[strings.LastIndexByte(key, '_')+1:]
	stem := strings.TrimSuffix(key[:len(key)-len(form)], "_")
	if !quantity.IsForm(form) || !text || key != source[at.Start+1:at.End-1] || stem == "" && form != key {
		m.others = true
		return
	}
	m.others = m.others || stem != ""
	t := m.byStem[stem]
	if t == nil {
		if m.byStem == nil {
			m.byStem = map[string]*quantity.Text{}
		}
		t = &quantity.Text{Ordinal: strings.HasSuffix(stem, "_ordinal")}
		m.byStem[stem] = t
		m.stems = append(m.stems, stem)
	}
	t.Has = append(t.Has, form)
	if form == "other" {
		before := at.Start - len(source[:at.Start]) + len(strings.TrimRight(source[:at.Start], " \t\r\n"))
		t.Other = segment.Span{Start: at.Start, End: end}
		t.Name = segment.Span{Start: at.End - 1 - len(form), End: at.End - 1}
		t.Between = "," + source[before:at.Start]
	}
}

// texts are those that have more forms than one, and the one that all languages have.
func (m *members) texts() (all []*quantity.Text) {
	for _, stem := range m.stems {
		if t := m.byStem[stem]; len(t.Has) > 1 && t.Other.End > 0 && (stem != "" || !m.others) {
			all = append(all, t)
		}
	}
	return all
}
