// Package restructured takes reStructuredText apart (the docutils markup specification),
// with the directives and roles of Sphinx. Only paragraphs, titles, items and what
// readers see of directives are segments; literal text, names and targets stay.
package restructured

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"dragoman/watch/document/segment"
)

const (
	maxLine  = 1 << 20 // bytes
	tabWidth = 8       // as docutils expands tabs
)

// Read takes a text apart. It never fails on markup: what is none is text.
func Read(body string) (*segment.Part, error) { return read(body, 0) }

// read takes a text apart that is in as many tables as depth says.
func read(body string, depth int) (*segment.Part, error) {
	r := &reader{source: body, depth: depth, referred: map[string]bool{}}
	if err := r.split(); err != nil {
		return nil, err
	}
	r.blocks()
	p := &segment.Part{Source: body, Segments: r.segments, Localise: r.adorn}
	segment.Number(p)
	p.Segments = r.withTables(p.Segments)
	return p, nil
}

// line is one of the source, without its end.
type line struct {
	start, end int // of what is not white space
	column     int // where it begins, tabs expanded
}

func (l line) blank() bool { return l.start == l.end }

type reader struct {
	source   string
	lines    []line
	at       int // index of lines
	segments []*segment.Segment
	titles   []title
	tables   []*table
	depth    int             // of tables that the text is in
	referred map[string]bool // titles that references name, as they are compared
}

// title is a heading whose line of marks has to be as long as it is.
type title struct {
	over, under int // indices of lines, over is -1 where there is none
	text        line
	segment     *segment.Segment
}

func (r *reader) split() error {
	for at := 0; at < len(r.source); {
		end, next := len(r.source), len(r.source)
		if i := strings.IndexByte(r.source[at:], '\n'); i >= 0 {
			end, next = at+i, at+i+1
		}
		if end-at > maxLine {
			return &segment.FormatError{Format: "reStructuredText", Line: len(r.lines) + 1, Reason: "the line is longer than 1 MiB", Hint: "break it into lines"}
		}
		l := line{start: at, end: at + len(strings.TrimRightFunc(r.source[at:end], unicode.IsSpace))}
		for l.start < l.end && (r.source[l.start] == ' ' || r.source[l.start] == '\t') {
			l.column++
			if r.source[l.start] == '\t' {
				l.column += (tabWidth - l.column%tabWidth) % tabWidth
			}
			l.start++
		}
		r.lines = append(r.lines, l)
		at = next
	}
	return nil
}

func (r *reader) text(l line) string { return r.source[l.start:l.end] }

var (
	bullet     = regexp.MustCompile(`^[-*+•‣⁃](?:[ \t]+|$)`)
	enumerator = regexp.MustCompile(`^(?:\((?:\d{1,9}|[A-Za-z]|[ivxlcdmIVXLCDM]+|#)\)|(?:\d{1,9}|[A-Za-z]|[ivxlcdmIVXLCDM]+|#)[.)])(?:[ \t]+|$)`)
	fieldName  = regexp.MustCompile(`^:((?:[^:\\ \t]|\\.)(?:[^:\\]|\\.|:[^ \t:])*):(?:[ \t]+|$)`)
	option     = regexp.MustCompile(`^(?:--?|/)[\w?][\w-]*(?:[ =](?:<[^<>]+>|[A-Za-z][\w-]*))?(?:, (?:--?|/)[\w?][\w-]*(?:[ =](?:<[^<>]+>|[A-Za-z][\w-]*))?)*(?:[ \t]{2,}|$)`)
	lineBlock  = regexp.MustCompile(`^\|(?:[ \t]+|$)`)
	explicit   = regexp.MustCompile(`^\.\.(?:[ \t]+|$)`)
	footnote   = regexp.MustCompile(`^\.\.[ \t]+\[(?:\d+|#|#?[\w.+:-]+|\*)\](?:[ \t]+|$)`)
	gridTable  = regexp.MustCompile(`^\+[-=]+(?:\+[-=]*)*\+$`)
	plainTable = regexp.MustCompile(`^=+(?:[ \t]+=+)+$`)
	// tableBorder is also one below a table in which a cell goes over all columns.
	tableBorder = regexp.MustCompile(`^=+(?:[ \t]+=+)*[ \t]*$`)
	enumerated  = regexp.MustCompile(`^(?:\d|#|\()`)
)

// adornment says whether a line has nothing but one mark, again and again.
func adornment(s string) bool {
	if s == "" || s[0] >= utf8.RuneSelf || !isMark(s[0]) {
		return false
	}
	return strings.Trim(s, s[:1]) == ""
}

