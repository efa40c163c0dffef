package markup

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"dragoman/watch/document/quantity"
	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// ReadXML takes XML of any kind apart. What its texts are is told by
//
//   - rules of the file itself: its:translate and translate attributes, translatable, and
//     the its:rules of W3C ITS 2.0, with the selectors that rules.go reads,
//   - tables of well-known kinds (DocBook, DITA, TEI, Mallard, feeds, Android), and
//   - for all others the rule that an element with a text of several words, or with words
//     beside other elements, has a text for people. Elements among words are markup.
//
// Attributes are only translated where a rule says so.
func ReadXML(body string) (*segment.Part, error) {
	v, err := survey(body)
	if err != nil {
		return nil, err
	}
	r := newReader(body, true)
	r.xml = v
	path := []string{}
	err = xmltext.Scan(body, func(t xmltext.Token) error {
		switch t.Kind {
		case xmltext.Text:
			r.text(t.Start, t.End)
		case xmltext.CData:
			r.cdata(t)
		case xmltext.Start:
			path = append(path, t.Name)
			r.startXML(t, path)
			r.startForm(t, path)
		case xmltext.End:
			r.end(t.Name)
			r.endForm(t, path)
			path = path[:len(path)-1]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	p := r.part()
	p.Break = ""
	p.Localise = func(o segment.Options) []segment.Edit {
		if o.To == "" || o.Bilingual {
			return nil
		}
		return append(r.localiseXML(o), quantity.Add(p, r.forms, o.To)...)
	}
	return p, nil
}

// startXML begins an element.
func (r *reader) startXML(t xmltext.Token, path []string) {
	v, parent := r.xml, r.top()
	attrs := xmltext.Attrs(r.source, t.Start, t.End)
	name := localName(t.Name)
	e := element{
		name: t.Name, pre: parent.pre || v.android, kind: parent.kind, style: parent.style,
		block: v.isBlock(path), foreign: parent.foreign, sure: parent.sure || v.known || sureNames[name],
	}
	e.keep = parent.keep || keptXML[name] && !v.android || v.android && (len(path) == 2 && keptAndroid[name] || name == "g") // of XLIFF, around what stays
	if hidden[name] {
		e.keep, e.foreign = true, true
	}
	switch v.rules.translate(path) {
	case yes:
		e.keep, e.foreign, e.sure = false, false, true
	case no:
		e.keep = true
	}
	for _, a := range attrs {
		switch localName(a.Name) {
		case "translate":
			e.keep = strings.EqualFold(a.Value, "no") || e.keep && !strings.EqualFold(a.Value, "yes")
		case "translatable":
			e.keep = e.keep || strings.EqualFold(a.Value, "false")
		case "space":
			e.pre = a.Value == "preserve"
		}
		if a.Name == "xml:lang" && len(path) > 1 {
			if v.language == "" || !strings.EqualFold(a.Value, v.language) {
				e.keep, e.foreign = true, true // it is a text in another language
			} else {
				r.language = append(r.language, a)
			}
		}
		if (a.Name == "xml:lang" || a.Name == "lang" || a.Name == "tools:locale") && len(path) == 1 {
			r.language = append(r.language, a)
		}
		if v.rules.attribute(path, a.Name) && !e.keep {
			r.attribute(a)
		}
	}
	if e.block {
		r.flush()
		e.style = 0
		switch {
		case headings[name] || name == "title" || name == "titleabbrev" || name == "subtitle":
			e.kind = segment.Heading
		case name == "entry" || cells[name]:
			e.kind = segment.Cell
		case name == "footnote" || name == "fn":
			e.kind = segment.Note
		default:
			e.kind = segment.Paragraph
		}
	} else {
		e.style = r.styleOf(parent.style, t.Name)
		r.mark(t.Start)
	}
	r.count[t.Name]++
	r.stack = append(r.stack, e)
}

// attribute makes a segment of one that a rule names.
func (r *reader) attribute(a xmltext.Attr) {
	text, ok := xmltext.Unescape(a.Value)
	if !ok || !segment.HasWords(text) {
		return
	}
	r.segments = append(r.segments, &segment.Segment{
		Kind: segment.Attribute, Protect: segment.InMessages,
		Slots: []segment.Slot{{Text: text, Start: a.Start, End: a.End, Escape: xmltext.EscapeAttr}},
	})
}

// cdata reads a section that has HTML in it as that, and another as a text.
func (r *reader) cdata(t xmltext.Token) {
	top := r.top()
	start, end := t.Start+len("<![CDATA["), t.End-len("]]>")
	raw := r.source[start:end]
	if top.keep || !segment.HasWords(raw) {
		r.mark(t.Start)
		return
	}
	r.flush()
	if strings.Contains(raw, "</") || strings.Contains(raw, "<br") || strings.Contains(raw, "<p>") {
		part, err := ReadHTML(raw)
		if err != nil {
			return // it stays
		}
		if r.xml.android {
			part.Segments = androidHTML(part.Segments, raw)
		}
		for _, s := range part.Segments {
			for i := range s.Slots {
				slot := &s.Slots[i]
				slot.Start += start
				slot.End += start
				if escape := slot.Escape; escape != nil {
					slot.Escape = func(text string) string { return strings.ReplaceAll(escape(text), "]]>", "]]&gt;") }
				}
			}
			s.ID = ""
			r.segments = append(r.segments, s)
		}
		return
	}
	slots := []segment.Slot{{Text: strings.TrimSpace(raw), Start: t.Start, End: t.End, Escape: func(text string) string {
		core := strings.TrimSpace(raw)
		at := strings.Index(raw, core)
		return xmltext.EscapeCData(raw[:at] + text + raw[at+len(core):])
	}}}
	if r.xml.android {
		shown, ok := unescapeAndroid(slots[0].Text, false)
		if !ok {
			return // it stays
		}
		write := slots[0].Escape
		slots[0].Text, slots[0].Escape = shown, func(text string) string { return write(escapeAndroid(text)) }
	}
	if top.sure || sentence(slots) {
		r.segments = append(r.segments, &segment.Segment{Kind: top.kind, Protect: segment.InMessages, Slots: slots})
	}
}

// localiseXML sets the language where the file names its own.
func (r *reader) localiseXML(o segment.Options) []segment.Edit {
	var edits []segment.Edit
	for _, a := range r.language {
		if a.Quote != 0 && a.Value != o.To {
			edits = append(edits, segment.Edit{Start: a.Start, End: a.End, Text: o.To})
		}
	}
	return edits
}

// sentence says whether a text is one for people: it has several words, or words among
// markup, or is in a script without spaces.
func sentence(slots []segment.Slot) bool {
	words, texts := 0, 0
	for _, s := range slots {
		if s.Fixed {
			continue
		}
		if segment.HasWords(s.Text) {
			texts++
		}
		for w := range strings.FieldsSeq(s.Text) {
			if segment.HasWords(w) && !strings.ContainsAny(w, "_/\\=<>{}") {
				words++
			}
		}
		if strings.ContainsFunc(s.Text, segment.Unspaced) {
			return true
		}
	}
	return words > 1 || texts > 1
}

func localName(name string) string { return strings.ToLower(name[strings.IndexByte(name, ':')+1:]) }

func unescapeXML(raw string) (string, bool) {
	shown, ok := xmltext.Unescape(raw)
	if !ok { // an entity that only a DTD knows: those of HTML are known to everybody
		shown = html.UnescapeString(raw)
	}
	return shown, ok
}

func blank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) }) < 0
}
