package catalog

import (
	"fmt"
	"slices"
	"strings"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// dialect is how a kind of XML file has source and target side by side.
type dialect struct {
	name           string
	units          map[string]bool
	source, target string
	plural         string // elements in the target for the forms of a plural
	root           string // whose attributes name the target's language
	language       string
}

var (
	xliff1 = dialect{name: "XLIFF", units: segment.Names("trans-unit"), source: "source", target: "target", root: "file", language: "target-language"}
	xliff2 = dialect{name: "XLIFF", units: segment.Names("segment"), source: "source", target: "target", root: "xliff", language: "trgLang"}
	qt     = dialect{name: "Qt translations", units: segment.Names("message"), source: "source", target: "translation", plural: "numerusform", root: "TS", language: "language"}
)

// IsXLIFF says whether a text is XLIFF.
func IsXLIFF(body string) bool { return root(body) == "xliff" }

// IsQt says whether a text is of Qt's Linguist.
func IsQt(body string) bool { return root(body) == "TS" }

// root is the name of the first element.
func root(body string) string {
	body = strings.TrimPrefix(body, "\ufeff")
	for {
		i := strings.IndexByte(body, '<')
		if i < 0 || i+1 >= len(body) {
			return ""
		}
		body = body[i+1:]
		if body[0] != '?' && body[0] != '!' {
			if end := strings.IndexAny(body, " \t\r\n/>"); end >= 0 {
				return body[:end]
			}
			return ""
		}
	}
}

// ReadXLIFF takes XLIFF 1.2 or 2 apart (OASIS). Units without a translation are
// segments; inline codes are copied into it.
func ReadXLIFF(body string) (*segment.Part, error) {
	if !IsXLIFF(body) {
		return nil, &segment.FormatError{Format: "XLIFF", Line: 1, Reason: "its first element is not <xliff>", Hint: "check that it is an XLIFF file"}
	}
	head := body[:min(len(body), 4<<10)]
	if strings.Contains(head, "xliff:document:2") || strings.Contains(head, `version="2.`) {
		return readPairs(body, &xliff2)
	}
	return readPairs(body, &xliff1)
}

// ReadQt takes a ts file of Qt's Linguist apart. Translations stay marked as
// unfinished.
func ReadQt(body string) (*segment.Part, error) {
	if !IsQt(body) {
		return nil, &segment.FormatError{Format: "Qt translations", Line: 1, Reason: "its first element is not <TS>", Hint: "check that it is a file of Qt's Linguist; a program in TypeScript is not translated"}
	}
	return readPairs(body, &qt)
}

// unit is a source and its target.
type unit struct {
	depth        int
	id           string
	keep         bool
	source       segment.Span // within the element
	sourceEnd    int          // behind the element
	slots        []segment.Slot
	target       xmltext.Token // its start
	targetEnd    segment.Span  // its end tag
	done         bool          // it has a translation
	state        string
	forms        []form
	form         xmltext.Token
	styles, open []string
}

type pairReader struct {
	source  string
	d       *dialect
	open    []string
	unit    *unit
	part    *segment.Part
	plurals [][]form
	edits   []xmltext.Attr // that name the target's language
	inserts []int          // where such an attribute is missing
	// language is the target's, as the latest of them says.
	language string
	taken    map[string]int
	line     int // breaks before lineAt
	lineAt   int
}

func readPairs(body string, d *dialect) (*segment.Part, error) {
	r := &pairReader{source: body, d: d, taken: map[string]int{}, part: &segment.Part{Source: body}}
	if err := xmltext.Scan(body, r.token); err != nil {
		return nil, err
	}
	r.part.Localise = r.localise
	return r.part, nil
}

func (r *pairReader) token(t xmltext.Token) error {
	switch t.Kind {
	case xmltext.Start:
		r.open = append(r.open, t.Name)
		r.start(t)
	case xmltext.End:
		r.end(t)
		r.open = r.open[:len(r.open)-1]
	case xmltext.Text, xmltext.CData:
		r.text(t)
	}
	return nil
}

func (r *pairReader) start(t xmltext.Token) {
	u := r.unit
	attrs := xmltext.Attrs(r.source, t.Start, t.End)
	switch {
	case t.Name == r.d.root:
		found := false
		for _, a := range attrs {
			if a.Name == r.d.language {
				r.edits, r.language, found = append(r.edits, a), a.Value, true
			}
		}
		if !found {
			r.language = ""
			r.inserts = append(r.inserts, t.Start+1+len(t.Name))
		}
	case u == nil && r.d.units[t.Name]:
		r.unit = &unit{depth: len(r.open), id: xmltext.Get(attrs, "id"), keep: xmltext.Get(attrs, "translate") == "no", state: xmltext.Get(attrs, "state")}
	case u == nil:
	case len(u.open) > 0: // within the source
		u.open = append(u.open, t.Name)
		u.mark(t.Start)
	case t.Name == r.d.source && len(r.open) == u.depth+1:
		u.source.Start = t.End
		u.open = []string{t.Name}
	case t.Name == r.d.target && len(r.open) == u.depth+1:
		u.target = t
		if s := xmltext.Get(attrs, "state"); s != "" {
			u.state = s
		}
	case u.target.End > 0 && t.Name == r.d.plural && r.d.plural != "":
		u.form = t
	}
}

func (r *pairReader) end(t xmltext.Token) {
	u := r.unit
	switch {
	case u == nil:
	case len(u.open) > 0:
		u.open = u.open[:len(u.open)-1]
		if len(u.open) == 0 {
			u.source.End, u.sourceEnd = t.Start, t.End
		} else {
			u.mark(t.Start)
		}
	case t.Name == r.d.target && len(r.open) == u.depth+1:
		u.targetEnd = segment.Span{Start: t.Start, End: t.End}
	case t.Name == r.d.plural && u.form.End > 0:
		u.forms = append(u.forms, form{outer: segment.Span{Start: u.form.Start, End: t.End}, inner: segment.Span{Start: u.form.End, End: t.Start}})
		u.form = xmltext.Token{}
	case r.d.units[t.Name] && len(r.open) == u.depth:
		r.add(u)
		r.unit = nil
	}
}

// codes are inline elements whose text is markup of another format.
var codes = segment.Names("ph it bpt ept x bx ex sc ec cp")

func (r *pairReader) text(t xmltext.Token) {
	u := r.unit
	if u == nil {
		return
	}
	raw := r.source[t.Start:t.End]
	if len(u.open) == 0 {
		if u.target.End > 0 && u.targetEnd.End == 0 && strings.TrimSpace(raw) != "" {
			u.done = true
		}
		return
	}
	u.text(r.source, t)
}

// mark keeps the texts before and after an inline code apart.
func (u *unit) mark(at int) {
	if len(u.slots) > 0 {
		u.slots = append(u.slots, segment.Slot{Fixed: true, Start: at, End: at})
	}
}

// text makes a slot of text within the source, but not of what is in codes.
func (u *unit) text(source string, t xmltext.Token) {
	raw := source[t.Start:t.End]
	shown, ok := xmltext.Unescape(raw)
	escape := xmltext.Escape
	if t.Kind == xmltext.CData {
		shown, ok, escape = raw[len("<![CDATA["):len(raw)-len("]]>")], true, xmltext.EscapeCData
	}
	var key []string
	for _, name := range u.open[1:] {
		if codes[name] {
			return
		}
		key = append(key, name)
	}
	style := slices.Index(u.styles, strings.Join(key, "<"))
	if style < 0 {
		style = len(u.styles)
		u.styles = append(u.styles, strings.Join(key, "<"))
	}
	u.slots = append(u.slots, segment.Slot{Text: shown, Style: style, Fixed: !ok, Start: t.Start, End: t.End, Escape: escape})
}

// add makes segments of a unit without a translation, or with one that says that it is
// none.
func (r *pairReader) add(u *unit) {
	if u.sourceEnd == 0 || len(u.slots) == 0 {
		return
	}
	if u.done && u.state != "needs-translation" && u.state != "new" && u.state != "initial" {
		r.part.Language = r.language
		return
	}
	base := &segment.Copy{From: u.source.Start, To: u.source.End}
	switch {
	case len(u.forms) > 0:
	case u.target.Empty:
		tag := strings.TrimRight(strings.TrimSuffix(r.source[u.target.Start:u.target.End], "/>"), " \t\r\n")
		base.Start, base.End, base.Before, base.After = u.target.Start, u.target.End, tag+">", "</"+r.d.target+">"
	case u.target.End > 0:
		base.Start, base.End = u.target.End, u.targetEnd.Start
	default:
		base.Start, base.End, base.Before, base.After = u.sourceEnd, u.sourceEnd, "<"+r.d.target+">", "</"+r.d.target+">"
	}
	if len(u.forms) == 0 {
		r.segment(u, base)
		return
	}
	for i := range u.forms {
		f := &u.forms[i]
		if f.inner.End >= f.inner.Start && strings.TrimSpace(r.source[f.inner.Start:f.inner.End]) == "" {
			c := *base
			c.Start, c.End = f.inner.Start, f.inner.End
			f.segment = r.segment(u, &c)
		}
	}
	r.plurals = append(r.plurals, u.forms)
}

func (r *pairReader) segment(u *unit, c *segment.Copy) *segment.Segment {
	id := u.id
	if id == "" {
		r.line += strings.Count(r.source[r.lineAt:u.source.Start], "\n")
		r.lineAt = u.source.Start
		id = fmt.Sprintf("line %d", r.line+1)
	}
	if r.taken[id]++; r.taken[id] > 1 {
		id += fmt.Sprintf(" (%d)", r.taken[id])
	}
	s := &segment.Segment{ID: id, Kind: segment.Message, Protect: segment.InMessages, Copy: c, Slots: append([]segment.Slot(nil), u.slots...)}
	if u.keep {
		s.Keep = "it is marked as not to be translated"
	}
	r.part.Segments = append(r.part.Segments, s)
	return s
}

func (r *pairReader) localise(o segment.Options) []segment.Edit {
	if o.To == "" {
		return nil
	}
	var edits []segment.Edit
	for _, a := range r.edits {
		if !segment.SameLanguage(a.Value, o.To) {
			edits = append(edits, segment.Edit{Start: a.Start, End: a.End, Text: o.To})
		}
	}
	for _, at := range r.inserts {
		edits = append(edits, segment.Edit{Start: at, End: at, Text: ` ` + r.d.language + `="` + o.To + `"`})
	}
	return append(edits, r.forForms(qtForms(o.To))...)
}