func isMark(c byte) bool {
	return c > ' ' && c < 0x7f && !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z')
}

// blocks goes over the lines once. Where a block is nested in another does not matter:
// what begins a line, and how far it is indented, tells what it is.
func (r *reader) blocks() {
	for r.at < len(r.lines) {
		l := r.lines[r.at]
		if l.blank() {
			r.at++
			continue
		}
		r.block(l)
	}
}

// below goes over all lines that are further indented than column, and the empty ones
// between them.
func (r *reader) below(column int) {
	for r.at < len(r.lines) && (r.lines[r.at].blank() || r.lines[r.at].column > column) {
		r.at++
	}
}

// untilBlank goes over the lines up to an empty one.
func (r *reader) untilBlank() {
	for r.at < len(r.lines) && !r.lines[r.at].blank() {
		r.at++
	}
}

func (r *reader) nextBlank(i int) bool { return i >= len(r.lines) || r.lines[i].blank() }

// block reads what begins at a line that is not empty, whose markers may have been
// taken off.
func (r *reader) block(l line) {
	text := r.text(l)
	switch {
	case explicit.MatchString(text):
		r.explicit(l)
	case strings.HasPrefix(text, "__ ") || text == "__": // an anonymous target
		r.at++
		r.continued(l.column)
	case strings.HasPrefix(text, ">>>"):
		r.untilBlank()
	case gridTable.MatchString(text):
		r.gridTable(l)
	case plainTable.MatchString(text):
		r.simpleTable(l)
	case adornment(text) && r.overlined(l):
	case adornment(text) && len(text) >= 4 && r.nextBlank(r.at+1): // a transition
		r.at++
	case lineBlock.MatchString(text):
		r.marked(l, len(lineBlock.FindString(text)), true)
	case bullet.MatchString(text):
		r.marked(l, len(bullet.FindString(text)), false)
	case enumerator.MatchString(text) && r.isItem(l, text):
		r.marked(l, len(enumerator.FindString(text)), false)
	case fieldName.MatchString(text):
		r.field(l, text)
	case option.MatchString(text) && r.describes(l, text):
		r.marked(l, len(option.FindString(text)), false)
	case r.underlined(l):
	default:
		r.paragraph(l, nil)
	}
}

// isItem says whether a line with an enumerator begins an item: a paragraph may begin
// with a number or an initial.
func (r *reader) isItem(l line, text string) bool {
	if r.nextBlank(r.at + 1) {
		return true
	}
	next := r.lines[r.at+1]
	return next.column > l.column || next.column == l.column && enumerator.MatchString(r.text(next)) && enumerated.MatchString(text)
}

// describes says whether an option has a description, on its line or below.
func (r *reader) describes(l line, text string) bool {
	if len(option.FindString(text)) < len(text) {
		return true
	}
	next := r.at + 1
	return next < len(r.lines) && !r.lines[next].blank() && r.lines[next].column > l.column
}

// marked reads what is behind a marker.
func (r *reader) marked(l line, n int, alone bool) {
	rest := line{start: l.start + n, end: l.end, column: l.column + utf8.RuneCountInString(r.source[l.start:l.start+n])}
	switch {
	case rest.blank():
		r.at++
	case alone: // a line that stays one, and those that go on with it
		lines := []line{rest}
		for r.at++; r.at < len(r.lines) && !r.lines[r.at].blank() && r.lines[r.at].column > l.column; r.at++ {
			lines = append(lines, r.lines[r.at])
		}
		r.add(lines, segment.Paragraph)
	default:
		r.block(rest)
	}
}

// kept are fields whose bodies are for programs.
var kept = regexp.MustCompile(`(?i)^(?:type\b.*|rtype|vartype\b.*|authors?|contact|address|organization|version|revision|date|status|copyright|orphan|nocomments|tocdepth|nosearch|no-search|id|pep|python-version|post-history|content-type|sponsor|requires|replaces|superseded-by|last-modified|created|discussions-to|topic|license|keywords|maintainer|layout|slug|tags|category|lang|url|save_as|modified)$`)

func (r *reader) field(l line, text string) {
	found := fieldName.FindStringSubmatch(text)
	if kept.MatchString(found[1]) {
		r.at++
		r.below(l.column)
		return
	}
	rest := line{start: l.start + len(found[0]), end: l.end, column: -1} // its lines may be indented as they like
	if rest.blank() {
		r.at++
		return
	}
	rest.column = l.column + utf8.RuneCountInString(found[0])
	r.paragraph(rest, &l.column)
}

