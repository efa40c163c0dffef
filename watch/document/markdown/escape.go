package markdown

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"dragoman/watch/document/segment"
)

// escaper writes a text in the place of a slot.
type escaper struct {
	source string
	lines  []line // of the source
	first  bool   // the slot begins its block
	cell   bool   // of a table
	// The slot begins a line within its block, whose end stands for a space.
	afterBreak bool
}

// blockStart is what would begin another block at the beginning of a line.
var blockStart = regexp.MustCompile(`^(#{1,6}(\s|$)|[-+*](\s|$)|\d{1,9}[.)](\s|$)|>|=+\s*$|-{2,}\s*$|~{3}|` + "`{3}" + `|\||:\s|<|\[)`)

// special are the characters that may be markup within a line.
const special = "\\`*_[]<>&~|!"

// escape puts a backslash before what would be markup, and breaks lines as often as
// the source did.
func (e escaper) escape(out string) string {
	if e.afterBreak {
		out = strings.TrimLeft(out, " ")
	}
	written := e.plain(out)
	if shown, ok := inlineText(written); !ok || shown != strings.TrimSpace(out) {
		written = escapeAll(out)
	}
	if e.cell {
		return strings.ReplaceAll(strings.ReplaceAll(written, `\|`, "|"), "|", `\|`)
	}
	core := strings.TrimSpace(written)
	lead, trail := "", ""
	if len(e.lines) > 1 { // else it is written as it is
		at := strings.Index(written, core)
		lead, trail, written = written[:at], written[at+len(core):], core
	}
	lines := e.breakLines(written)
	for i, l := range lines {
		if i > 0 || e.first || e.afterBreak {
			lines[i] = escapeStart(l)
		}
	}
	var b strings.Builder
	b.WriteString(lead)
	for i, l := range lines {
		if i > 0 {
			b.WriteString(e.source[e.lines[i-1].end:e.lines[i].start])
		}
		b.WriteString(l)
	}
	b.WriteString(trail)
	return b.String()
}

// plain escapes what the source escaped or did not have: a lone * in a text that had
// one before is no markup.
func (e escaper) plain(out string) string {
	raw := ""
	for _, l := range e.lines {
		raw += e.source[l.start:l.end]
	}
	var b strings.Builder
	for _, r := range out {
		if r < utf8.RuneSelf && strings.ContainsRune(special, r) && !strings.ContainsRune("!>&", r) {
			c := string(r)
			if !strings.Contains(raw, c) || strings.Contains(raw, `\`+c) || r == '\\' {
				b.WriteByte('\\')
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

func escapeAll(out string) string {
	var b strings.Builder
	for _, r := range out {
		if r < utf8.RuneSelf && strings.ContainsRune(special, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func escapeStart(line string) string {
	found := blockStart.FindString(line)
	if found == "" {
		return line
	}
	if c := found[0]; c >= '0' && c <= '9' {
		at := strings.IndexAny(line, ".)")
		return line[:at] + `\` + line[at:]
	}
	return `\` + line
}

// inlineText is what a reader sees of a text that is no more than that.
func inlineText(written string) (string, bool) {
	source := []byte("x " + strings.TrimSpace(written)) // nothing begins a block after it
	tree := markdown.Parse(text.NewReader(source))
	paragraph := tree.FirstChild()
	if paragraph == nil || paragraph.Kind() != ast.KindParagraph || paragraph.NextSibling() != nil {
		return "", false
	}
	var b strings.Builder
	for c := paragraph.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok || t.SoftLineBreak() {
			return "", false
		}
		b.WriteString(unescape(string(t.Segment.Value(source))))
	}
	return strings.TrimPrefix(b.String(), "x "), true
}

// breakLines cuts a text into as many lines as the source had, of like lengths, where
// there are enough words.
func (e escaper) breakLines(out string) []string {
	n := len(e.lines)
	if n <= 1 {
		return []string{out}
	}
	weights := make([]int, n)
	for i, l := range e.lines {
		weights[i] = l.end - l.start
	}
	lines := segment.BreakLike(out, weights)
	for len(lines) < n { // an empty line would end the block
		return []string{strings.Join(lines, " ")}
	}
	return lines
}

func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }
func lastRune(s string) rune  { r, _ := utf8.DecodeLastRuneInString(s); return r }
