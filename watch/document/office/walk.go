// Package office takes the parts of Office Open XML files apart (ECMA-376): documents of
// Word, presentations, workbooks. Only texts change, and what names their language and
// direction; fields, formulas, tracked changes and all else stay.
package office

import (
	"fmt"
	"regexp"
	"strings"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

func set(list string) map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(list) {
		all[name] = true
	}
	return all
}

// grammar names the elements of one kind of part.
type grammar struct {
	paragraph, run, props, text map[string]bool
	// cut ends a segment within its paragraph: tabs, line breaks.
	cut map[string]bool
	// mark is something between words: a picture, the number of a footnote.
	mark map[string]bool
	// wrap is around runs: a link, a tracked insertion.
	wrap map[string]bool
	// skip is not for readers, or not any more.
	skip map[string]bool
	// whole is an element with a text of its own within within.
	whole, within string
	space         string // attribute that texts need to keep white space at their ends
}

var (
	word = grammar{
		paragraph: set("w:p a:p"), run: set("w:r a:r a:fld"), props: set("w:rPr a:rPr"), text: set("w:t a:t"),
		cut:  set("w:br w:cr w:tab w:ptab a:br"),
		mark: set("w:footnoteReference w:endnoteReference w:footnoteRef w:endnoteRef w:drawing w:pict w:object w:sym w:softHyphen m:oMath w:fldChar w:del w:moveFrom w:commentReference w:commentRangeStart w:commentRangeEnd"),
		wrap: set("w:hyperlink w:ins w:moveTo w:sdt w:fldSimple"), skip: set("w:del w:moveFrom w:instrText w:delText m:oMath"),
		whole: "c:v", within: "c:strCache", space: ` xml:space="preserve"`,
	}
	slide = grammar{
		paragraph: word.paragraph, run: word.run, props: word.props, text: word.text, cut: word.cut, mark: word.mark, wrap: word.wrap, skip: word.skip,
		whole: "c:v", within: "c:strCache",
	}
	sheet = grammar{
		paragraph: set("si is text"), run: set("r"), props: set("rPr"), text: set("t"), cut: set(""), mark: set(""), wrap: set(""), skip: set("rPh"),
		space: ` xml:space="preserve"`,
	}
)

// properties are those of a file, of which its title is shown.
var properties = grammar{whole: "dc:title", within: "cp:coreProperties"}

// paragraph is one that is being read; in a text box there is another within it.
type paragraph struct {
	slots    []segment.Slot
	kind     segment.Kind
	joinable bool // nothing but the borders of runs since the last slot
	wraps    []string
	start    xmltext.Token
	props    bool // it has some
	texts    bool // it has had some
	runEnd   int  // behind the last run
}

type walker struct {
	source   string
	part     string
	g        *grammar
	kind     segment.Kind
	open     []string
	paras    []*paragraph
	skipping int // depth of open at which skipping began, 0 where it did not
	segments []*segment.Segment
	styles   map[string]int
	shapes   []string // of the runs of each style: their properties
	number   int      // of paragraphs
	taken    map[string]int

	run      xmltext.Token // that is open
	runProps xmltext.Token
	looks    string            // of the run
	known    map[string]string // what look gave
	inText   xmltext.Token
	shown    strings.Builder
	plain    bool // all of the text could be read

	fields []*field
	cells  int // depth of table cells

	direction direction
	langs     []xmltext.Attr
}

// field is a complex field of Word: an instruction, and the text that it gave.
type field struct {
	instruction strings.Builder
	result      bool
}

// fieldLook begins how a run of a computed field looks, so that it is like no other.
const fieldLook = "field"

// computed are fields whose results are computed anew.
var computed = regexp.MustCompile(`^\s*(PAGE|NUMPAGES|SECTIONPAGES|DATE|TIME|SEQ|PAGEREF|REF|NOTEREF|STYLEREF|CREATEDATE|SAVEDATE|PRINTDATE|FILENAME|=)\b`)

