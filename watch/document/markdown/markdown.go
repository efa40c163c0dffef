// Package markdown takes Markdown apart: CommonMark with tables, strikethrough, task
// lists, footnotes, definition lists and front matter. Code, HTML tags, addresses and
// all markup stay.
package markdown

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"dragoman/watch/document/markup"
	"dragoman/watch/document/segment"
)

// markdown is safe for concurrent use.
var markdown = goldmark.New(goldmark.WithExtensions(
	extension.Table, extension.Strikethrough, extension.TaskList, extension.DefinitionList, extension.Footnote,
)).Parser()

// Read takes a text apart. It never fails on markup: what is none is text.
func Read(body string) (*segment.Part, error) {
	if err := checkLimits(body); err != nil {
		return nil, err
	}
	r := &reader{source: body, styles: map[string]int{"": 0}, titles: map[int]bool{}}
	r.skip = r.frontMatter()
	r.parsed = []byte(body[r.skip:])
	r.known = parser.NewContext()
	tree := markdown.Parse(text.NewReader(r.parsed), parser.WithContext(r.known))
	if err := ast.Walk(tree, r.block); err != nil {
		return nil, err
	}
	r.segments = append(r.segments, r.freeTitles()...)
	p := &segment.Part{Source: body, Segments: r.segments, Break: "<br>", Localise: r.relabel}
	segment.Number(p)
	return p, nil
}

type reader struct {
	source   string
	skip     int    // bytes before what is parsed
	parsed   []byte // for the parser, which has no strings
	segments []*segment.Segment
	styles   map[string]int
	labels   []*label
	titled   []*segment.Segment // titles, each with one slot
	titles   map[int]bool       // where they begin
	known    parser.Context     // which has the targets of links by their names
}

const (
	maxLabel  = 1000     // bytes, as CommonMark has it
	maxJoined = 16 << 10 // bytes of a slot that more is added to: adding copies it
)

// label is a link whose words name its target too: [words][] or [words].
type label struct {
	start, end int // of the words
	close      int // behind their bracket
	collapsed  bool
	segment    *segment.Segment
}

// relabel names the target of links whose words have changed.
func (r *reader) relabel(o segment.Options) (edits []segment.Edit) {
	for _, l := range r.labels {
		if l.segment == nil || o.Bilingual || !l.changed() {
			continue
		}
		name := r.source[l.start:l.end]
		if l.collapsed {
			edits = append(edits, segment.Edit{Start: l.close + 1, End: l.close + 1, Text: name})
		} else {
			edits = append(edits, segment.Edit{Start: l.close, End: l.close, Text: "[" + name + "]"})
		}
	}
	return edits
}

func (l *label) changed() bool {
	if !l.segment.Changed() {
		return false
	}
	for _, s := range l.segment.Slots {
		if s.Start >= l.start && s.End <= l.close && s.Out != s.Text && !s.Fixed {
			return true
		}
	}
	return false
}

// block makes segments of a block with text in it.
func (r *reader) block(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.HTMLBlock:
		r.html(n)
		return ast.WalkSkipChildren, nil
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return ast.WalkSkipChildren, nil
	case *ast.LinkReferenceDefinition:
		r.title(n.Pos(), "]:", n.Destination, n.Title, false)
	}
	if n.Type() == ast.TypeInline {
		return ast.WalkSkipChildren, nil
	}
	if first := n.FirstChild(); first == nil || first.Type() != ast.TypeInline {
		return ast.WalkContinue, nil
	}
	kind := segment.Paragraph
	switch n.(type) {
	case *ast.Heading:
		kind = segment.Heading
	case *extast.TableCell:
		kind = segment.Cell
	}
	in := &inline{reader: r, kind: kind, cell: kind == segment.Cell}
	in.children(n, "")
	in.end(in.contentEnd(n))
	return ast.WalkSkipChildren, nil
}

