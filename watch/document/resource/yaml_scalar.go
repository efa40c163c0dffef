package resource

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"dragoman/watch/document/segment"
)

// yamlEscaped is a character that is written by its number.
var yamlEscaped = regexp.MustCompile(`\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})`)

// yamlScalar is a value of YAML that is no block, on one line or over several.
type yamlScalar struct {
	quote      byte // 0 for a plain one
	start, end int  // with the quotation marks
	lines      []segment.Span
	text       string
	flow       bool // it is in a flow collection
	escapes    bool // it has escapes of line ends, of either kind
}

func (s *yamlScalar) forPeople() bool {
	if strings.ContainsFunc(s.text, func(r rune) bool {
		return r != '\n' && r != '\t' && unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
	}) {
		return false
	}
	return forPeople(s.text) && (s.quote != 0 || !number.MatchString(s.text) && !yamlWord(s.text))
}

// quoted reads a quoted scalar (YAML 1.2, sections 7.3.1 and 7.3.2). Lines below the first are
// deeper than limit. False where it does not end, or has an escape that there is not, or lines that are not deeper: some readers
// take them, so that its end is set.
func (r *yamlReader) quoted(start, limit int) (s yamlScalar, ok bool) {
	s, ok = yamlScalar{quote: r.source[start], start: start}, true
	at := start + 1
	for {
		line := r.lineAt(at)
		end, closed := 0, false
		for ; end < len(line); end++ {
			if s.quote == '"' && line[end] == '\\' {
				end++
			} else if line[end] == s.quote {
				if s.quote == '\'' && strings.HasPrefix(line[end:], "''") {
					end++
					continue
				}
				closed = true
				break
			}
		}
		s.lines = append(s.lines, segment.Span{Start: at, End: at + min(end, len(line))})
		if closed {
			s.end = at + end + 1
			break
		}
		if at = r.behind(at); at >= len(r.source) {
			return s, false
		}
		ok = ok && !yamlEnds(r.lineAt(at), limit)
	}
	return s, ok && s.read(r.source)
}

// plain reads a plain scalar (section 7.3.3) outside of flow collections, and sets the
// place behind its lines. False where it is none.
func (r *yamlReader) plain(start, limit int) (s yamlScalar, ok bool) {
	s, ok = yamlScalar{start: start}, true
	at, next := start, r.behind(start)
	for {
		line := r.lineAt(at)
		core := line
		if cut := comment.FindStringIndex(core); cut != nil {
			core = core[:cut[0]]
		}
		core = strings.Trim(core, " \t")
		if core != "" {
			begin := at + strings.Index(line, core)
			s.lines = append(s.lines, segment.Span{Start: begin, End: begin + len(core)})
			if strings.HasSuffix(core, ":") || strings.Contains(core, ": ") || strings.Contains(core, ":\t") {
				ok = false
			}
			r.at = next
			if s.end = begin + len(core); len(strings.TrimRight(line, " \t")) > s.end-at {
				break // a comment ends it
			}
		}
		if next >= len(r.source) {
			break
		}
		at, next = next, r.behind(next)
		line = r.lineAt(at)
		if yamlEnds(line, limit) || strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			break
		}
	}
	return s, ok && !r.tabBelow(s.end) && s.read(r.source)
}

// tabBelow tells whether a line without text that follows a place begins with a tab.
// Below a plain scalar readers take that as its space, but not below a quoted one,
// which the translation may have to be.
func (r *yamlReader) tabBelow(at int) bool {
	for at = r.behind(at); at < len(r.source); at = r.behind(at) {
		line := r.lineAt(at)
		if !yamlBlank(strings.TrimLeft(line, " \t")) {
			return false
		}
		if strings.HasPrefix(strings.TrimLeft(line, " "), "\t") {
			return true
		}
	}
	return false
}

