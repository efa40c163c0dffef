package restructured

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"dragoman/watch/document/segment"
)

// escapes says of each slot how it is written, by what is beside it.
func (in *inline) escapes() {
	for i := range in.slots {
		s, spans := &in.slots[i], in.spans[i]
		if s.Fixed || s.Escape != nil {
			continue
		}
		if s.Style != plainText {
			within := s.Style >= referring
			s.Escape = func(text string) string {
				return segment.Rebreak(in.source, spans, escape(text, within))
			}
			continue
		}
		first := i == 0 && !in.heads
		after, before := in.touches(i-1), in.touches(i+1)
		s.Escape = func(text string) string { return in.write(text, spans, first, after, before) }
	}
}

// touches says whether a slot is markup that needs a mark or white space beside it.
func (in *inline) touches(i int) bool {
	return i >= 0 && i < len(in.slots) && in.slots[i].Text != " " && (in.slots[i].Fixed || in.slots[i].Style != plainText)
}

// blockStart is what would begin another block at the beginning of a paragraph.
var blockStart = regexp.MustCompile(`^(?:[-*+•‣⁃](?:\s|$)|(?:\(?(?:\d+|[A-Za-z]|[ivxlcdmIVXLCDM]+|#)[.)])(?:\s|$)|\.\.(?:\s|$)|:[^:\s]|>>>|\||__|--?\w|/\w|\+[-=]|=+\s+=)`)

// write writes a text that is no markup.
func (in *inline) write(text string, spans []segment.Span, first, after, before bool) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
	if first {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
	}
	out := escape(text, false)
	if strings.HasSuffix(out, "::") && !before {
		out = out[:len(out)-1] + `\:`
	}
	out = segment.Rebreak(in.source, spans, out)
	lines := strings.SplitAfter(out, "\n")
	for i, l := range lines {
		core := strings.TrimLeft(l, " \t")
		trimmed := strings.TrimSpace(core)
		if (i > 0 || first) && (adornment(trimmed) && !strings.HasPrefix(trimmed, `\`)) || i == 0 && first && blockStart.MatchString(core) {
			lines[i] = l[:len(l)-len(core)] + `\` + core
		}
	}
	out = strings.Join(lines, "")
	if r, n := utf8.DecodeRuneInString(out); after && (n > 0 && !mayClose(r) || n == 0 && before) {
		out = `\ ` + out
	}
	if r, n := utf8.DecodeLastRuneInString(out); before && n > 0 && !mayOpen(r) {
		out += `\ `
	}
	return out
}

// escape puts a backslash before what would be markup. Within the title of a reference
// that is also what would begin a target.
func escape(text string, title bool) string {
	var b strings.Builder
	for i, c := range text {
		switch {
		case strings.ContainsRune("\\*`|", c), title && (c == '<' || c == '>'):
			b.WriteByte('\\')
		case c == '_':
			if next, n := utf8.DecodeRuneInString(text[i+1:]); n == 0 || !inWord(next) {
				b.WriteByte('\\')
			}
		}
		b.WriteRune(c)
	}
	return b.String()
}

// fits says whether markup stays markup: between its marks is a text without white
// space at its ends.
func fits(s *segment.Segment) bool {
	for _, slot := range s.Slots {
		if !slot.Fixed && slot.Style != plainText && (slot.Out == "" || strings.TrimSpace(slot.Out) != slot.Out) {
			return false
		}
	}
	return true
}
