// Package subtitle takes SubRip (srt), WebVTT and SubStation Alpha (ass, ssa) files apart. Numbers, times, positions
// and styles stay; a cue keeps its lines, and speakers keep theirs.
package subtitle

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

var (
	srtTime = regexp.MustCompile(`^\s*-?\d+:\d{1,2}:\d{1,2}([,.]\d+)?\s*-->\s*-?\d+:\d{1,2}:\d{1,2}`)
	// vttTime also takes what players take beyond the standard: other numbers of digits.
	vttTime = regexp.MustCompile(`^\s*(\d+:)?\d{1,2}:\d{2}([,.]\d+)?\s*-->\s*(\d+:)?\d{1,2}:\d{2}`)
	// tag is what players take as markup: of HTML, of WebVTT, and overrides of ASS that
	// many srt files have.
	tag = regexp.MustCompile(`</?[a-zA-Z][^<>]*>|</>|<\d[\d:.]*>|\{\\[^{}]*\}`)
	// speaker begins a line of somebody else.
	speaker = regexp.MustCompile(`^\s*(<[^<>]*>|\{\\[^{}]*\})*\s*([-–—‐]|>>)\s*\S`)
)

// IsSRT says whether a text is SubRip by its content.
func IsSRT(body string) bool {
	for i, l := range strings.SplitN(strings.TrimLeft(body, " \t\r\n"), "\n", 4) {
		if srtTime.MatchString(l) {
			return i <= 1
		}
	}
	return false
}

// IsVTT says whether a text is WebVTT (W3C WebVTT, section 4.1).
func IsVTT(body string) bool {
	rest, ok := strings.CutPrefix(body, "WEBVTT")
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n"))
}

// ReadSRT takes a SubRip file apart.
func ReadSRT(body string) (*segment.Part, error) {
	r := &reader{source: body, time: srtTime, tag: tag}
	r.cues()
	if r.found == 0 && strings.TrimSpace(body) != "" {
		return nil, &segment.FormatError{Format: "SubRip subtitles", Line: 1, Reason: "no line of times was found, such as 00:00:01,000 --> 00:00:04,000", Hint: "check that it is an .srt file"}
	}
	return r.part(), nil
}

// ReadVTT takes a WebVTT file apart.
func ReadVTT(body string) (*segment.Part, error) {
	if !IsVTT(body) {
		return nil, &segment.FormatError{Format: "WebVTT subtitles", Line: 1, Reason: "it does not begin with WEBVTT", Hint: "check that it is a .vtt file"}
	}
	r := &reader{source: body, time: vttTime, tag: tag, vtt: true}
	r.cues()
	return r.part(), nil
}

// maxJoined is how long a slot may be, in bytes, that a further line is added to.
const maxJoined = 16 << 10

type reader struct {
	source   string
	vtt      bool
	ass      bool
	time     *regexp.Regexp
	tag      *regexp.Regexp
	found    int // cues
	segments []*segment.Segment
}

func (r *reader) part() *segment.Part {
	p := &segment.Part{Source: r.source, Segments: r.segments, Break: "\n"}
	if strings.Contains(r.source, "\r\n") {
		p.Break = "\r\n"
	}
	segment.Number(p)
	return p
}

// cues finds the lines after each line of times, up to an empty one. Blocks without
// times (notes, styles, regions) stay.
func (r *reader) cues() {
	inCue := false
	var lines []segment.Span
	flush := func() {
		if len(lines) > 0 {
			r.cue(lines)
		}
		lines, inCue = nil, false
	}
	for at := 0; at < len(r.source); {
		end, next := len(r.source), len(r.source)
		if i := strings.IndexAny(r.source[at:], "\r\n"); i >= 0 {
			end = at + i
			next = end + 1
			if strings.HasPrefix(r.source[end:], "\r\n") {
				next++
			}
		}
		line := r.source[at:end]
		switch {
		case r.time.MatchString(line):
			flush() // without an empty line before, the number is taken as text
			inCue = true
			r.found++
		case strings.TrimFunc(line, unicode.IsSpace) == "":
			flush()
		case inCue && !r.numberBeforeTime(line, next):
			lines = append(lines, segment.Span{Start: at, End: end})
		}
		at = next
	}
	flush()
}