// irrelevant is what does not change how a run looks.
var irrelevant = regexp.MustCompile(`<w:(lang|noProof|rtl|bCs|iCs|szCs)\b[^>]*/>| (lang|altLang|dirty|err|smtClean|noProof)="[^"]*"`)

// read makes a part of one file.
func read(name, body string, g *grammar, kind segment.Kind) (*segment.Part, error) {
	w := &walker{source: body, part: name, g: g, kind: kind, styles: map[string]int{}, known: map[string]string{}, taken: map[string]int{}}
	if err := xmltext.Scan(body, w.token); err != nil {
		if bad, ok := err.(*segment.FormatError); ok {
			bad.Part = name
		}
		return nil, err
	}
	p := &segment.Part{Name: name, Source: body, Segments: w.segments, Localise: w.localise}
	p.Both = func(text, translation string) string { return text + between(text) + translation }
	return p, nil
}

// between parts a text that is no paragraph, such as a cell or the label of an axis, from
// its translation. A cell shows lines only where its format says so, and its row is as high
// as it was: it gets a second one where it has them already.
func between(text string) string {
	if strings.Contains(text, "\n") {
		return "\n"
	}
	return " / "
}

func (w *walker) para() *paragraph {
	if len(w.paras) == 0 {
		return nil
	}
	return w.paras[len(w.paras)-1]
}

func (w *walker) token(t xmltext.Token) error {
	switch t.Kind {
	case xmltext.Start:
		w.open = append(w.open, t.Name)
		if w.skipping == 0 && w.g.skip[t.Name] {
			w.skipping = len(w.open)
		}
		if w.skipping == 0 {
			w.start(t)
		}
	case xmltext.End:
		if w.skipping == 0 {
			w.end(t)
		} else if w.skipping == len(w.open) {
			w.skipping = 0
			if w.g.mark[t.Name] {
				w.mark(t.End)
			}
		}
		w.open = w.open[:len(w.open)-1]
	case xmltext.Text, xmltext.CData:
		raw := w.source[t.Start:t.End]
		if n := len(w.fields); n > 0 && !w.fields[n-1].result && w.open[len(w.open)-1] == "w:instrText" {
			w.fields[n-1].instruction.WriteString(raw)
		}
		if w.inText.End > 0 {
			shown, ok := xmltext.Unescape(raw)
			if t.Kind == xmltext.CData {
				shown = raw[len("<![CDATA[") : len(raw)-len("]]>")]
			}
			w.shown.WriteString(shown)
			w.plain = w.plain && ok
		}
	}
	return nil
}

func (w *walker) parent() string {
	if len(w.open) < 2 {
		return ""
	}
	return w.open[len(w.open)-2]
}

