package markdown

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"dragoman/watch/document/segment"
)

// entity is what a title has the character for that it names.
var entity = regexp.MustCompile(`&(#|[a-zA-Z])[a-zA-Z0-9]*;`)

// farthest is how many bytes behind the beginning of a link its title is looked for.
const farthest = 16 << 10

// title has the title of a link, a picture or a reference definition translated, where it is on one line. The parser does
// not say where that is: it is where the target and the title follow what is between.
func (r *reader) title(from int, between string, target, title []byte, cell bool) {
	if len(title) == 0 || from < 0 {
		return
	}
	at, near := from+r.skip, r.source[:min(len(r.source), from+r.skip+farthest)]
	for {
		next := strings.Index(near[at:], between)
		if next < 0 {
			return
		}
		at += next + len(between)
		if start := titleAt(near, at, string(target), string(title), between == "]("); start >= 0 && !r.titles[start] {
			r.titles[start] = true
			at = start
			break
		}
	}
	shown := unescape(string(title))
	marks := `"`
	switch r.source[at-1] {
	case '\'':
		marks = "'"
	case '(':
		marks = "()"
	}
	if !segment.HasWords(shown) || strings.ContainsAny(shown, "\r\n") {
		return
	}
	if cell {
		marks += "|"
	}
	r.titled = append(r.titled, &segment.Segment{
		Kind: segment.Attribute, Protect: segment.InProse,
		Slots: []segment.Slot{{Text: shown, Start: at, End: at + len(title), Escape: func(out string) string { return escapeTitle(out, marks) }}},
	})
}

// escapeTitle writes a title between marks (CommonMark, section 6.3).
func escapeTitle(out, marks string) string {
	out = strings.Join(strings.Fields(out), " ")
	var b strings.Builder
	for i := range len(out) {
		if out[i] == '\\' || strings.IndexByte(marks, out[i]) >= 0 || out[i] == '&' && entity.MatchString(out[i:min(len(out), i+40)]) {
			b.WriteByte('\\')
		}
		b.WriteByte(out[i])
	}
	return b.String()
}

// titleAt is where a title begins that follows a target at a place; -1 where it does not.
func titleAt(source string, at int, target, title string, closed bool) int {
	at = gapEnd(source, at)
	pointed := strings.HasPrefix(source[at:], "<")
	if pointed {
		at++
	}
	if !strings.HasPrefix(source[at:], target) {
		return -1
	}
	if at += len(target); pointed {
		at++ // the bracket
	}
	start := gapEnd(source, min(at, len(source))) + 1
	if start <= at+1 || start >= len(source) || !strings.HasPrefix(source[start:], title) {
		return -1
	}
	opens, end := strings.IndexByte(`"'(`, source[start-1]), start+len(title)
	if opens < 0 || end >= len(source) || source[end] != `"')`[opens] {
		return -1
	}
	if closed {
		if !strings.HasPrefix(source[gapEnd(source, end+1):], ")") {
			return -1
		}
	}
	return start
}

// freeTitles are those that share no byte with another segment. The parser takes some words for the
// title of a definition, and their line for a text as well: "'a' b" below "[c]: d".
func (r *reader) freeTitles() []*segment.Segment {
	var taken []segment.Span
	for _, s := range r.segments {
		for _, slot := range s.Slots {
			if slot.End > slot.Start {
				taken = append(taken, segment.Span{Start: slot.Start, End: slot.End})
			}
		}
	}
	byStart := func(a, b segment.Span) int { return cmp.Compare(a.Start, b.Start) }
	slices.SortFunc(taken, byStart)
	slices.SortFunc(r.titled, func(a, b *segment.Segment) int { return cmp.Compare(a.Slots[0].Start, b.Slots[0].Start) })
	last := 0
	return slices.DeleteFunc(r.titled, func(s *segment.Segment) bool {
		at := s.Slots[0]
		i, _ := slices.BinarySearchFunc(taken, at.Start, func(t segment.Span, start int) int { return cmp.Compare(t.End, start+1) })
		if at.Start < last || i < len(taken) && taken[i].Start < at.End {
			return true
		}
		last = at.End
		return false
	})
}

// gapEnd is behind the white space at a place, with the marks of quotes at the beginnings of lines.
func gapEnd(source string, at int) int {
	line := false
	for ; at < len(source); at++ {
		switch c := source[at]; {
		case c == '\n':
			line = true
		case c == ' ' || c == '\t' || c == '\r' || c == '>' && line:
		default:
			return at
		}
	}
	return at
}

// ofLink has the title translated that a link has itself, and not by the name of its target.
func (in *inline) ofLink(n ast.Node, named *ast.ReferenceLink, target, title []byte) {
	if named == nil {
		in.title(n.Pos(), "](", target, title, in.cell)
	}
}
