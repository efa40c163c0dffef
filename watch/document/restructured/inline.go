package restructured

import (
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"dragoman/watch/document/segment"
)

// Styles of slots.
const (
	plainText = iota
	emphasised
	strong
	referring
	titleOfRole
)

// maxName is how long names of roles, targets and footnotes are looked at, in bytes: a
// word with many hyphens is looked at from each of them.
const maxName = 256

var (
	rolePrefix = regexp.MustCompile("^:[A-Za-z0-9](?:[\\w.+:-]*[A-Za-z0-9])?:`")
	roleSuffix = regexp.MustCompile(`^:[A-Za-z0-9](?:[\w.+:-]*[A-Za-z0-9])?:`)
	note       = regexp.MustCompile(`^\[(?:\d+|#[\w.+-]*|\*|[A-Za-z0-9][\w.+:-]*)\]_`)
	simple     = regexp.MustCompile(`^[A-Za-z0-9]+(?:[-_.:+][A-Za-z0-9]+)*__?`)
	embedded   = regexp.MustCompile(`(?s)^(.*?\S)(\s+<[^<>]*>)$`)
)

// proseRoles are those whose text is a part of the sentence, titleRoles those whose
// title is, where they have one before the target.
var (
	proseRoles = segment.Names("emphasis strong title-reference title t dfn sub sup subscript superscript")
	titleRoles = segment.Names("ref doc term any download numref std:ref std:doc std:term std:numref")
)

// inline takes the text of a block apart.
type inline struct {
	*reader
	text  string // the block's lines, with breaks between them
	lines []line // of the block
	froms []int  // where each line begins in text
	slots []segment.Slot
	spans [][]segment.Span
	plain int // where text that is no markup begins
	heads bool
	none  map[string]bool // ends of markup that do not come any more
}

// add makes a segment of lines, nil where there is no word in them.
func (r *reader) add(lines []line, kind segment.Kind) *segment.Segment {
	in := &inline{reader: r, lines: lines, heads: kind == segment.Heading, none: map[string]bool{}}
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		in.froms = append(in.froms, b.Len())
		b.WriteString(r.text(l))
	}
	in.text = b.String()
	in.scan()
	words := false
	for i := range in.slots {
		words = words || !in.slots[i].Fixed && segment.HasWords(in.slots[i].Text)
	}
	if !words {
		return nil
	}
	in.escapes()
	s := &segment.Segment{Kind: kind, Slots: in.slots, Protect: segment.InProse, Fits: fits}
	r.segments = append(r.segments, s)
	return s
}

// scan finds the markup (docutils, "Inline Markup Recognition Rules").
func (in *inline) scan() {
	for at := 0; at < len(in.text); {
		if in.text[at] == '\\' {
			_, n := utf8.DecodeRuneInString(in.text[at+1:])
			at += 1 + n
			continue
		}
		if next := in.markup(at); next > at {
			at, in.plain = next, next
			continue
		}
		_, n := utf8.DecodeRuneInString(in.text[at:])
		at += n
	}
	in.words(in.plain, len(in.text))
}

