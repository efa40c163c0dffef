package mail

import (
	"errors"
	"io"
	"mime"
	"regexp"
	"strings"

	"dragoman/watch/document/charset"
	"dragoman/watch/document/segment"
)

// header is the fields before an entity's content.
type header struct {
	at     int  // where it begins in the message
	end    int  // where the empty line after it begins, from at
	top    bool // it is that of a whole message
	fields []field
}

type field struct {
	name       string // lower case
	start, end int    // of the value, from at, without the last line end
	value      string // unfolded
}

var fieldName = regexp.MustCompile(`^([!-9;-~]+)[ \t]*:[ \t]*`)

const maxFields = 2000

// readHeader reads fields up to an empty line, and returns how long it is with that.
func readHeader(raw string) (h header, n int, err error) {
	at := 0
	for at < len(raw) {
		end, next := len(raw), len(raw)
		if i := strings.IndexByte(raw[at:], '\n'); i >= 0 {
			end, next = at+i, at+i+1
		}
		line := strings.TrimSuffix(raw[at:end], "\r")
		stop := at + len(line)
		switch found := fieldName.FindStringSubmatch(line); {
		case line == "":
			h.end = at
			h.unfold(raw)
			return h, next, nil
		case (line[0] == ' ' || line[0] == '\t') && len(h.fields) > 0:
			last := &h.fields[len(h.fields)-1]
			last.end = stop
		case found != nil:
			if len(h.fields) == maxFields {
				return h, 0, errors.New("its header has too many fields")
			}
			h.fields = append(h.fields, field{name: strings.ToLower(found[1]), start: at + len(found[0]), end: stop})
		case at == 0 && (strings.HasPrefix(line, "From ") || strings.HasPrefix(line, ">From ")): // of an mbox
		default: // no header: the content begins here
			h.end = at
			h.unfold(raw)
			return h, at, nil
		}
		at = next
	}
	h.end = len(raw)
	h.unfold(raw)
	return h, len(raw), nil
}

func (h *header) unfold(raw string) {
	for i := range h.fields {
		f := &h.fields[i]
		f.value = strings.Join(strings.FieldsFunc(raw[f.start:f.end], func(r rune) bool { return r == '\r' || r == '\n' }), "")
	}
}

func (h header) field(name string) *field {
	for i := range h.fields {
		if h.fields[i].name == name {
			return &h.fields[i]
		}
	}
	return nil
}

func (h header) has(name string) bool { return h.field(name) != nil }

func (h header) get(name string) string {
	if f := h.field(name); f != nil {
		return f.value
	}
	return ""
}

// set gives a field a value, and adds it where there is none.
func (m *message) set(h header, name, value string) segment.Edit {
	if f := h.field(strings.ToLower(name)); f != nil {
		return segment.Edit{Start: h.at + f.start, End: h.at + f.end, Text: value}
	}
	at := h.at + h.end
	line := name + ": " + value + m.eol
	if at > h.at && m.raw[at-1] != '\n' {
		line = m.eol + strings.TrimSuffix(line, m.eol)
	}
	return segment.Edit{Start: at, End: at, Text: line}
}

// subject is that of a message, or of one within it.
type subject struct {
	from, to int
	part     *segment.Part
}

// reply is what programs put before the subject of an answer.
var reply = regexp.MustCompile(`(?i)^\s*((re|fwd?|aw|wg|sv|vs|tr|rv|res|enc|antw|odp|pd|回复|转发|答复)(\[\d+\])?\s*[:：]\s*)*`)

func (m *message) subject(h header, name string) {
	f := h.field("subject")
	if f == nil {
		return
	}
	decoder := mime.WordDecoder{CharsetReader: func(label string, in io.Reader) (io.Reader, error) {
		set, ok := charset.Named(label)
		if !ok {
			return nil, errors.New("unknown encoding")
		}
		raw, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		text, err := set.Decode(raw)
		return strings.NewReader(text), err
	}}
	text, err := decoder.DecodeHeader(f.value)
	if err != nil || !segment.HasWords(text) || strings.ToValidUTF8(text, "") != text {
		return
	}
	id := "subject"
	if name != "" {
		id = "part " + name + ", " + id
	}
	lead := len(reply.FindString(text))
	if !segment.HasWords(text[lead:]) {
		return
	}
	p := &segment.Part{Source: text, Segments: []*segment.Segment{{
		ID: id, Kind: segment.Heading, Protect: segment.InProse,
		Slots: []segment.Slot{{Text: text[lead:], Start: lead, End: len(text)}},
	}}, Both: func(text, translation string) string { return text + " – " + translation }}
	m.subjects = append(m.subjects, &subject{from: h.at + f.start, to: h.at + f.end, part: p})
}

// encodeWords writes a subject, in words of RFC 2047 where it is not ASCII, folded so
// that no line is longer than 76 bytes.
func encodeWords(text, eol string) string {
	text = strings.Join(strings.Fields(text), " ")
	written := mime.QEncoding.Encode("utf-8", text)
	const first = len("Subject: ")
	var b strings.Builder
	length := first
	for i, word := range strings.Split(written, " ") {
		switch {
		case length+1+len(word) > 76 && (i > 0 || first+len(word) > 78):
			b.WriteString(eol + " ")
			length = 1
		case i > 0:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += len(word)
	}
	return b.String()
}
