package segment

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// InProse is what stays in texts for people: addresses of pages and mail, and
// placeholders of templates.
var InProse = regexp.MustCompile(`https?://[^\s<>"'）」]*[^\s<>"'）」.,;:!?)]|[\w.+-]+@[\w-]+(\.[\w-]+)+|\{\{[^{}]*\}\}|\$\{[^{}]*\}`)

// InMessages is what stays in the texts of programs: also the placeholders of printf
// (with positions and names), of strftime, of braces, of Ruby, of shells, of Qt and of Apple, links to other
// messages (vue-i18n), and tags.
var InMessages = regexp.MustCompile(`https?://[^\s<>"']*[^\s<>"'.,;:!?)]|[\w.+-]+@[\w-]+(\.[\w-]+)+|\{\{[^{}]*\}\}|\$\{[^{}]*\}|@(\.\w+)?:(\w[\w-]*(\.[\w-]+)*|\([\w.-]+\)|\{'[\w.-]+'\})|%?\{[\w.:, #!-]*\}|%\([\w.]+\)[-+ #0]*\d*(\.\d+)?[a-zA-Z]|%(\d+\$)?[-+#0]*\d*(\.\d+)?(@|(hh|h|ll|l|L|q|j|z|t)?[diouxXeEfFgGaAcCsSpnmZbBhHIjklMPUVwWyYz]\b)|%#@\w+@|%arg\b|%L?\d{1,2}\b|%n|%%|\$\(?[A-Z_][A-Z0-9_]*\)?|</?[a-zA-Z][^<>]*>|&[a-zA-Z#][a-zA-Z0-9]*;`)

// Number sorts the segments of a text by their places, and names those without an ID
// by their lines.
func Number(p *Part) {
	slices.SortStableFunc(p.Segments, func(a, b *Segment) int { return a.Slots[0].Start - b.Slots[0].Start })
	line, at := 1, 0
	taken := map[string]int{}
	for _, s := range p.Segments {
		start := max(s.Slots[0].Start, at)
		line += strings.Count(p.Source[at:start], "\n")
		at = start
		if s.ID != "" {
			continue
		}
		s.ID = fmt.Sprintf("line %d", line)
		if taken[s.ID]++; taken[s.ID] > 1 {
			s.ID += fmt.Sprintf(" (%d)", taken[s.ID])
		}
	}
}

// LineEnd is what a reader sees for the end of a line between two of a paragraph: a space, or nothing
// where there is one, and between characters of a script without spaces and their punctuation.
func LineEnd(before, after string) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	wide := func(r rune) bool { return unspaced(r) || r >= 0x3000 && r < 0x3100 || r >= 0xff00 && r < 0xfff0 }
	if before == "" || after == "" || unicode.IsSpace(last) || unicode.IsSpace(first) || wide(last) && wide(first) {
		return ""
	}
	return " "
}

// Unspaced says whether r is of a script that puts no spaces between words.
func Unspaced(r rune) bool { return unspaced(r) }

// BreakLike cuts a text into at most len(weights) lines whose lengths are in the
// proportion of weights, between words. No line is empty and none begins or ends with
// white space.
func BreakLike(text string, weights []int) []string {
	total := 0
	for _, w := range weights {
		total += w
	}
	var lines []string
	at, sum := 0, 0
	for i, w := range weights {
		sum += w
		end := len(text)
		if i < len(weights)-1 {
			end = wordEnd(text, at, sum*len(text)/max(total, 1))
		}
		if l := strings.TrimFunc(text[at:end], unicode.IsSpace); l != "" {
			lines = append(lines, l)
		}
		at = end
	}
	return lines
}

// RightToLeft says whether a language is written from right to left.
func RightToLeft(lang string) bool {
	base, _, _ := strings.Cut(strings.ToLower(lang), "-")
	return slices.Contains([]string{"ar", "arc", "ckb", "dv", "fa", "he", "iw", "ji", "ks", "ps", "sd", "ug", "ur", "yi"}, base)
}

// Span is a run of bytes of a source.
type Span struct{ Start, End int }

// Rebreak writes a text over the lines of a slot: as many of them as there are words
// for, of like lengths, with what stands between them in the source.
func Rebreak(source string, lines []Span, text string) string {
	if len(lines) <= 1 {
		return text
	}
	weights := make([]int, len(lines))
	for i, l := range lines {
		weights[i] = l.End - l.Start
	}
	core := strings.TrimFunc(text, unicode.IsSpace)
	at := strings.Index(text, core)
	var b strings.Builder
	b.WriteString(text[:at])
	for i, l := range BreakLike(core, weights) {
		if i > 0 {
			b.WriteString(source[lines[i-1].End:lines[i].Start])
		}
		b.WriteString(l)
	}
	b.WriteString(text[at+len(core):])
	return b.String()
}

// Names is a list of words that a format has, such as its elements, to be looked up in.
func Names(list string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(list) {
		set[name] = true
	}
	return set
}