// numberBeforeTime says whether a line is the number of the next cue, where the empty
// line between them is missing.
func (r *reader) numberBeforeTime(line string, next int) bool {
	line = strings.TrimSpace(line)
	if line == "" || strings.Trim(line, "0123456789") != "" {
		return false
	}
	after, _, _ := strings.Cut(r.source[next:min(len(r.source), next+100)], "\n")
	return r.time.MatchString(after)
}

// cue makes a segment of the lines of each speaker.
func (r *reader) cue(lines []segment.Span) {
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && !speaker.MatchString(r.source[lines[n].Start:lines[n].End]) {
			n++
		}
		r.speech(lines[:n])
		lines = lines[n:]
	}
}

// speech makes one segment.
func (r *reader) speech(lines []segment.Span) {
	s := &segment.Segment{Kind: segment.Cue, Protect: segment.InProse}
	styles, open := map[string]int{"": 0}, []string{}
	broken := false  // a line has ended since the last slot
	drawing := false // what is read are the lines of a picture
	var spans [][]segment.Span
	add := func(start, end int) {
		raw := r.source[start:end]
		if raw == "" || drawing {
			return
		}
		shown := raw
		switch {
		case r.vtt:
			shown = html.UnescapeString(raw)
		case r.ass:
			shown = strings.ReplaceAll(raw, `\h`, "\u00a0")
		}
		key := strings.Join(open, "<")
		style, ok := styles[key]
		if !ok {
			style = len(styles)
			styles[key] = style
		}
		n := len(s.Slots) - 1
		if n >= 0 && broken {
			shown = segment.LineEnd(s.Slots[n].Text, shown) + shown
		}
		if n >= 0 && broken && s.Slots[n].Style == style && !s.Slots[n].Fixed && len(s.Slots[n].Text) < maxJoined {
			s.Slots[n].Text += shown
			s.Slots[n].End = end
			spans[n] = append(spans[n], segment.Span{Start: start, End: end})
		} else {
			s.Slots = append(s.Slots, segment.Slot{Text: shown, Style: style, Start: start, End: end})
			spans = append(spans, []segment.Span{{Start: start, End: end}})
		}
		broken = false
	}
	mark := func(at int) {
		s.Slots = append(s.Slots, segment.Slot{Fixed: true, Start: at, End: at})
		spans = append(spans, nil)
	}
	for i, l := range lines {
		broken = i > 0
		at := l.Start
		for _, found := range r.tag.FindAllStringIndex(r.source[l.Start:l.End], -1) {
			start, end := l.Start+found[0], l.Start+found[1]
			add(at, start)
			open = follow(open, r.source[start:end])
			if r.ass {
				drawing = draws(r.source[start:end], drawing)
			}
			if len(s.Slots) > 0 {
				mark(start)
			}
			at = end
		}
		add(at, l.End)
	}
	for i := range s.Slots {
		slot, lines := &s.Slots[i], spans[i]
		if slot.Fixed {
			continue
		}
		leading := strings.HasPrefix(slot.Text, " ") && !strings.HasPrefix(r.source[slot.Start:slot.End], " ")
		slot.Escape = func(text string) string {
			if leading { // it stands for the end of a line
				text = strings.TrimLeft(text, " ")
			}
			text = strings.Join(strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '\r' }), " ")
			switch {
			case r.vtt:
				text = xmltext.Escape(text)
			case r.ass:
				text = escapeASS(text)
			}
			return segment.Rebreak(r.source, lines, text)
		}
	}
	if len(s.Slots) > 0 {
		r.segments = append(r.segments, s)
	}
}

// follow keeps the names of tags that are open.
func follow(open []string, tag string) []string {
	if !strings.HasPrefix(tag, "<") || tag[1] >= '0' && tag[1] <= '9' {
		return open
	}
	name := strings.Trim(tag, "</>")
	if i := strings.IndexAny(name, " .\t"); i >= 0 {
		name = name[:i]
	}
	if strings.HasPrefix(tag, "</") {
		for i := len(open) - 1; i >= 0; i-- {
			if open[i] == name || name == "" {
				return open[:i:i]
			}
		}
		return open
	}
	if len(open) > 50 {
		return open
	}
	return append(open[:len(open):len(open)], name)
}