// html has the texts of a block of HTML translated.
func (r *reader) html(n *ast.HTMLBlock) {
	lines := n.Lines()
	if lines.Len() == 0 {
		return
	}
	start, end := lines.At(0).Start+r.skip, lines.At(lines.Len()-1).Stop+r.skip
	if n.HasClosure() {
		end = max(end, n.ClosureLine.Stop+r.skip)
	}
	part, err := markup.ReadHTML(r.source[start:end])
	if err != nil {
		return // it stays as it is
	}
	for _, s := range part.Segments {
		for i := range s.Slots {
			s.Slots[i].Start += start
			s.Slots[i].End += start
		}
		s.ID = ""
		r.segments = append(r.segments, s)
	}
}

// inline collects the slots of one block.
type inline struct {
	*reader
	kind  segment.Kind
	cell  bool // it is in a cell of a table
	slots []segment.Slot
	lines [][]line // of each slot
	tags  []string // HTML elements that are open
	soft  bool     // a line ends after the last slot
	named []*label // links among the slots
}

// line is a part of a slot that stands on one line of the source.
type line struct{ start, end int }

func (in *inline) children(n ast.Node, style string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			in.text(c.Segment.Start+in.skip, c.Segment.Stop+in.skip, style)
			in.soft = c.SoftLineBreak()
			if c.HardLineBreak() {
				in.end(c.Segment.Stop + in.skip)
			}
		case *ast.CodeSpan:
			in.code(c)
		case *ast.AutoLink:
			in.fixed(string(c.Label(in.parsed)), -1, -1)
		case *ast.RawHTML:
			in.tag(c)
		case *ast.Image:
			alt := &inline{reader: in.reader, kind: segment.Attribute, cell: in.cell}
			alt.children(c, "")
			alt.label(0)
			alt.end(-1)
			in.ofLink(c, c.Reference, c.Destination, c.Title)
			in.mark()
		case *ast.Emphasis:
			in.children(c, style+strings.Repeat("*", c.Level))
		case *ast.Link:
			before := len(in.slots)
			in.children(c, style+"[")
			if len(in.slots) == before { // without words it still parts those around it
				in.mark()
			}
			in.label(before)
			in.ofLink(c, c.Reference, c.Destination, c.Title)
		case *extast.Strikethrough:
			in.children(c, style+"~")
		default: // a check box, a reference to a footnote
			in.mark()
		}
	}
}

// label finds out whether the link of the slots since before is named by its words. Its
// end is found in the source: what comes after the words' bracket tells.
func (in *inline) label(before int) {
	first, last := -1, -1
	for _, s := range in.slots[before:] {
		if s.Start >= 0 && (first < 0 || s.Start < first) {
			first = s.Start
		}
		last = max(last, s.End)
	}
	if first < 0 {
		return // only code, which stays
	}
	from, depth := first-1, 0
	for ; from >= in.skip && from > first-maxLabel; from-- {
		if c := in.source[from]; c == ']' {
			depth++
		} else if c == '[' {
			if depth == 0 {
				break
			}
			depth--
		}
	}
	at := last
	depth = 0
	for ; at < len(in.source) && at < last+maxLabel; at++ {
		if c := in.source[at]; c == '\\' {
			at++
		} else if c == '[' {
			depth++
		} else if c == ']' {
			if depth == 0 {
				break
			}
			depth--
		}
	}
	if from < in.skip || at >= len(in.source) || in.source[from] != '[' || in.source[at] != ']' {
		return
	}
	if _, ok := in.known.Reference(util.ToLinkReference([]byte(in.source[from+1 : at]))); !ok {
		return
	}
	first = from + 1
	rest := in.source[at+1:]
	switch {
	case strings.HasPrefix(rest, "[]"):
		in.named = append(in.named, &label{start: first, end: at, close: at + 1, collapsed: true})
	case strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "["):
	default:
		in.named = append(in.named, &label{start: first, end: at, close: at + 1})
	}
}

func (in *inline) styleOf(style string) int {
	style += strings.Join(in.tags, "<")
	id, ok := in.styles[style]
	if !ok {
		id = len(in.styles)
		in.styles[style] = id
	}
	return id
}