func (r *reader) overlined(l line) bool {
	if r.at+2 >= len(r.lines) {
		return false
	}
	text, under := r.lines[r.at+1], r.lines[r.at+2]
	if text.blank() || r.text(under) != r.text(l) || under.column != l.column {
		return false
	}
	r.heading(title{over: r.at, under: r.at + 2, text: text})
	r.at += 3
	return true
}

func (r *reader) underlined(l line) bool {
	if r.at+1 >= len(r.lines) {
		return false
	}
	under := r.lines[r.at+1]
	mark := r.text(under)
	if !adornment(mark) || under.column != l.column || len(mark) < 4 && columns(r.text(l)) > len(mark) || mark == "::" {
		return false
	}
	r.heading(title{over: -1, under: r.at + 1, text: l})
	r.at += 2
	return true
}

func (r *reader) heading(t title) {
	if t.segment = r.add([]line{t.text}, segment.Heading); t.segment != nil {
		r.titles = append(r.titles, t)
	}
}

// columns is how wide a text is for docutils, which counts wide characters twice and
// combining ones not at all.
func columns(s string) (n int) {
	for _, c := range s {
		switch {
		case unicode.In(c, unicode.Mn, unicode.Me):
		case width.LookupRune(c).Kind() == width.EastAsianWide || width.LookupRune(c).Kind() == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// paragraph reads a line and those that go on with it: indented as it is, or where it
// follows a marker at within, more than that.
func (r *reader) paragraph(first line, within *int) {
	lines := []line{first}
	r.at++
	column := first.column
	if within != nil && r.at < len(r.lines) {
		column = r.lines[r.at].column
	}
	for ; r.at < len(r.lines); r.at++ {
		l := r.lines[r.at]
		if l.blank() || l.column != column || within != nil && l.column <= *within {
			break
		}
		lines = append(lines, l)
	}
	outer := first.column
	if within != nil {
		outer = *within
	}
	last := &lines[len(lines)-1]
	literal := strings.HasSuffix(r.text(*last), "::")
	if literal {
		last.end -= len("::")
		last.end = last.start + len(strings.TrimRight(r.text(*last), " \t"))
	}
	r.add(lines, segment.Paragraph)
	if literal {
		r.literal(outer)
	}
}

// literal goes over a block that stays as it is: what is further indented than the
// paragraph before, or lines that begin with the same mark.
func (r *reader) literal(column int) {
	at := r.at
	for at < len(r.lines) && r.lines[at].blank() {
		at++
	}
	if at == len(r.lines) {
		return
	}
	l := r.lines[at]
	switch {
	case l.column > column:
		r.at = at
		r.below(column)
	case l.column == column && isMark(r.source[l.start]) && at > r.at:
		r.at = at
		r.untilBlank()
	}
}

// adorn makes the lines of marks at titles as long as these, and puts a target before
// each title that is referred to by its words.
func (r *reader) adorn(o segment.Options) []segment.Edit {
	eol := "\n"
	if strings.Contains(r.source, "\r\n") {
		eol = "\r\n"
	}
	edits := r.redraw(o, eol)
	for _, t := range r.titles {
		was, shown := t.segment.Source(), t.segment.Target()
		if shown == "" || shown == was {
			continue
		}
		written := segment.Written(r.source, segment.Span{Start: t.text.start, End: t.text.end}, []*segment.Segment{t.segment})
		marks := r.lines[t.under]
		if more := columns(written) - (marks.end - marks.start); more > 0 {
			add := strings.Repeat(r.source[marks.start:marks.start+1], more)
			edits = append(edits, segment.Edit{Start: marks.end, End: marks.end, Text: add})
			if t.over >= 0 {
				edits = append(edits, segment.Edit{Start: r.lines[t.over].end, End: r.lines[t.over].end, Text: add})
			}
		}
		if name := normal(was); r.referred[name] {
			at := t.text
			if t.over >= 0 {
				at = r.lines[t.over]
			}
			begin := strings.LastIndexByte(r.source[:at.start], '\n') + 1
			if strings.TrimSpace(r.source[begin:at.start]) == "" {
				edits = append(edits, segment.Edit{Start: begin, End: begin, Text: r.source[begin:at.start] + ".. _" + quoteName(was) + ":" + eol + eol})
			}
		}
	}
	return edits
}

// normal is a name as references are compared (docutils: "reference names").
func normal(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

// quoteName writes the name of a target.
func quoteName(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	if strings.ContainsAny(name, ":`") {
		return "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(name) + "`"
	}
	return strings.ReplaceAll(name, `\`, `\\`)
}
