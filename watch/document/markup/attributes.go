package markup

import (
	"strings"

	"golang.org/x/net/html"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// attributes makes segments of those that readers see.
func (r *reader) attributes(name string, attrs []xmltext.Attr) {
	kind := strings.ToLower(xmltext.Get(attrs, "type"))
	meta := strings.ToLower(xmltext.Get(attrs, "name") + xmltext.Get(attrs, "property"))
	for _, a := range attrs {
		key := strings.ToLower(a.Name)
		switch {
		case shown[key]:
		case name == "meta" && key == "content" && described[meta]:
		case name == "input" && key == "value" && (kind == "submit" || kind == "button" || kind == "reset"):
		case (name == "track" || name == "optgroup" || name == "option") && key == "label":
		default:
			continue
		}
		text := html.UnescapeString(a.Value)
		if !segment.HasWords(text) {
			continue
		}
		quote := a.Quote
		r.segments = append(r.segments, &segment.Segment{
			Kind: segment.Attribute, Protect: segment.InProse,
			Slots: []segment.Slot{{Text: text, Start: a.Start, End: a.End, Escape: func(text string) string {
				text = xmltext.EscapeAttr(text)
				if quote == 0 {
					return `"` + text + `"`
				}
				return text
			}}},
		})
	}
}

// meta finds a declared encoding other than UTF-8, which what is written would not
// have.
func (r *reader) meta(attrs []xmltext.Attr) {
	for _, a := range attrs {
		key, value := strings.ToLower(a.Name), strings.ToLower(a.Value)
		at := 0
		if key == "content" && strings.EqualFold(xmltext.Get(attrs, "http-equiv"), "content-type") {
			if at = strings.Index(value, "charset="); at < 0 {
				continue
			}
			at += len("charset=")
		} else if key != "charset" {
			continue
		}
		end := at
		for end < len(value) && value[end] != ';' && value[end] != ' ' {
			end++
		}
		if declared := value[at:end]; declared != "utf-8" && declared != "utf8" && declared != "" {
			r.charset = append(r.charset, segment.Edit{Start: a.Start + at, End: a.Start + end, Text: "utf-8"})
		}
	}
}

// localise sets the language and direction of the page, and of the parts that have the
// page's own language.
func (r *reader) localise(o segment.Options) []segment.Edit {
	if o.To == "" || o.Bilingual {
		return nil
	}
	edits := append([]segment.Edit(nil), r.charset...)
	if !r.root.found {
		return edits
	}
	own, has, direction := "", false, xmltext.Attr{}
	for _, a := range r.root.attrs {
		switch strings.ToLower(a.Name) {
		case "lang", "xml:lang":
			own, has = a.Value, true
			edits = append(edits, valueEdit(a, o.To))
		case "dir":
			direction = a
		}
	}
	for _, a := range r.language {
		if has && strings.EqualFold(a.Value, own) {
			edits = append(edits, valueEdit(a, o.To))
		}
	}
	insert := ""
	if !has {
		insert = ` lang="` + o.To + `"`
		if r.xhtml {
			insert += ` xml:lang="` + o.To + `"`
		}
	}
	dir := "ltr"
	if segment.RightToLeft(o.To) {
		dir = "rtl"
	}
	switch {
	case direction.Name != "" && !strings.EqualFold(direction.Value, dir):
		edits = append(edits, valueEdit(direction, dir))
	case direction.Name == "" && dir == "rtl":
		insert += ` dir="rtl"`
	}
	if insert != "" {
		at := r.root.start + len("<html")
		edits = append(edits, segment.Edit{Start: at, End: at, Text: insert})
	}
	return edits
}

func valueEdit(a xmltext.Attr, value string) segment.Edit {
	if a.Start == a.NameEnd { // no value was given
		value = `="` + value + `"`
	}
	return segment.Edit{Start: a.Start, End: a.End, Text: value}
}