// text adds bytes of the source to the last slot, where nothing but the end of a line
// is between them, or as a new slot.
func (in *inline) text(start, end int, style string) {
	if start >= end {
		return
	}
	id := in.styleOf(style)
	shown := unescape(in.source[start:end])
	if in.literal() {
		in.fixed(shown, start, end)
		return
	}
	if n := len(in.slots) - 1; n >= 0 && in.slots[n].Style == id && !in.slots[n].Fixed && in.slots[n].End >= 0 && (in.slots[n].End == start || in.soft) && len(in.slots[n].Text) < maxJoined {
		last := &in.slots[n]
		if in.soft {
			last.Text += segment.LineEnd(last.Text, shown)
			in.lines[n] = append(in.lines[n], line{start, end})
		} else {
			in.lines[n][len(in.lines[n])-1].end = end
		}
		last.Text += shown
		last.End = end
		in.soft = false
		return
	}
	if in.soft && len(in.slots) > 0 {
		shown = segment.LineEnd(in.slots[len(in.slots)-1].Text, shown) + shown
	}
	in.soft = false
	in.slots = append(in.slots, segment.Slot{Text: shown, Style: id, Start: start, End: end})
	in.lines = append(in.lines, []line{{start, end}})
}

func (in *inline) fixed(shown string, start, end int) {
	if in.soft && len(in.slots) > 0 {
		// The slot's own text is kept apart from the words before it.
		in.slots = append(in.slots, segment.Slot{Text: " ", Fixed: true, Start: -1, End: -1})
		in.lines = append(in.lines, nil)
	}
	in.soft = false
	in.slots = append(in.slots, segment.Slot{Text: shown, Fixed: true, Start: start, End: end})
	in.lines = append(in.lines, nil)
}

// mark keeps the texts before and after what is not text apart.
func (in *inline) mark() { in.fixed("", -1, -1) }

func (in *inline) code(c *ast.CodeSpan) {
	var b strings.Builder
	for t := c.FirstChild(); t != nil; t = t.NextSibling() {
		if t, ok := t.(*ast.Text); ok {
			b.Write(t.Segment.Value(in.parsed))
		}
	}
	in.fixed(strings.ReplaceAll(b.String(), "\n", " "), -1, -1)
}

// literal says whether an HTML element is open whose text stays.
func (in *inline) literal() bool {
	for _, t := range in.tags {
		if t == "code" || t == "kbd" || t == "samp" || t == "var" {
			return true
		}
	}
	return false
}

// tag follows the HTML elements that are open.
func (in *inline) tag(c *ast.RawHTML) {
	var b strings.Builder
	for i := range c.Segments.Len() {
		at := c.Segments.At(i)
		b.Write(at.Value(in.parsed))
	}
	raw := b.String()
	name := strings.ToLower(strings.TrimLeft(raw, "</"))
	if i := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); i >= 0 {
		name = name[:i]
	}
	switch {
	case name == "br":
		in.end(c.Segments.At(0).Start + in.skip)
	case name == "" || strings.HasSuffix(raw, "/>") || name == "img" || name == "wbr" || name == "input":
		in.mark()
	case strings.HasPrefix(raw, "</"):
		for i := len(in.tags) - 1; i >= 0; i-- {
			if in.tags[i] == name {
				in.tags = in.tags[:i]
				break
			}
		}
		in.mark()
	default:
		if len(in.tags) < maxNesting {
			in.tags = append(in.tags, name)
		}
		in.mark()
	}
}

// contentEnd is where the last line of a block ends, -1 where it has none.
func (in *inline) contentEnd(n ast.Node) int {
	lines := n.Lines()
	if lines == nil || lines.Len() == 0 {
		return -1
	}
	last := lines.At(lines.Len() - 1)
	return in.skip + last.Start + len(strings.TrimRight(in.source[in.skip+last.Start:in.skip+last.Stop], " \t\r\n"))
}

