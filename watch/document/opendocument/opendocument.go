// Package opendocument takes the texts of OpenDocument files apart (ISO/IEC 26300):
// texts, sheets, presentations. Formulas, tracked deletions and all that is no text stay.
package opendocument

import (
	"fmt"
	"strings"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// Zip is what of an archive is needed.
type Zip interface {
	Names() []string
	Text(name string) (string, error)
}

// Read reads the content, and the heads and feet of pages.
func Read(z Zip) ([]*segment.Part, error) {
	var parts []*segment.Part
	for _, name := range z.Names() {
		if name != "content.xml" && name != "styles.xml" {
			continue
		}
		body, err := z.Text(name)
		if err != nil {
			return nil, err
		}
		p, err := read(name, body)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

type paragraph struct {
	name   string
	kind   segment.Kind
	keep   bool
	slots  []segment.Slot
	spans  []string
	tags   []string // of spans, as they are written; "" for links
	broken bool     // a mark has come since the last slot
}

type walker struct {
	source   string
	part     string
	open     []string
	paras    []*paragraph
	skipping int // depth of open at which skipping began
	keeping  int // depth at which a cell with a formula began
	cells    int
	notes    int
	number   int
	taken    map[string]int
	styles   map[string]int
	looks    []string // of each style: the tags of its spans
	segments []*segment.Segment
	language []segment.Edit // but for the text
	modes    []xmltext.Attr // that say the direction of writing
	pages    []int          // where that of a page's layout is missing
}

// cut elements end a segment within its paragraph; marks are between words.
func isCut(name string) bool { return name == "text:tab" || name == "text:line-break" }

// fields whose text a program makes.
func isField(name string) bool {
	switch name {
	case "text:page-number", "text:page-count", "text:date", "text:time", "text:sequence", "text:chapter", "text:file-name",
		"text:variable-get", "text:expression", "text:author-name", "text:number", "presentation:date-time", "presentation:header", "presentation:footer", "math:math":
		return true
	}
	return false
}

func read(name, body string) (*segment.Part, error) {
	w := &walker{source: body, part: name, taken: map[string]int{}, styles: map[string]int{}}
	if err := xmltext.Scan(body, w.token); err != nil {
		if bad, ok := err.(*segment.FormatError); ok {
			bad.Part = name
		}
		return nil, err
	}
	return &segment.Part{Name: name, Source: body, Segments: w.segments, Break: "<text:line-break/>", Localise: w.localise}, nil
}

func (w *walker) token(t xmltext.Token) error {
	switch t.Kind {
	case xmltext.Start:
		w.open = append(w.open, t.Name)
		if w.skipping == 0 {
			w.start(t)
		}
	case xmltext.End:
		if w.skipping == len(w.open) {
			w.skipping = 0
		} else if w.skipping == 0 {
			w.end(t)
		}
		if w.keeping == len(w.open) {
			w.keeping = 0
		}
		w.open = w.open[:len(w.open)-1]
	case xmltext.Text:
		if w.skipping == 0 {
			w.text(t)
		}
	case xmltext.CData:
		w.mark(t.Start)
	}
	return nil
}

func (w *walker) para() *paragraph {
	if len(w.paras) == 0 {
		return nil
	}
	return w.paras[len(w.paras)-1]
}

func (w *walker) start(t xmltext.Token) {
	p := w.para()
	switch name := t.Name; {
	case name == "text:tracked-changes" || name == "office:change-info" || name == "text:index-title-template" || name == "office:scripts" || name == "dc:creator" || name == "dc:date" || name == "text:note-citation":
		w.skipping = len(w.open)
	case name == "text:p" || name == "text:h":
		kind := segment.Paragraph
		switch {
		case w.notes > 0:
			kind = segment.Note
		case w.cells > 0:
			kind = segment.Cell
		case name == "text:h":
			kind = segment.Heading
		}
		w.number++
		w.paras = append(w.paras, &paragraph{name: name, kind: kind, keep: w.keeping > 0})
	case name == "table:table-cell":
		w.cells++
		for a := range xmltext.Each(w.source, t.Start, t.End) {
			if a.Name == "table:formula" && w.keeping == 0 {
				w.keeping = len(w.open)
			}
		}
	case name == "text:note-body" || name == "office:annotation" || name == "presentation:notes":
		w.notes++
	case name == "style:text-properties":
		w.languages(t)
	case name == "style:page-layout-properties" || name == "style:paragraph-properties" || name == "style:table-properties" || name == "style:section-properties" || name == "style:graphic-properties":
		w.direction(t)
	case p == nil:
	case isField(name):
		w.mark(t.Start)
	case name == "text:s":
		if len(p.slots) > 0 {
			p.slots = append(p.slots, segment.Slot{Text: " ", Fixed: true, Start: t.Start, End: t.Start})
		}
	case isCut(name):
		w.flush(p, t)
	case name == "text:span" || name == "text:a":
		look := name
		for a := range xmltext.Each(w.source, t.Start, t.End) {
			if a.Name == "text:style-name" || a.Name == "xlink:href" {
				look += " " + a.Value
			}
		}
		p.spans = append(p.spans, look)
		tag := ""
		if name == "text:span" {
			tag = w.source[t.Start:t.End]
		}
		p.tags = append(p.tags, tag)
		p.broken = true
	default: // spaces, bookmarks, frames, notes
		w.mark(t.Start)
	}
}

func (w *walker) end(t xmltext.Token) {
	p := w.para()
	switch name := t.Name; {
	case p != nil && name == p.name:
		w.flush(p, t)
		w.paras = w.paras[:len(w.paras)-1]
	case name == "table:table-cell":
		w.cells--
	case name == "text:note-body" || name == "office:annotation" || name == "presentation:notes":
		w.notes--
	case p != nil && (name == "text:span" || name == "text:a") && len(p.spans) > 0:
		p.spans, p.tags = p.spans[:len(p.spans)-1], p.tags[:len(p.tags)-1]
		p.broken = true
	}
}

// mark keeps the texts before and after something apart.
func (w *walker) mark(at int) {
	if p := w.para(); p != nil && len(p.slots) > 0 && !(p.slots[len(p.slots)-1].Fixed && p.slots[len(p.slots)-1].Text == "") {
		p.slots = append(p.slots, segment.Slot{Fixed: true, Start: at, End: at})
	}
}

func (w *walker) text(t xmltext.Token) {
	p := w.para()
	if p == nil {
		return
	}
	parent := w.open[len(w.open)-1]
	field := isField(parent)
	if parent != "text:p" && parent != "text:h" && parent != "text:span" && parent != "text:a" && !field && !strings.HasPrefix(parent, "text:meta") && parent != "text:ruby-base" {
		return
	}
	shown, plain := xmltext.Unescape(w.source[t.Start:t.End])
	if shown = collapse(shown, p.slots); shown == "" {
		return
	}
	key := strings.Join(p.spans, "<")
	style, ok := w.styles[key]
	if !ok {
		style = len(w.styles)
		w.styles[key] = style
		w.looks = append(w.looks, strings.Join(p.tags, ""))
	}
	p.slots = append(p.slots, segment.Slot{Text: shown, Style: style, Start: t.Start, End: t.End, Fixed: field || !plain, Escape: escape})
}

// collapse makes one space of any white space, as the format has it (part 3, 6.1.2),
// also across elements.
func collapse(s string, before []segment.Slot) string {
	blank := len(before) == 0
	for i := len(before) - 1; i >= 0; i-- {
		if t := before[i].Text; t != "" {
			blank = strings.HasSuffix(t, " ")
			break
		}
	}
	var b strings.Builder
	for _, r := range s {
		if r == ' ' || r == '\t' || r == '\n' || r == '\r' {
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
			continue
		}
		blank = false
		b.WriteRune(r)
	}
	return b.String()
}

func escape(text string) string { return xmltext.Escape(text) }

// flush makes a segment of what was read of a paragraph until a token.
func (w *walker) flush(p *paragraph, until xmltext.Token) {
	slots := p.slots
	p.slots = nil
	words := false
	for _, s := range slots {
		words = words || !s.Fixed && segment.HasWords(s.Text)
	}
	if !words {
		return
	}
	s := &segment.Segment{ID: fmt.Sprintf("%s, paragraph %d", w.part, w.number), Kind: p.kind, Slots: slots, Protect: segment.InProse, Behind: w.behind(p, slots, until)}
	if w.taken[s.ID]++; w.taken[s.ID] > 1 {
		s.ID += fmt.Sprintf(" (%d)", w.taken[s.ID])
	}
	if p.keep {
		s.Keep = "it is the result of a formula"
	}
	w.segments = append(w.segments, s)
}

// behind puts a translation before the end of a paragraph, or before a tab or a line break in it,
// in spans such as most of the text is in, where none of them goes on.
func (w *walker) behind(p *paragraph, slots []segment.Slot, until xmltext.Token) *segment.Behind {
	open, between := "", "<text:line-break/>"
	if until.Name == "text:tab" { // columns stay on one line
		between = " / "
	}
	if len(p.spans) == 0 {
		open = w.looks[segment.MostStyle(slots)]
	}
	return &segment.Behind{At: until.Start, Write: func(translation string) string {
		return open + between + escape(translation) + strings.Repeat("</text:span>", strings.Count(open, "<text:span"))
	}}
}

// languages finds where a style names its language.
func (w *walker) languages(t xmltext.Token) {
	for a := range xmltext.Each(w.source, t.Start, t.End) {
		switch a.Name {
		case "fo:language", "fo:country", "style:language-asian", "style:country-asian", "style:language-complex", "style:country-complex":
			if a.Value != "none" && a.Value != "zxx" {
				w.language = append(w.language, segment.Edit{Start: a.Start, End: a.End, Text: a.Name})
			}
		}
	}
}

// direction finds where a style says the direction of writing. Paragraphs without one
// have that of their page.
func (w *walker) direction(t xmltext.Token) {
	said := false
	for a := range xmltext.Each(w.source, t.Start, t.End) {
		if a.Name == "style:writing-mode" {
			said = true
			w.modes = append(w.modes, a)
		}
	}
	if !said && t.Name == "style:page-layout-properties" {
		w.pages = append(w.pages, t.Start+1+len(t.Name))
	}
}

// localise names the language of the texts and sets the direction of pages and styles.
// Their country is not known.
func (w *walker) localise(o segment.Options) []segment.Edit {
	if o.To == "" || o.Bilingual {
		return nil
	}
	suffix := ""
	base, _, _ := strings.Cut(strings.ToLower(o.To), "-")
	switch {
	case base == "zh" || base == "ja" || base == "ko":
		suffix = "-asian"
	case segment.RightToLeft(o.To) || base == "th" || base == "hi":
		suffix = "-complex"
	}
	language, country := "style:language"+suffix, "style:country"+suffix
	if suffix == "" {
		language, country = "fo:language", "fo:country"
	}
	var edits []segment.Edit
	mode := "lr-tb"
	if segment.RightToLeft(o.To) {
		mode = "rl-tb"
		for _, at := range w.pages {
			edits = append(edits, segment.Edit{Start: at, End: at, Text: ` style:writing-mode="rl-tb"`})
		}
	}
	for _, a := range w.modes {
		switch a.Value {
		case "lr-tb", "rl-tb", "lr", "rl":
			if a.Value[:2] != mode[:2] {
				edits = append(edits, segment.Edit{Start: a.Start, End: a.End, Text: mode})
			}
		}
	}
	for _, e := range w.language {
		switch e.Text {
		case language:
			edits = append(edits, segment.Edit{Start: e.Start, End: e.End, Text: base})
		case country:
			edits = append(edits, segment.Edit{Start: e.Start, End: e.End, Text: "none"})
		}
	}
	return edits
}
