package resource

import (
	"slices"
	"strings"

	"dragoman/watch/document/quantity"
	"dragoman/watch/document/segment"
)

// catalogue is a string catalogue of Xcode: each text in all its languages.
type catalogue struct {
	jsonReader
	layout  layout
	entries []*entry
}

// entry is a text with its forms in the source language.
type entry struct {
	value, localizations, source *node
	leaves                       map[*node]*segment.Segment // by the values of the source
	own                          *segment.Segment           // of the key, where the source language has nothing
}

// ReadXCStrings takes a string catalogue of Xcode 15 or later apart. What a text does
// not have in the target language is added, marked as to be reviewed, with as many forms
// of plurals as that language has; all that is there stays.
func ReadXCStrings(body string) (*segment.Part, error) {
	if err := validJSON(body); err != nil {
		return nil, err
	}
	root := tree(body)
	texts := root.get("strings")
	if texts == nil || !texts.object {
		return nil, &segment.FormatError{Format: "string catalogue", Line: 1, Reason: `it has no "strings"`, Hint: "check that it is an .xcstrings file of Xcode"}
	}
	c := &catalogue{jsonReader: jsonReader{reader: reader{source: body}}, layout: layoutOf(body)}
	from := root.get("sourceLanguage").word()
	last := map[string]*node{} // of several with the same key
	for _, m := range texts.members {
		last[m.key] = m.value
	}
	for _, m := range texts.members {
		if m.value.object && last[m.key] == m.value {
			c.entry(m, from)
		}
	}
	p := c.part()
	p.Localise, p.Into = c.localise, c.into
	return p, nil
}

func (c *catalogue) entry(m member, from string) {
	e := &entry{value: m.value, localizations: m.value.get("localizations"), leaves: map[*node]*segment.Segment{}}
	if e.localizations != nil && !e.localizations.object {
		return
	}
	keep := ""
	if should := m.value.get("shouldTranslate"); should != nil && c.source[should.start:should.end] == "false" {
		keep = "it is marked as not to be translated"
	} else if m.value.get("extractionState").word() == "stale" {
		keep = "it is not used any more"
	}
	if e.source = e.localizations.get(from); e.source != nil {
		c.forms(e, m.key, e.source, keep)
	}
	if len(e.leaves) == 0 {
		e.source = nil
		if forPeople(m.key) { // a key that is a name in a program has its text elsewhere
			e.own = c.message(m.key, m.key, m.keyStart, m.keyEnd, keep)
		}
	}
	c.entries = append(c.entries, e)
}

// maxForms is how deep the forms of a text may be nested; Xcode nests them ten deep.
const maxForms = 20

// forms makes segments of all values below a node.
func (c *catalogue) forms(e *entry, id string, n *node, keep string) {
	if n.depth > e.value.depth+maxForms {
		return
	}
	for _, m := range n.members {
		if m.key == "stringUnit" {
			if value := m.value.get("value"); value != nil && segment.HasWords(value.text) {
				e.leaves[value] = c.message(id, value.text, value.start, value.end, keep)
			}
			continue
		}
		if m.value.object {
			c.forms(e, id+"."+m.key, m.value, keep)
		}
	}
}

func (c *catalogue) message(id, text string, start, end int, keep string) *segment.Segment {
	c.add(id, segment.Message, segment.Slot{Text: text, Start: start, End: end, Escape: c.quote}, keep)
	s := c.segments[len(c.segments)-1]
	s.Elsewhere = true
	return s
}

// in is what an entry has in a language, nil where it has nothing.
func (e *entry) in(to string) *node {
	if e.localizations == nil {
		return nil
	}
	for _, m := range e.localizations.members {
		if strings.EqualFold(strings.ReplaceAll(m.key, "_", "-"), to) {
			return e.localizations.get(m.key)
		}
	}
	return nil
}

// done says whether there is a translation, which new ones are not.
func done(n *node) bool {
	if n == nil {
		return false
	}
	if unit := n.get("stringUnit"); unit != nil && unit.get("state").word() != "new" && unit.get("value").word() != "" {
		return true
	}
	for _, m := range n.members {
		if m.key != "stringUnit" && m.value.object && done(m.value) {
			return true
		}
	}
	return false
}

func (e *entry) all() (all []*segment.Segment) {
	for _, s := range e.leaves {
		all = append(all, s)
	}
	if e.own != nil {
		all = append(all, e.own)
	}
	return all
}

const translated = "it has a translation"

func (c *catalogue) into(to string) {
	for _, e := range c.entries {
		for _, s := range e.all() {
			if s.Keep == translated {
				s.Keep = ""
			}
			if s.Keep == "" && done(e.in(to)) {
				s.Keep = translated
			}
		}
	}
}

func (c *catalogue) localise(o segment.Options) []segment.Edit {
	to := o.To
	if to == "" {
		to = "und" // nobody said
	}
	var edits []segment.Edit
	for _, e := range c.entries {
		changed := false
		for _, s := range e.all() {
			changed = changed || s.Changed() && s.Keep == ""
		}
		there := e.in(to)
		if !changed || done(there) {
			continue
		}
		switch {
		case there != nil:
			edits = append(edits, segment.Edit{Start: there.start, End: there.end, Text: c.write(e, to, there.depth)})
		case e.localizations != nil:
			edits = append(edits, c.layout.with(e.localizations, to, c.write(e, to, e.localizations.depth+1)))
		default:
			depth := e.value.depth + 1
			edits = append(edits, c.layout.with(e.value, "localizations", "{"+c.layout.line(depth+1)+`"`+to+`"`+c.layout.colon+c.write(e, to, depth+1)+c.layout.line(depth)+"}"))
		}
	}
	return edits
}

// write is a text in the target language, built like that in the source language.
func (c *catalogue) write(e *entry, to string, depth int) string {
	if e.own != nil {
		return c.object(depth, []string{"stringUnit"}, func(string) string { return c.unit(depth+1, e.own.Target()) })
	}
	return c.copy(e, e.source, to, depth, true)
}

// copy writes a node of the source with the translations in it. The forms of a plural
// are made those of the language, but not of one within another, which could grow without
// end.
func (c *catalogue) copy(e *entry, n *node, to string, depth int, forms bool) string {
	if !n.object || n.depth > e.value.depth+maxForms {
		return c.source[n.start:n.end]
	}
	var keys []string
	for _, m := range n.members {
		keys = append(keys, m.key)
	}
	return c.object(depth, keys, func(key string) string {
		value := n.get(key)
		switch {
		case key == "stringUnit" && value.object:
			text := value.get("value").word()
			if s := e.leaves[value.get("value")]; s != nil && s.Changed() {
				text = s.Target()
			}
			return c.unit(depth+1, text)
		case forms && key == "plural" && value.get("other") != nil:
			return c.object(depth+1, slices.Sorted(slices.Values(quantity.Cardinal(to))), func(category string) string {
				form := value.get(category)
				if form == nil {
					form = value.get("other")
				}
				return c.copy(e, form, to, depth+2, false)
			})
		}
		return c.copy(e, value, to, depth+1, forms)
	})
}

func (c *catalogue) unit(depth int, text string) string {
	return c.object(depth, []string{"state", "value"}, func(key string) string {
		if key == "state" {
			return `"needs_review"`
		}
		return c.quote(text)
	})
}

func (c *catalogue) object(depth int, keys []string, value func(string) string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, key := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(c.layout.line(depth+1) + c.quote(key) + c.layout.colon + value(key))
	}
	b.WriteString(c.layout.line(depth) + "}")
	return b.String()
}
