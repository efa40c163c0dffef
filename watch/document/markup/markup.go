// Package markup takes HTML and XHTML apart: the texts of blocks, with the inline
// elements in them as markup of one segment, and the attributes that readers see.
// Tags, comments, scripts, styles and what is marked as not to be translated stay.
package markup

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"dragoman/watch/document/quantity"
	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// ReadHTML takes HTML apart. Like a browser it takes anything.
func ReadHTML(body string) (*segment.Part, error) {
	r := newReader(body, false)
	tokens := html.NewTokenizer(strings.NewReader(body))
	tokens.SetMaxBuf(maxToken)
	at := 0
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			if tokens.Err() == html.ErrBufferExceeded {
				return nil, &segment.FormatError{Format: "HTML", Line: segment.LineOf(body, at), Reason: "a tag or text is longer than 16 MiB", Hint: "cut it into smaller files"}
			}
			break // the end; what is left of an unfinished tag stays
		}
		start := at
		at += len(tokens.Raw())
		switch kind {
		case html.TextToken:
			r.text(start, at)
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := tokens.TagName()
			r.start(string(name), start, at, false)
		case html.EndTagToken:
			name, _ := tokens.TagName()
			r.end(string(name))
			r.ended = closing{string(name), at}
		}
		if len(r.stack) > maxOpen {
			return nil, &segment.FormatError{Format: "HTML", Line: segment.LineOf(body, at), Reason: fmt.Sprintf("elements are nested deeper than %d", maxOpen), Hint: "check that they are closed"}
		}
	}
	return r.part(), nil
}

const (
	maxToken = 16 << 20 // bytes
	maxOpen  = 20_000   // elements, many of which nobody closed
)