func (w *walker) start(t xmltext.Token) {
	if described[t.Name] {
		w.describe(t)
	}
	g, p := w.g, w.para()
	switch {
	case g.paragraph[t.Name] && !(t.Name == "text" && w.parent() != "comment"):
		kind := w.kind
		if w.cells > 0 && kind == segment.Paragraph {
			kind = segment.Cell
		}
		w.number++
		w.paras = append(w.paras, &paragraph{kind: kind, start: t})
	case t.Name == "w:tc" || t.Name == "a:tc":
		w.cells++
	case p == nil:
		if g.whole == t.Name && w.within(g.within) {
			w.inText, w.plain = t, true
			w.shown.Reset()
		}
	case g.run[t.Name]:
		w.run, w.runProps, w.looks = t, xmltext.Token{}, ""
		w.direction.runAt = 0
		if t.Name == "a:fld" {
			w.looks = fieldLook
			p.joinable = false
		}
	case g.props[t.Name] && g.run[w.parent()]:
		w.runProps = t
		w.runLanguage(t)
	case g.text[t.Name]:
		w.inText, w.plain = t, true
		w.shown.Reset()
	case g.cut[t.Name] && w.parent() != "w:tabs":
		w.flush(p, t)
	case t.Name == "w:noBreakHyphen": // a character that a word is written with, as in Figure 1-1
		p.slots = append(p.slots, segment.Slot{Text: "-", Fixed: true, Start: t.Start, End: t.Start})
		p.joinable = false
	case g.mark[t.Name]:
		if t.Name == "w:fldChar" {
			w.fieldChar(t)
		}
		w.mark(t.Start)
	case g.wrap[t.Name]:
		p.wraps = append(p.wraps, fmt.Sprint(t.Name, t.Start))
		p.joinable = false
		if t.Name == "w:fldSimple" {
			f := &field{result: true}
			f.instruction.WriteString(xmltext.Get(xmltext.Attrs(w.source, t.Start, t.End), "w:instr"))
			w.fields = append(w.fields, f)
		}
	case (t.Name == "w:pPr" || t.Name == "a:pPr") && g.paragraph[w.parent()]:
		p.props = true
		w.direction.properties(w, t)
	case t.Name == "w:pStyle":
		style := strings.ToLower(xmltext.Get(xmltext.Attrs(w.source, t.Start, t.End), "w:val"))
		if strings.HasPrefix(style, "heading") || style == "title" || style == "subtitle" {
			p.kind = segment.Heading
		}
	default:
		w.direction.child(w, t)
	}
	if t.Name == "w:lang" {
		w.langs = append(w.langs, xmltext.Attrs(w.source, t.Start, t.End)...)
	}
}

// described are the elements that have the alternative text of a picture. What Word repeats
// within a picture (pic:cNvPr) readers do not see.
var described = set("wp:docPr p:cNvPr xdr:cNvPr")

// fileName is what programs put there where nobody wrote a text.
var fileName = regexp.MustCompile(`(?i)^\S*\.[a-z]{3,4}$|^([a-z]:|\\\\|/).*\.[a-z]{3,4}$`)

// describe makes a segment of the text that stands for a picture.
func (w *walker) describe(t xmltext.Token) {
	for a := range xmltext.Each(w.source, t.Start, t.End) {
		text, ok := xmltext.Unescape(a.Value)
		if a.Name != "descr" && a.Name != "title" || !ok || !segment.HasWords(text) || fileName.MatchString(strings.TrimSpace(text)) {
			continue
		}
		w.add([]segment.Slot{{Text: text, Start: a.Start, End: a.End, Escape: xmltext.EscapeAttr}}, segment.Attribute, nil)
	}
}

// runLanguage notes where a run of a presentation names its language.
func (w *walker) runLanguage(t xmltext.Token) {
	if t.Name != "a:rPr" {
		return
	}
	for a := range xmltext.Each(w.source, t.Start, t.End) {
		if a.Name == "lang" {
			w.langs = append(w.langs, a)
		}
	}
}

func (w *walker) within(name string) bool {
	for i := len(w.open) - 1; i >= 0; i-- {
		if w.open[i] == name {
			return true
		}
	}
	return false
}

func (w *walker) end(t xmltext.Token) {
	g, p := w.g, w.para()
	switch {
	case w.inText.End > 0 && (g.text[t.Name] || t.Name == g.whole):
		w.text(t)
		w.inText = xmltext.Token{}
	case p != nil && g.paragraph[t.Name] && t.Name == p.start.Name && !(t.Name == "text" && w.parent() != "comment"):
		w.flush(p, t)
		w.direction.paragraph(w, p)
		w.paras = w.paras[:len(w.paras)-1]
	case t.Name == "w:tc" || t.Name == "a:tc":
		w.cells--
	case p == nil:
	case t.Name == "w:pPr" && !t.Empty && g.paragraph[w.parent()]:
		w.direction.propertiesEnd(t)
	case g.props[t.Name] && g.run[w.parent()]:
		w.looks += w.look(w.source[w.runProps.Start:t.End])
		w.runProps.End = t.End
	case g.run[t.Name]:
		if t.Name == "a:fld" {
			p.joinable = false
		}
		w.run = xmltext.Token{}
		p.runEnd = t.End
	case g.wrap[t.Name]:
		if n := len(p.wraps); n > 0 {
			p.wraps = p.wraps[:n-1]
		}
		p.joinable = false
		if n := len(w.fields); t.Name == "w:fldSimple" && n > 0 {
			w.fields = w.fields[:n-1]
		}
	}
}

