// Package rtf takes Rich Text Format apart (specification 1.9.1): the texts of paragraphs, cells, notes, remarks, boxes, heads
// and feet. Control words and all that is no text stay byte for byte.
package rtf

import (
	"cmp"
	"strings"
	"unicode/utf16"

	"dragoman/watch/document/segment"
)

const maxDepth = 5000 // of groups

// Read takes a file apart, and says how it is written.
func Read(data []byte) ([]*segment.Part, func(segment.Options) ([]byte, error), error) {
	r := &reader{source: string(data), page: 1252, fonts: map[int]int{}, styles: map[look]int{{}: 0}, spoken: map[int]int{}, stack: []group{{uc: 1}}, texts: []paragraph{{}}}
	if err := r.read(); err != nil {
		return nil, nil, err
	}
	part := &segment.Part{Source: r.source, Segments: r.segments, Break: `\line `, Localise: r.localise}
	segment.Number(part)
	write := func(o segment.Options) ([]byte, error) {
		body, err := part.Render(o)
		return []byte(body), err
	}
	return []*segment.Part{part}, write, nil
}

// group is what holds within braces.
type group struct {
	does   destination
	uc     int // characters that follow \u for readers of old
	look   look
	gone   bool // deleted or hidden
	field  *field
	star   bool // it may be left out by readers that do not know it
	begins bool // nothing was in it so far
	inner  bool // it has a paragraph of its own
}

// look is what characters of a text have in common that look the same.
type look struct {
	bold, italic, strike, caps            bool
	under                                 string
	position, font, size, color, back, of int
	field                                 int // that it is in, which may be a link
}

// field is computed but where its instruction is a link.
type field struct {
	told, computed bool // by its instruction
}

// paragraph is what is read of one.
type paragraph struct {
	slots []segment.Slot
	kind  segment.Kind
}

type reader struct {
	source   string
	at       int
	page     int // of the file
	fonts    map[int]int
	font     int // whose entry of the table is read
	first    int // the font where none is said
	fields   int // that there were so far
	styles   map[look]int
	stack    []group
	texts    []paragraph // that are in each other
	segments []*segment.Segment
	run      run
	skip     int // characters that still stand for \u
	before   token
	paras    []segment.Edit // for languages that are written from right to left

	languages []token     // that name one
	spoken    map[int]int // how often each is named
}

// run is the text that is read, from start on.
type run struct {
	start, end int
	bare       bool
	raw        []byte   // in the code page
	units      []uint16 // of UTF-16
	text       strings.Builder
	bad        bool
}

func (r *reader) top() *group { return &r.stack[len(r.stack)-1] }

func (r *reader) bad(reason string) error {
	return &segment.FormatError{Format: "RTF", Line: segment.LineOf(r.source, r.at), Reason: reason, Hint: "save it anew with the program it is from"}
}

func (r *reader) read() error {
	r.at = len(r.source) - len(strings.TrimLeft(r.source, " \t\r\n"))
	if !strings.HasPrefix(r.source[r.at:], `{\rtf`) {
		return r.bad(`it does not begin with {\rtf`)
	}
	for r.at < len(r.source) {
		t := next(r.source, r.at)
		switch t.kind {
		case opens:
			r.flushRun()
			if len(r.stack) > maxDepth {
				return r.bad("groups are nested too deep")
			}
			g := *r.top()
			g.star, g.begins, g.inner = false, true, false
			r.stack = append(r.stack, g)
			r.skip = 0
		case closes:
			r.flushRun()
			r.skip = 0
			r.leave()
		case word:
			if t.name == "bin" && t.has && t.number > 0 {
				t.end += min(t.number, len(r.source)-t.end)
			} else {
				r.control(t)
			}
		case hex, char:
			r.top().begins = false
			if r.skip > 0 {
				r.skip--
				r.extend(t)
			} else {
				r.character(t)
			}
		}
		if t.kind != ignored {
			r.before = t
		}
		r.at = t.end
		if len(r.stack) == 1 && t.kind == closes {
			break // what is behind the file's group is none of it
		}
	}
	r.flushRun()
	r.at = -1 // nothing can be put behind the file's group
	for len(r.texts) > 0 {
		r.flush(false)
		r.texts = r.texts[:len(r.texts)-1]
	}
	return nil
}

// extend has a token belong to the run that is read, if there is one.
func (r *reader) extend(t token) {
	if r.run.end > 0 {
		r.run.end = t.end
	}
}

// leave ends a group.
func (r *reader) leave() {
	g := r.top()
	if g.inner {
		r.flush(false)
		r.texts = r.texts[:len(r.texts)-1]
	}
	r.stack = r.stack[:len(r.stack)-1]
}