// end makes a segment of the slots, whose markup ends at a place, -1 for that of the last.
func (in *inline) end(at int) {
	slots, lines := in.slots, in.lines
	in.slots, in.lines, in.soft = nil, nil, false
	words := false
	for i := range slots {
		words = words || !slots[i].Fixed && segment.HasWords(slots[i].Text)
	}
	if !words {
		return
	}
	for i := range slots {
		if slots[i].Fixed {
			if slots[i].Start < 0 {
				slots[i].Start, slots[i].End = place(slots, i), place(slots, i)
			}
			continue
		}
		e := escaper{source: in.source, lines: lines[i], first: i == 0 && !in.cell, cell: in.cell, afterBreak: in.startsLine(slots[i].Start)}
		slots[i].Escape = e.escape
	}
	s := &segment.Segment{Kind: in.kind, Slots: slots, Protect: segment.InProse, Fits: in.fits(), Behind: in.behind(slots, at)}
	in.segments = append(in.segments, s)
	for _, l := range in.named {
		l.segment = s
	}
	in.labels = append(in.labels, in.named...)
	in.named = nil
}

// behind is where the translation of slots goes if the text stays: behind all markup, but within the
// one that all of the text is in.
func (in *inline) behind(slots []segment.Slot, at int) *segment.Behind {
	from := len(in.source)
	for _, s := range slots {
		from = min(from, s.Start)
	}
	if at < from || segment.Alike(slots) && slots[0].Style != 0 {
		return nil
	}
	write := escaper{source: in.source, lines: []line{{from, at}}, cell: in.cell}
	return &segment.Behind{At: at, Write: func(translation string) string { return "<br>" + write.escape(translation) }}
}

// startsLine says whether a place in the source is the first of its line that is not
// markup of blocks.
func (in *inline) startsLine(at int) bool {
	before := in.source[:at]
	return strings.Trim(before[strings.LastIndexByte(before, '\n')+1:], " \t>*_~[") == ""
}

// fits says whether emphasis stays emphasis (CommonMark, section 6.2: a mark between a
// letter and a punctuation character opens or closes nothing), and whether no line
// comes out empty, which would end the paragraph.
func (in *inline) fits() func(*segment.Segment) bool {
	return func(s *segment.Segment) bool {
		for i, slot := range s.Slots {
			if slot.Fixed || slot.Out == slot.Text {
				continue
			}
			if strings.TrimSpace(slot.Out) == "" && strings.TrimSpace(slot.Text) != "" && in.startsLine(slot.Start) && i > 0 {
				return false
			}
			if slot.Style == 0 || slot.Out == "" {
				continue
			}
			first, last := firstRune(slot.Out), lastRune(slot.Out)
			if unicode.IsSpace(first) || unicode.IsSpace(last) {
				return false
			}
			if i > 0 && unicode.In(first, unicode.P, unicode.S) && inWord(lastRune(s.Slots[i-1].Out)) ||
				i+1 < len(s.Slots) && unicode.In(last, unicode.P, unicode.S) && inWord(firstRune(s.Slots[i+1].Out)) {
				return false
			}
		}
		return true
	}
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// place is where a slot without bytes of its own lies.
func place(slots []segment.Slot, i int) int {
	for j := i - 1; j >= 0; j-- {
		if slots[j].End >= 0 {
			return slots[j].End
		}
	}
	for _, s := range slots[i:] {
		if s.Start >= 0 {
			return s.Start
		}
	}
	return 0
}

// unescape is what a reader sees of a text.
func unescape(raw string) string {
	if !strings.ContainsAny(raw, `\&`) {
		return raw
	}
	return escaped.ReplaceAllStringFunc(raw, func(found string) string {
		if found[0] == '\\' {
			return found[1:]
		}
		return string(util.ResolveEntityNames(util.ResolveNumericReferences([]byte(found))))
	})
}

// escaped is a character that is written with a backslash, or by its name or number.
var escaped = regexp.MustCompile("\\\\[!-/:-@\\[-`{-~]|" + entity.String())