// look is what properties of a run say of how it looks. Most runs have those of others.
func (w *walker) look(properties string) string {
	looks, ok := w.known[properties]
	if !ok {
		looks = irrelevant.ReplaceAllString(properties, "")
		w.known[properties] = looks
	}
	return looks
}

// fieldChar follows where fields begin, show their results and end.
func (w *walker) fieldChar(t xmltext.Token) {
	n := len(w.fields)
	switch xmltext.Get(xmltext.Attrs(w.source, t.Start, t.End), "w:fldCharType") {
	case "begin":
		w.fields = append(w.fields, &field{})
	case "separate":
		if n > 0 {
			w.fields[n-1].result = true
		}
	case "end":
		if n > 0 {
			w.fields = w.fields[:n-1]
		}
	}
}

// fixed says whether text that is read now is computed, or no text for readers.
func (w *walker) fixed() bool {
	for _, f := range w.fields {
		if !f.result || computed.MatchString(f.instruction.String()) {
			return true
		}
	}
	return w.run.Name == "a:fld" || !w.plain
}

// mark keeps the texts before and after something apart.
func (w *walker) mark(at int) {
	if p := w.para(); p != nil {
		if n := len(p.slots); n > 0 && !(p.slots[n-1].Fixed && p.slots[n-1].Text == "") {
			p.slots = append(p.slots, segment.Slot{Fixed: true, Start: at, End: at})
		}
		p.joinable = false
	}
}

// text makes a slot of an element of text.
func (w *walker) text(end xmltext.Token) {
	shown := w.shown.String()
	if shown == "" {
		return
	}
	name, space := w.inText.Name, w.g.space
	if name == w.g.whole || strings.HasPrefix(name, "a:") {
		space = ""
	}
	slot := segment.Slot{Text: shown, Start: w.inText.Start, End: end.End, Fixed: w.fixed(), Escape: func(text string) string {
		return "<" + name + space + ">" + xmltext.Escape(text) + "</" + name + ">"
	}}
	p := w.para()
	if p == nil { // a text of its own
		w.number++
		kind := segment.Cell
		if w.g == &properties {
			kind = segment.Attribute
		}
		w.add([]segment.Slot{slot}, kind, nil)
		return
	}
	key := strings.Join(p.wraps, " ") + "|" + w.looks
	style, ok := w.styles[key]
	if !ok {
		style = len(w.styles)
		w.styles[key] = style
		w.shapes = append(w.shapes, strings.TrimPrefix(w.looks, fieldLook))
	}
	slot.Style, slot.Joined = style, p.joinable
	p.slots = append(p.slots, slot)
	p.joinable, p.texts = true, true
	w.direction.run(w)
}

// flush makes a segment of what was read of a paragraph until a token.
func (w *walker) flush(p *paragraph, until xmltext.Token) {
	slots := p.slots
	p.slots, p.joinable = nil, false
	for _, s := range slots {
		if !s.Fixed && segment.HasWords(s.Text) {
			w.add(slots, p.kind, w.behind(p, slots, until))
			return
		}
	}
}

func (w *walker) add(slots []segment.Slot, kind segment.Kind, behind *segment.Behind) {
	id := fmt.Sprintf("%s, paragraph %d", w.part, w.number)
	if w.taken[id]++; w.taken[id] > 1 {
		id += fmt.Sprintf(" (%d)", w.taken[id])
	}
	w.segments = append(w.segments, &segment.Segment{ID: id, Kind: kind, Slots: slots, Protect: segment.InProse, Behind: behind})
}