// ReadXHTML takes XHTML apart, which must be well-formed.
func ReadXHTML(body string) (*segment.Part, error) {
	r := newReader(body, true)
	err := xmltext.Scan(body, func(t xmltext.Token) error {
		switch t.Kind {
		case xmltext.Text:
			r.text(t.Start, t.End)
		case xmltext.Start:
			r.start(strings.ToLower(t.Name), t.Start, t.End, t.Empty)
		case xmltext.End:
			if !t.Empty {
				r.end(strings.ToLower(t.Name))
				r.ended = closing{strings.ToLower(t.Name), t.End}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r.part(), nil
}

type element struct {
	name  string
	keep  bool // not translated
	pre   bool // white space counts
	style int
	kind  segment.Kind
	// of XML only
	block, foreign, sure bool
}

type reader struct {
	source   string
	xhtml    bool
	xml      *vocabulary // nil for HTML
	stack    []element
	count    map[string]int // of each name in the stack, so that a stray end tag costs nothing
	styles   map[string]int
	slots    []segment.Slot // of the block that is read
	sure     bool           // a single word is a text there
	kind     segment.Kind
	segments []*segment.Segment
	depths   []int // of the elements that the slots are in
	lineless bool  // one of them has no line breaks
	root     tag   // the html element
	charset  []segment.Edit
	language []xmltext.Attr // attributes that name a language
	ended    closing        // the last end tag
	forms    []*quantity.Text
}

// closing is an end tag.
type closing struct {
	name string
	at   int // behind it
}

type tag struct {
	found      bool
	start, end int
	attrs      []xmltext.Attr
}

func newReader(body string, xhtml bool) *reader {
	return &reader{source: body, xhtml: xhtml, count: map[string]int{}, styles: map[string]int{}}
}

func (r *reader) top() element {
	if len(r.stack) == 0 {
		return element{kind: segment.Paragraph}
	}
	return r.stack[len(r.stack)-1]
}

func (r *reader) part() *segment.Part {
	r.flush()
	p := &segment.Part{Source: r.source, Segments: r.segments, Break: "<br>", Localise: r.localise}
	if r.xhtml {
		p.Break = "<br/>"
	}
	segment.Number(p)
	return p
}

func (r *reader) start(name string, start, end int, empty bool) {
	attrs := xmltext.Attrs(r.source, start, end)
	top := r.top().name
	if !r.xhtml && (top == name && selfEnding[name] || top == "p" && endsParagraph[name]) {
		r.pop()
	}
	parent := r.top()
	e := element{name: name, keep: parent.keep || untranslated[name] || literal[name], pre: parent.pre || name == "pre", style: parent.style, kind: parent.kind}
	for _, a := range attrs {
		if strings.EqualFold(a.Name, "translate") {
			switch strings.ToLower(a.Value) {
			case "no":
				e.keep = true
			case "yes", "":
				e.keep = untranslated[name]
			}
		}
	}
	if slices.Contains(strings.Fields(xmltext.Get(attrs, "class")), "notranslate") {
		e.keep = true
	}
	if name == "html" && !r.root.found {
		r.root = tag{true, start, end, attrs}
	}
	for _, a := range attrs {
		if (a.Name == "lang" || a.Name == "xml:lang") && name != "html" {
			r.language = append(r.language, a)
		}
	}
	switch {
	case block[name] || name == "br" || name == "hr":
		r.flush()
		if headings[name] {
			e.kind = segment.Heading
		} else if cells[name] {
			e.kind = segment.Cell
		} else if block[name] && name != "p" && name != "div" {
			e.kind = segment.Paragraph
		}
		e.style = 0
	case apart[name] && r.ended == (closing{name, start}):
		r.flush()
		e.style = 0
	case void[name] || untranslated[name] || empty:
		r.mark(start)
	default:
		e.style = r.styleOf(parent.style, name)
		r.mark(start)
	}
	if name == "meta" {
		r.meta(attrs)
	}
	if !e.keep || literal[name] && !parent.keep {
		r.attributes(name, attrs)
	}
	if empty || !r.xhtml && void[name] {
		return
	}
	r.count[name]++
	r.stack = append(r.stack, e)
}

func (r *reader) styleOf(parent int, name string) int {
	key := fmt.Sprintf("%d %s", parent, name)
	id, ok := r.styles[key]
	if !ok {
		id = len(r.styles) + 1
		r.styles[key] = id
	}
	return id
}

// end closes the nearest element of the name and all in it.
func (r *reader) end(name string) {
	if r.count[name] == 0 {
		if name == "p" || name == "br" { // a browser makes an element of it (HTML standard, section 13.2.6.4.7)
			r.flush()
		}
		return
	}
	for {
		if popped := r.pop(); popped == name {
			return
		}
	}
}

func (r *reader) pop() string {
	last := len(r.stack) - 1
	name := r.stack[last].name
	if r.isBlock(r.stack[last]) {
		r.flush()
	} else if len(r.slots) > 0 {
		r.mark(r.slots[len(r.slots)-1].End)
	}
	r.stack = r.stack[:last]
	r.count[name]--
	return name
}

// mark keeps the texts before and after a tag apart.
func (r *reader) mark(at int) {
	if n := len(r.slots); n > 0 && !(r.slots[n-1].Fixed && r.slots[n-1].Text == "") {
		r.add(segment.Slot{Fixed: true, Start: max(at, r.slots[n-1].End), End: max(at, r.slots[n-1].End)})
	}
}

func (r *reader) add(s segment.Slot) {
	r.slots, r.depths = append(r.slots, s), append(r.depths, len(r.stack))
	r.lineless = r.lineless || lineless[r.top().name]
}

func (r *reader) text(start, end int) {
	top := r.top()
	raw := r.source[start:end]
	slot := segment.Slot{Text: html.UnescapeString(raw), Start: start, End: end, Escape: r.escape}
	switch known := true; {
	case r.xml != nil && r.xml.android:
		slot = r.androidText(start, end)
	case r.xml != nil:
		slot.Text, known = unescapeXML(raw)
		slot.Fixed = !known
	}
	if !top.pre {
		slot.Text = r.collapse(slot.Text)
	}
	switch {
	case top.keep && (len(r.slots) == 0 && !r.inSentence() || r.xml == nil && untranslated[top.name] || r.xml != nil && top.foreign):
		return
	case top.keep:
		r.add(segment.Slot{Text: slot.Text, Fixed: true, Start: start, End: end})
	default:
		slot.Style = top.style
		r.add(slot)
	}
	if len(r.slots) == 1 {
		r.kind, r.sure = top.kind, false
	}
	r.sure = r.sure || top.sure
}

// inSentence says whether all elements from the nearest block on may be translated, so
// that kept text is a word in a sentence.
func (r *reader) inSentence() bool {
	for i := len(r.stack) - 1; i >= 0; i-- {
		if r.isBlock(r.stack[i]) {
			return !r.stack[i].keep
		}
	}
	return true
}

const (
	space  = " \t\n\r\f"
	blanks = space + "\u00a0"
)

// collapse makes one space of any white space, as a browser shows it, also across tags.
func (r *reader) collapse(s string) string {
	var b strings.Builder
	blank := false
	for i := len(r.slots) - 1; i >= 0; i-- {
		if t := r.slots[i].Text; t != "" {
			blank = strings.HasSuffix(t, " ")
			break
		}
	}
	for i := range len(s) {
		if strings.IndexByte(space, s[i]) >= 0 {
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
			continue
		}
		blank = false
		b.WriteByte(s[i])
	}
	return b.String()
}

// flush makes a segment of the block that was read.
func (r *reader) flush() {
	slots, depths := r.slots, r.depths
	r.slots, r.depths = nil, nil
	defer func() { r.lineless = false }()
	words := false
	for _, s := range slots {
		words = words || !s.Fixed && segment.HasWords(s.Text)
	}
	if !words || r.xml != nil && !r.sure && !sentence(slots) {
		return
	}
	leading, trailing, protect := leadingSpace, trailingSpace, segment.InProse
	if r.xml != nil {
		protect = segment.InMessages // it may be texts of a program
	}
	if r.xml != nil && r.xml.android {
		leading, trailing = leadingEscaped, trailingEscaped
		r.keepQuoted(slots)
	}
	for i := 0; i < len(slots) && trimLeft(r.source, &slots[i], leading); i++ {
	}
	for i := len(slots) - 1; i >= 0 && trimRight(r.source, &slots[i], trailing); i-- {
	}
	s := &segment.Segment{Kind: r.kind, Slots: slots, Protect: protect}
	if r.xml == nil {
		s.Behind = r.behind(slots, depths)
	}
	r.segments = append(r.segments, s)
}

// endTag is one that may come behind a text.
var endTag = regexp.MustCompile(`^[ \t\n\r\f]*</[^<>]*>`)

// behind is where the translation of slots goes if the text stays: behind their last text, and out
// of the elements that only this one is in.
func (r *reader) behind(slots []segment.Slot, depths []int) *segment.Behind {
	last, least := 0, len(r.source)
	for i, s := range slots {
		if s.Text != "" {
			last, least = i, min(least, depths[i])
		}
	}
	at := slots[last].End
	for range depths[last] - least {
		tag := endTag.FindString(r.source[at:])
		if tag == "" { // nobody wrote it, and the element ends later
			break
		}
		at += len(tag)
	}
	between := "<br>"
	switch {
	case r.lineless:
		between = " / "
	case r.xhtml:
		between = "<br/>"
	}
	return &segment.Behind{At: at, Write: func(translation string) string { return between + r.escape(translation) }}
}

// isBlock says whether an element ends a sentence.
func (r *reader) isBlock(e element) bool {
	if r.xml != nil {
		return e.block
	}
	return block[e.name]
}

// trimLeft takes white space off a slot's beginning, and says whether nothing is left.
func trimLeft(source string, s *segment.Slot, space func(string) int) bool {
	if s.Fixed {
		return s.Text == ""
	}
	n := space(source[s.Start:s.End])
	if n == s.End-s.Start {
		s.Text = ""
		return true
	}
	s.Start += n
	s.Text = strings.TrimLeft(s.Text, blanks)
	return false
}

func trimRight(source string, s *segment.Slot, space func(string) int) bool {
	if s.Fixed {
		return s.Text == ""
	}
	n := space(source[s.Start:s.End])
	if n == s.End-s.Start {
		s.Text = ""
		return true
	}
	s.End -= n
	s.Text = strings.TrimRight(s.Text, blanks)
	return false
}

// noBreak are the ways to write a no-break space.
var noBreak = []string{"&nbsp;", "&#160;", "&#xa0;", "&#xA0;", "\u00a0"}

func leadingSpace(s string) (n int) {
next:
	for n < len(s) {
		if strings.IndexByte(space, s[n]) >= 0 {
			n++
			continue
		}
		for _, b := range noBreak {
			if strings.HasPrefix(s[n:], b) {
				n += len(b)
				continue next
			}
		}
		break
	}
	return n
}

func trailingSpace(s string) (n int) {
next:
	for n < len(s) {
		rest := s[:len(s)-n]
		if strings.IndexByte(space, rest[len(rest)-1]) >= 0 {
			n++
			continue
		}
		for _, b := range noBreak {
			if strings.HasSuffix(rest, b) {
				n += len(b)
				continue next
			}
		}
		break
	}
	return n
}

func (r *reader) escape(text string) string {
	text = xmltext.Escape(text)
	if !r.xhtml && r.xml == nil {
		text = strings.ReplaceAll(text, "\u00a0", "&nbsp;")
	}
	return text
}