// read sets the text that the lines stand for: a line end is a space, empty lines are line ends.
func (s *yamlScalar) read(source string) bool {
	var b strings.Builder
	joined, behind := true, 0 // the end of the last line that is not empty
	for i := range s.lines {
		l := &s.lines[i]
		if i > 0 {
			for l.Start < l.End && (source[l.Start] == ' ' || source[l.Start] == '\t') {
				l.Start++
			}
		}
		ends := false
		if i < len(s.lines)-1 {
			raw := strings.TrimRight(source[l.Start:l.End], " \t")
			if s.quote == '"' && strings.HasSuffix(source[l.Start:l.End], `\`) && (len(raw)-len(strings.TrimRight(raw, `\`)))%2 == 1 {
				ends = true
			} else if s.quote == '"' && (len(raw)-len(strings.TrimRight(raw, `\`)))%2 == 1 {
				raw += source[l.Start+len(raw) : l.Start+len(raw)+1] // a space that is escaped
			}
			l.End = l.Start + len(raw)
		}
		if i > 0 {
			if l.Start == l.End && i < len(s.lines)-1 {
				continue // counted with the next
			}
			if breaks := strings.Count(source[behind:l.Start], "\n") - 1; breaks > 0 {
				b.WriteString(strings.Repeat("\n", breaks))
			} else if !joined {
				b.WriteByte(' ')
			}
		}
		behind = l.End
		raw := source[l.Start:l.End]
		if ends {
			raw, s.escapes = raw[:len(raw)-1], true
		}
		text, ok := raw, true
		switch s.quote {
		case '\'':
			text = strings.ReplaceAll(raw, "''", "'")
		case '"':
			text, ok = s.unescape(raw)
		}
		if !ok {
			return false
		}
		b.WriteString(text)
		joined = ends
	}
	kept := s.lines[:0]
	for i, l := range s.lines {
		if l.Start < l.End {
			kept = append(kept, l)
		} else if i == 0 || i == len(s.lines)-1 {
			s.escapes = true // nothing of it can be written over its lines again
		}
	}
	s.lines, s.text = kept, b.String()
	return true
}

// yamlEscapes are the escapes of one letter (section 5.7) but for numbers.
var yamlEscapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b", ' ': " ", '"': `"`,
	'/': "/", '\\': `\`, 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

func (s *yamlScalar) unescape(raw string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			b.WriteByte(raw[i])
			continue
		}
		if i++; i >= len(raw) {
			return "", false
		}
		digits := strings.IndexByte("xuU", raw[i])
		if digits < 0 {
			text, ok := yamlEscapes[raw[i]]
			if !ok {
				return "", false
			}
			s.escapes = s.escapes || raw[i] == 'n'
			b.WriteString(text)
			continue
		}
		digits = 2 << digits
		if i+digits >= len(raw) {
			return "", false
		}
		code, err := strconv.ParseUint(raw[i+1:i+1+digits], 16, 32)
		if err != nil || !utf8.ValidRune(rune(code)) || code > unicode.MaxRune { // halves of a pair, as JSON has them, stay
			return "", false
		}
		b.WriteRune(rune(code))
		i += digits
	}
	return b.String(), true
}

// write is a text as it stands in the place of the scalar: over as many lines, in the same quotation marks, if these can hold
// it; else on one line in double quotation marks.
func (s *yamlScalar) write(source, text string, escaped bool) string {
	quote := func(text string) string { return yamlQuoted(text, escaped) }
	if escaped && !ascii(text) {
		return `"` + quote(text) + `"`
	}
	switch {
	case s.quote == '\'' && !strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && unicode.IsControl(r) || r == '\ufeff' }):
		quote = func(text string) string { return strings.ReplaceAll(text, "'", "''") }
	case s.quote == 0 && plainScalar(strings.ReplaceAll(text, "\n", " ")) && !(s.flow && strings.ContainsAny(text, ",[]{}")):
		quote = func(text string) string { return text }
	case s.quote != '"':
		return `"` + quote(text) + `"`
	}
	marks := strings.Repeat(string(rune(s.quote)), min(int(s.quote), 1))
	if out, ok := s.over(source, text, quote); ok && (s.quote != 0 || s.harmless(out)) {
		return marks + out + marks
	}
	if s.quote != '"' && strings.Contains(text, "\n") {
		return `"` + yamlQuoted(text, escaped) + `"`
	}
	return marks + quote(text) + marks
}

// harmless says whether no line below the first of a plain scalar begins with what may be taken for something else.
func (s *yamlScalar) harmless(out string) bool {
	for i, line := range strings.Split(out, "\n") {
		if line = strings.TrimLeft(line, " \t"); i > 0 && line != "" && strings.IndexByte("-?:,[]{}#&*!|>'\"%@`.", line[0]) >= 0 {
			return false
		}
	}
	return true
}

// over writes a text over the lines of the scalar. False where it has other line ends than these.
func (s *yamlScalar) over(source, text string, quote func(string) string) (string, bool) {
	if s.escapes {
		if len(s.lines) > 1 || strings.Contains(text, "\n") && s.quote != '"' {
			return "", false
		}
		return quote(text), true
	}
	var paragraphs [][]segment.Span
	for i, l := range s.lines {
		if i == 0 || strings.Count(source[s.lines[i-1].End:l.Start], "\n") > 1 {
			paragraphs = append(paragraphs, nil)
		}
		last := len(paragraphs) - 1
		paragraphs[last] = append(paragraphs[last], l)
	}
	texts := slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
	if len(texts) != len(paragraphs) || strings.Count(text, "\n") != strings.Count(s.text, "\n") || len(texts) == 0 {
		return "", false
	}
	var b strings.Builder
	for i, lines := range paragraphs {
		if i > 0 {
			b.WriteString(source[paragraphs[i-1][len(paragraphs[i-1])-1].End:lines[0].Start])
		}
		if len(paragraphs) > 1 {
			texts[i] = strings.TrimSpace(texts[i])
		}
		b.WriteString(refold(source, lines, quote(texts[i])))
	}
	return b.String(), true
}

// refold writes a text over lines whose ends are spaces, and on one line where it has too few of its own.
func refold(source string, lines []segment.Span, text string) string {
	out := segment.Rebreak(source, lines, text)
	if len(lines) > 1 && strings.Join(strings.Fields(out), " ") != strings.TrimSpace(text) {
		return text
	}
	return out
}

// yamlQuoted is a text between double quotation marks.
func yamlQuoted(text string, escaped bool) string {
	var b strings.Builder
	for _, c := range text {
		switch short := shortEscape(c); {
		case short != "":
			b.WriteString(short)
		case c > 0xFFFF && escaped:
			fmt.Fprintf(&b, `\U%08X`, c)
		case c < ' ' || c >= 0x7f && c < 0xa0 || c == '\u2028' || c == '\u2029' || c == '\ufeff' || escaped && c >= utf8.RuneSelf:
			fmt.Fprintf(&b, `\u%04X`, c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// yamlWord says whether a word without quotation marks is none for some reader: those of YAML 1.1
// take more for truth values.
func yamlWord(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "null", "~", "y", "n":
		return true
	}
	return false
}

// plainScalar says whether a text can stand in YAML 1.2 without quotation marks and
// stays a text.
func plainScalar(s string) bool {
	return s != "" && !yamlWord(s) && strings.IndexByte("-?:,[]{}#&*!|>'\"%@` ", s[0]) < 0 && !strings.Contains(s, ": ") && !strings.Contains(s, " #") &&
		!strings.HasSuffix(s, ":") && !strings.HasSuffix(s, " ") && !number.MatchString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff' })
}
