package mail

import (
	"regexp"
	"strings"

	"dragoman/watch/document/segment"
)

// quote is what stands before the lines of what is answered to.
var quote = regexp.MustCompile(`^(?:[ \t]?[>|])+[ \t]?`)

// plain takes a plain text apart: runs of lines that are quoted alike. The marks of
// quotes stay, and so does the signature, which is a name and address.
func plain(body string) *segment.Part {
	p := &segment.Part{Source: body, Both: func(text, translation string) string { return text + "\n\n" + translation }}
	var lines []quoted
	flush := func() {
		p.Segments = append(p.Segments, forwarded(body, lines)...)
		lines = nil
	}
	signed := false
	for at := 0; at < len(body); {
		end, next := len(body), len(body)
		if i := strings.IndexByte(body[at:], '\n'); i >= 0 {
			end, next = at+i, at+i+1
		}
		text := strings.TrimRight(body[at:end], " \t\r")
		l := quoted{mark: quote.FindString(text), start: at, end: at + len(text)}
		at = next
		core := text[len(l.mark):]
		switch {
		case signed && l.mark == "":
			continue
		case l.mark == "" && body[l.start:end] == "-- " || l.mark == "" && body[l.start:end] == "-- \r":
			flush()
			signed = true
			continue
		case strings.TrimSpace(core) == "":
			flush()
			continue
		case len(lines) > 0 && strings.TrimSpace(lines[0].mark) != strings.TrimSpace(l.mark):
			flush()
		}
		lines = append(lines, l)
	}
	flush()
	segment.Number(p)
	return p
}

// quoted is a line with the mark before it.
type quoted struct {
	mark       string
	start, end int // with the mark
}

// run makes a segment of lines.
func run(body string, lines []quoted) *segment.Segment {
	if len(lines) == 0 {
		return nil
	}
	var texts []string
	for _, l := range lines {
		texts = append(texts, body[l.start+len(l.mark):l.end])
	}
	text := strings.Join(texts, "\n")
	if !segment.HasWords(text) {
		return nil
	}
	start, end := lines[0].start+len(lines[0].mark), lines[len(lines)-1].end
	return &segment.Segment{Kind: segment.Text, Protect: segment.InProse, Slots: []segment.Slot{{Text: text, Start: start, End: end, Escape: func(out string) string {
		var b strings.Builder
		for i, l := range strings.Split(out, "\n") {
			if i > 0 {
				n := min(i, len(lines)-1) // as the lines of the source are divided
				b.WriteString(eolOf(body, lines, n) + lines[n].mark)
			}
			b.WriteString(strings.TrimRight(l, "\r"))
		}
		return b.String()
	}}}}
}

// eolOf is what stands between a line and the one before it.
func eolOf(body string, lines []quoted, n int) string {
	if n == 0 {
		if strings.Contains(body, "\r\n") {
			return "\r\n"
		}
		return "\n"
	}
	return body[lines[n-1].end:lines[n].start]
}
