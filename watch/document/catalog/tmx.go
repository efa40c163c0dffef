package catalog

import (
	"fmt"
	"strings"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// IsTMX says whether a text is a translation memory.
func IsTMX(body string) bool { return root(body) == "tmx" }

// tmxUnit is a tu: the same text in several languages.
type tmxUnit struct {
	id, language string // that the source is in, "" where the file says it
	variants     []tmxVariant
	end          int // of the last variant
	segment      *segment.Segment
	source       *tmxVariant
}

// tmxVariant is a tuv.
type tmxVariant struct {
	language string
	start    int // of its tag
	seg      xmltext.Token
	content  segment.Span // within its seg
	unit     unit
	empty    bool
}

type tmxReader struct {
	source   string
	language string // that sources are in
	unit     *tmxUnit
	units    []*tmxUnit
	part     *segment.Part
}

// ReadTMX takes a translation memory apart (TMX 1.4b). What a unit does not have in the
// target language is added to it; all that is there stays.
func ReadTMX(body string) (*segment.Part, error) {
	if !IsTMX(body) {
		return nil, &segment.FormatError{Format: "TMX", Line: 1, Reason: "its first element is not <tmx>", Hint: "check that it is a translation memory"}
	}
	r := &tmxReader{source: body, part: &segment.Part{Source: body}}
	if err := xmltext.Scan(body, r.token); err != nil {
		return nil, err
	}
	taken := map[string]int{}
	for i, u := range r.units {
		r.add(u, i, taken)
	}
	r.part.Localise, r.part.Into = r.localise, r.into
	return r.part, nil
}

func (r *tmxReader) variant() *tmxVariant {
	if r.unit == nil || len(r.unit.variants) == 0 {
		return nil
	}
	return &r.unit.variants[len(r.unit.variants)-1]
}

func (r *tmxReader) token(t xmltext.Token) error {
	v := r.variant()
	switch t.Kind {
	case xmltext.Start:
		attrs := xmltext.Attrs(r.source, t.Start, t.End)
		switch {
		case t.Name == "header":
			r.language = xmltext.Get(attrs, "srclang")
		case t.Name == "tu":
			r.unit = &tmxUnit{id: xmltext.Get(attrs, "tuid"), language: xmltext.Get(attrs, "srclang")}
		case r.unit == nil:
		case t.Name == "tuv":
			language := xmltext.Get(attrs, "xml:lang")
			if language == "" {
				language = xmltext.Get(attrs, "lang")
			}
			r.unit.variants = append(r.unit.variants, tmxVariant{language: language, start: t.Start})
		case v != nil && t.Name == "seg" && len(v.unit.open) == 0:
			v.seg, v.content.Start = t, t.End
			v.unit.open = []string{t.Name}
		case v != nil && len(v.unit.open) > 0:
			v.unit.open = append(v.unit.open, t.Name)
			v.unit.mark(t.Start)
		}
	case xmltext.End:
		switch {
		case t.Name == "tu" && r.unit != nil:
			r.units = append(r.units, r.unit)
			r.unit = nil
		case t.Name == "tuv" && r.unit != nil:
			r.unit.end = t.End
		case v != nil && len(v.unit.open) > 0:
			v.unit.open = v.unit.open[:len(v.unit.open)-1]
			if len(v.unit.open) == 0 {
				v.content.End = t.Start
				v.empty = strings.TrimSpace(r.source[v.content.Start:v.content.End]) == ""
			} else {
				v.unit.mark(t.Start)
			}
		}
	case xmltext.Text, xmltext.CData:
		if v != nil && len(v.unit.open) > 0 {
			v.unit.text(r.source, t)
		}
	}
	return nil
}

// add makes a segment of a unit's source.
func (r *tmxReader) add(u *tmxUnit, i int, taken map[string]int) {
	language := u.language
	if language == "" {
		language = r.language
	}
	for n := range u.variants {
		if v := &u.variants[n]; v.content.End > 0 && !v.empty && (u.source == nil || !segment.SameLanguage(u.source.language, language) && segment.SameLanguage(v.language, language)) {
			u.source = v
		}
	}
	if u.source == nil || len(u.source.unit.slots) == 0 {
		return
	}
	id := u.id
	if id == "" {
		id = fmt.Sprintf("unit %d", i+1)
	}
	if taken[id]++; taken[id] > 1 {
		id += fmt.Sprintf(" (%d)", taken[id])
	}
	u.segment = &segment.Segment{ID: id, Kind: segment.Message, Protect: segment.InMessages, Elsewhere: true, Slots: u.source.unit.slots}
	r.part.Segments = append(r.part.Segments, u.segment)
}

// in is the variant in a language, nil where there is none.
func (u *tmxUnit) in(language string) *tmxVariant {
	for i := range u.variants {
		if segment.SameLanguage(u.variants[i].language, language) {
			return &u.variants[i]
		}
	}
	return nil
}

func (r *tmxReader) into(to string) {
	for _, u := range r.units {
		if u.segment == nil {
			continue
		}
		u.segment.Keep = ""
		if v := u.in(to); v != nil && !v.empty {
			u.segment.Keep = "it has a translation"
		}
	}
}

// undetermined is the language of what nobody said the language of (BCP 47).
const undetermined = "und"

func (r *tmxReader) localise(o segment.Options) []segment.Edit {
	to := o.To
	if to == "" {
		to = undetermined
	}
	var edits []segment.Edit
	for _, u := range r.units {
		if u.segment == nil || !u.segment.Changed() {
			continue
		}
		text := segment.Written(r.source, u.source.content, []*segment.Segment{u.segment})
		switch v := u.in(to); {
		case v == nil:
			between := r.source[:u.source.start]
			between = between[len(strings.TrimRight(between, " \t\r\n")):]
			edits = append(edits, segment.Edit{Start: u.end, End: u.end, Text: between + `<tuv xml:lang="` + to + `"><seg>` + text + "</seg></tuv>"})
		case v.empty && v.seg.Empty:
			edits = append(edits, segment.Edit{Start: v.seg.Start, End: v.seg.End, Text: "<seg>" + text + "</seg>"})
		case v.empty:
			edits = append(edits, segment.Edit{Start: v.content.Start, End: v.content.End, Text: text})
		}
	}
	return edits
}
