package subtitle

import (
	"regexp"
	"strings"

	"dragoman/watch/document/segment"
)

var (
	assSection = regexp.MustCompile(`^\s*\[([^\]]*)\]\s*$`)
	assDraw    = regexp.MustCompile(`\\p(\d+)`)
	assBreak   = regexp.MustCompile(`\\[Nn]`)
	assTag     = regexp.MustCompile(`\{[^{}]*\}`) // overrides, and comments between braces
)

// assFields is how many values an event has where no Format line says it, in both
// versions of the format.
const assFields = 10

// IsASS says whether a text is SubStation Alpha by its content.
func IsASS(body string) bool {
	for l := range strings.Lines(body) {
		if l = strings.TrimSpace(l); l != "" && l[0] != ';' {
			return strings.EqualFold(l, "[script info]")
		}
	}
	return false
}

// ReadASS takes SubStation Alpha apart, versions 4 and 4+ (the field Text of Dialogue
// lines of [Events]). Overrides between braces, drawings, comments, styles and names stay;
// a line keeps its breaks.
func ReadASS(body string) (*segment.Part, error) {
	r := &reader{source: body, tag: assTag, ass: true}
	section, fields, text := "", assFields, assFields-1
	at := 0
	for line := range strings.Lines(body) {
		start := at
		at += len(line)
		line = strings.TrimRight(line, "\r\n")
		if found := assSection.FindStringSubmatch(line); found != nil {
			section = strings.ToLower(found[1])
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || section != "events" {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "format":
			names := strings.Split(value, ",")
			fields, text = len(names), len(names)-1
			if !strings.EqualFold(strings.TrimSpace(names[text]), "text") {
				return nil, &segment.FormatError{Format: "SubStation Alpha subtitles", Line: segment.LineOf(body, start), Reason: "Text is not the last field of [Events]", Hint: "save it anew with a subtitle editor"}
			}
		case "dialogue":
			r.found++
			from := start + len(key) + 1
			for range fields - 1 {
				comma := strings.IndexByte(body[from:start+len(line)], ',')
				if comma < 0 {
					from = start + len(line)
					break
				}
				from += comma + 1
			}
			r.event(from, start+len(line))
		}
	}
	if r.found == 0 && strings.TrimSpace(body) != "" && !IsASS(body) {
		return nil, &segment.FormatError{Format: "SubStation Alpha subtitles", Line: 1, Reason: "no line of dialogue was found under [Events]", Hint: "check that it is an .ass file"}
	}
	p := r.part()
	p.Break = `\N`
	return p, nil
}

// event makes segments of the lines of one text.
func (r *reader) event(start, end int) {
	var lines []segment.Span
	at := start
	for _, found := range assBreak.FindAllStringIndex(r.source[start:end], -1) {
		lines = append(lines, segment.Span{Start: at, End: start + found[0]})
		at = start + found[1]
	}
	r.cue(append(lines, segment.Span{Start: at, End: end}))
}

// draws says whether what comes after an override is a drawing.
func draws(override string, before bool) bool {
	if found := assDraw.FindAllStringSubmatch(override, -1); found != nil {
		return strings.Trim(found[len(found)-1][1], "0") != ""
	}
	return before
}

// escapeASS writes a text so that nothing in it is an override or a break: a backslash
// that would be one is followed by a word joiner.
func escapeASS(text string) string {
	return assEscaper.Replace(text)
}

var assEscaper = strings.NewReplacer("{", "(", "}", ")", `\N`, "\\\u2060N", `\n`, "\\\u2060n", `\h`, "\\\u2060h", "\u00a0", `\h`)