// shown says whether text is read here.
func (r *reader) shown() bool { return r.top().does == body && !r.top().gone }

// character reads one of a text.
func (r *reader) character(t token) {
	g := r.top()
	switch {
	case g.does == instruction && g.field != nil:
		r.instruct(t)
		return
	case !r.shown():
		return
	}
	r.begin(t)
	r.decodeUnits()
	r.run.raw = append(r.run.raw, t.code)
	r.run.end = t.end
}

// begin begins a run of text if there is none.
func (r *reader) begin(t token) {
	if r.run.end == 0 {
		r.run.start, r.run.bare = t.start, r.before.kind == word && r.before.bare && r.before.end == t.start && isLetter(r.before.name)
	}
}

func isLetter(name string) bool { return name != "" && (name[0]|0x20) >= 'a' && (name[0]|0x20) <= 'z' }

// put adds characters that are known.
func (r *reader) put(t token, text string) {
	r.begin(t)
	r.decodeRaw()
	r.decodeUnits()
	r.run.text.WriteString(text)
	r.run.end = t.end
}

// unicode reads \u.
func (r *reader) unicode(t token) {
	r.skip = r.top().uc
	if !r.shown() {
		return
	}
	r.begin(t)
	r.decodeRaw()
	r.run.units = append(r.run.units, uint16(t.number))
	r.run.end = t.end
}

func (r *reader) decodeUnits() {
	if len(r.run.units) > 0 {
		r.run.text.WriteString(string(utf16.Decode(r.run.units)))
		r.run.units = nil
	}
}

func (r *reader) decodeRaw() {
	if len(r.run.raw) == 0 {
		return
	}
	page, known := r.fonts[r.top().look.font]
	if !known {
		page = r.page
	}
	table, known := codePages[page]
	raw := r.run.raw
	r.run.raw = nil
	if !known {
		r.run.bad = r.run.bad || page == symbols || !ascii(raw)
		r.run.text.Write(raw)
		return
	}
	text, err := table.NewDecoder().Bytes(raw)
	r.run.bad = r.run.bad || err != nil
	r.run.text.Write(text)
}

func ascii(raw []byte) bool {
	for _, c := range raw {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// flushRun makes a slot of the run.
func (r *reader) flushRun() {
	if r.run.end == 0 {
		return
	}
	r.decodeRaw()
	r.decodeUnits()
	text, start, end, bare, bad := r.run.text.String(), r.run.start, r.run.end, r.run.bare, r.run.bad
	r.run = run{}
	g := r.top()
	p := &r.texts[len(r.texts)-1]
	style, ok := r.styles[g.look]
	if !ok {
		style = len(r.styles)
		r.styles[g.look] = style
	}
	slot := segment.Slot{Text: text, Style: style, Start: start, End: end}
	uc := g.uc
	slot.Escape = func(text string) string { return escape(text, uc, bare) }
	switch n := len(p.slots); {
	case bad || strings.ContainsRune(text, '\uFFFD') || g.field != nil && g.field.computed:
		slot.Fixed = true
	case n > 0 && !p.slots[n-1].Fixed && p.slots[n-1].Style == style:
		slot.Joined = true
	}
	p.slots = append(p.slots, slot)
}

// mark keeps the texts before and after what is no text apart.
func (r *reader) mark(at int) {
	p := &r.texts[len(r.texts)-1]
	if n := len(p.slots); n > 0 && r.shown() {
		p.slots = append(p.slots, segment.Slot{Fixed: true, Start: at, End: at})
	}
}

// flush makes a segment of the paragraph.
func (r *reader) flush(cell bool) {
	p := &r.texts[len(r.texts)-1]
	slots := p.slots
	p.slots = nil
	for _, s := range slots {
		if !s.Fixed && segment.HasWords(s.Text) {
			kind := cmp.Or(p.kind, segment.Paragraph)
			if cell {
				kind = segment.Cell
			}
			r.segments = append(r.segments, &segment.Segment{Kind: kind, Protect: segment.InProse, Slots: slots, Behind: r.behind(slots)})
			return
		}
	}
}

// behind is where the translation of slots goes if the text stays: before what ends the
// paragraph, where no group of it is open, but within the one that all of the text is in.
func (r *reader) behind(slots []segment.Slot) *segment.Behind {
	if r.at < 0 || segment.Alike(slots) {
		return nil
	}
	between, uc := `\line `, r.top().uc
	if strings.HasPrefix(r.source[r.at:], `\tab`) { // columns stay on one line
		between = " / "
	}
	return &segment.Behind{At: r.at, Write: func(translation string) string { return between + escape(translation, uc, false) }}
}