// markup reads what begins at a place, and returns where it ends, or at where it is
// nothing.
func (in *inline) markup(at int) int {
	rest := in.text[at:]
	begin := rest[:min(len(rest), maxName)]
	c := rest[0]
	if !strings.ContainsRune("*`|_[:", rune(c)) && !(c < utf8.RuneSelf && inWord(rune(c))) || !in.opens(at) {
		return at
	}
	switch {
	case strings.HasPrefix(rest, "**"):
		return in.span(at, "**", strong)
	case c == '*':
		return in.span(at, "*", emphasised)
	case strings.HasPrefix(rest, "``"):
		if end := in.closing(at+2, "``"); end > 0 {
			return in.fixed(at, at+2, end, end+2)
		}
	case c == '`':
		return in.interpreted(at, at, "")
	case c == ':':
		if found := rolePrefix.FindString(begin); found != "" {
			return in.interpreted(at, at+len(found)-1, found[1:len(found)-2])
		}
	case strings.HasPrefix(rest, "_`"):
		if end := in.closing(at+2, "`"); end > 0 {
			return in.fixed(at, at+2, end, end+1)
		}
	case c == '|':
		if end := in.closing(at+1, "|"); end > 0 {
			stop := end + 1
			for stop < len(in.text) && stop < end+3 && in.text[stop] == '_' {
				stop++
			}
			return in.fixed(at, at+1, end, stop)
		}
	case c == '[':
		if found := note.FindString(begin); found != "" && in.ends(at+len(found)) {
			return in.fixed(at, at, at+len(found)-1, at+len(found))
		}
	case strings.IndexByte(begin, '_') > 0:
		if found := simple.FindString(begin); found != "" && strings.HasSuffix(found, "_") && in.ends(at+len(found)) {
			name := strings.TrimRight(found, "_")
			in.referred[normal(name)] = true
			return in.fixed(at, at, at+len(name), at+len(found))
		}
	}
	return at
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// opens says whether markup may begin at a place.
func (in *inline) opens(at int) bool {
	before, n := utf8.DecodeLastRuneInString(in.text[:at])
	if n == 0 {
		return true
	}
	if !mayOpen(before) {
		return false
	}
	// A mark in quotation marks or brackets is none.
	rest := strings.TrimLeft(in.text[at:], "*`|_")
	after, _ := utf8.DecodeRuneInString(rest)
	switch before {
	case '"', '\'':
		return after != before
	case '(':
		return after != ')'
	case '[':
		return after != ']'
	case '{':
		return after != '}'
	case '<':
		return after != '>'
	}
	return true
}

func mayOpen(before rune) bool {
	return unicode.IsSpace(before) || strings.ContainsRune(`-:/'"<([{`, before) ||
		before >= utf8.RuneSelf && unicode.In(before, unicode.Ps, unicode.Pi, unicode.Pf, unicode.Pd, unicode.Po)
}

func mayClose(after rune) bool {
	return unicode.IsSpace(after) || strings.ContainsRune(`-.,:;!?\/'")]}>`, after) ||
		after >= utf8.RuneSelf && unicode.In(after, unicode.Pe, unicode.Pi, unicode.Pf, unicode.Pd, unicode.Po)
}

// ends says whether markup may end before a place.
func (in *inline) ends(at int) bool {
	after, n := utf8.DecodeRuneInString(in.text[at:])
	return n == 0 || mayClose(after)
}

// closing is where the marks that end what begins at from are, 0 where there are none.
func (in *inline) closing(from int, marks string) int {
	if first, n := utf8.DecodeRuneInString(in.text[from:]); n == 0 || unicode.IsSpace(first) || in.none[marks] {
		return 0
	}
	for at := from; at < len(in.text); {
		i := strings.Index(in.text[at:], marks)
		if i < 0 {
			break
		}
		end := at + i
		before, _ := utf8.DecodeLastRuneInString(in.text[:end])
		stop := end + len(marks)
		if marks == "`" || marks == "|" {
			for stop < len(in.text) && stop < end+3 && in.text[stop] == '_' {
				stop++
			}
			if marks == "`" && stop == end+1 {
				stop += len(roleSuffix.FindString(in.text[stop:]))
			}
		}
		if end > from && !unicode.IsSpace(before) && (marks == "``" || !in.escaped(end)) && in.ends(stop) {
			return end
		}
		at = end + 1
	}
	in.none[marks] = true // nor after any later place
	return 0
}

// escaped says whether a backslash that is no escaped one itself is before a place.
func (in *inline) escaped(at int) bool {
	before := in.text[:at]
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1
}

// span reads words between marks.
func (in *inline) span(at int, marks string, style int) int {
	from := at + len(marks)
	end := in.closing(from, marks)
	if end == 0 {
		return at
	}
	in.words(in.plain, at)
	in.slot(from, end, style)
	return end + len(marks)
}

// interpreted reads what is between single backquotes.
func (in *inline) interpreted(at, quote int, role string) int {
	from := quote + 1
	end := in.closing(from, "`")
	if end == 0 {
		return at
	}
	stop := end + 1
	for stop < len(in.text) && stop < end+3 && in.text[stop] == '_' {
		stop++
	}
	refers := stop > end+1
	if !refers && role == "" {
		if suffix := roleSuffix.FindString(in.text[stop:]); suffix != "" {
			role = suffix[1 : len(suffix)-1]
			stop += len(suffix)
		}
	}
	content := in.text[from:end]
	title := embedded.FindStringSubmatch(content)
	role = strings.TrimPrefix(strings.ToLower(role), "std:")
	switch {
	case refers && role == "" && title != nil:
		in.words(in.plain, at)
		in.slot(from, from+len(title[1]), referring)
	case refers && role == "" && stop == end+2 && !strings.HasPrefix(content, "<"): // by the name of a target
		in.words(in.plain, at)
		in.referred[normal(unescape(content))] = true
		in.slot(from, end, referring)
		target := strings.Join(strings.Fields(content), " ")
		in.slots[len(in.slots)-1].Escape = func(text string) string { return escape(text, true) + " <" + target + "_>" }
	case refers && role == "" && stop == end+3:
		in.words(in.plain, at)
		in.slot(from, end, referring)
	case !refers && proseRoles[role]:
		in.words(in.plain, at)
		in.slot(from, end, titleOfRole)
	case !refers && titleRoles[role] && title != nil:
		in.words(in.plain, at)
		in.slot(from, from+len(title[1]), titleOfRole)
	default:
		return in.fixed(at, from, end, stop)
	}
	return stop
}

// fixed makes a slot of text that stays, from from to end, within marks.
func (in *inline) fixed(at, from, end, stop int) int {
	in.words(in.plain, at)
	in.put(segment.Slot{Text: strings.ReplaceAll(in.text[from:end], "\n", " "), Fixed: true, Start: in.place(at), End: in.place(stop)}, nil)
	return stop
}

// words makes a slot of text without markup. The end of a line at its ends stays.
func (in *inline) words(from, to int) {
	begin, end := from, to
	for begin < end && in.text[begin] == '\n' {
		begin++
	}
	for end > begin && in.text[end-1] == '\n' {
		end--
	}
	if begin > from && len(in.slots) > 0 {
		in.put(segment.Slot{Text: " ", Fixed: true, Start: in.place(from), End: in.place(from)}, nil)
	}
	if begin < end {
		in.slot(begin, end, plainText)
	}
	if end < to && begin < end {
		in.put(segment.Slot{Text: " ", Fixed: true, Start: in.place(end), End: in.place(end)}, nil)
	}
}

// slot makes one of the text between two places, on as many lines as there are breaks.
func (in *inline) slot(from, to, style int) {
	var spans []segment.Span
	var shown strings.Builder
	before := ""
	for at := from; at < to; {
		end := to
		if i := strings.IndexByte(in.text[at:to], '\n'); i >= 0 {
			end = at + i
		}
		spans = append(spans, segment.Span{Start: in.place(at), End: in.place(end)})
		words := unescape(in.text[at:end])
		if at > from {
			shown.WriteString(segment.LineEnd(before, words))
		}
		shown.WriteString(words)
		before = words
		at = end + 1
	}
	in.put(segment.Slot{Text: shown.String(), Style: style, Start: spans[0].Start, End: spans[len(spans)-1].End}, spans)
}

func (in *inline) put(s segment.Slot, spans []segment.Span) {
	in.slots = append(in.slots, s)
	in.spans = append(in.spans, spans)
}

// place is where a place of text is in the source.
func (in *inline) place(at int) int {
	i := sort.SearchInts(in.froms, at+1) - 1
	return in.lines[i].start + at - in.froms[i]
}

// unescape is what a reader sees: a backslash is before what is no markup, and one
// before white space is nothing.
func unescape(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	var b strings.Builder
	for raw != "" {
		i := strings.IndexByte(raw, '\\')
		if i < 0 || i+1 == len(raw) {
			b.WriteString(strings.TrimSuffix(raw, `\`))
			break
		}
		b.WriteString(raw[:i])
		r, n := utf8.DecodeRuneInString(raw[i+1:])
		if !unicode.IsSpace(r) {
			b.WriteString(raw[i+1 : i+1+n])
		}
		raw = raw[i+1+n:]
	}
	return b.String()
}
