// Package mail takes messages apart (RFC 5322 and MIME): the subject, and the texts that
// a reader of mail shows, plain and HTML. Other headers, attachments, boundaries and the
// way that parts are encoded stay.
package mail

import (
	"errors"
	"fmt"
	"mime"
	"strings"

	"dragoman/watch/document/charset"
	"dragoman/watch/document/markup"
	"dragoman/watch/document/segment"
)

// Limits, above what real messages have.
const (
	maxDepth = 50
	maxParts = 5000
)

// Looks says whether a text is a message by its headers.
func Looks(body string) bool {
	h, _, err := readHeader(body[:min(len(body), 64<<10)])
	return err == nil && h.has("from") && (h.has("subject") || h.has("date")) && (h.has("received") || h.has("mime-version") || h.has("message-id") || h.has("to"))
}

// entity is a text of a message that is translated.
type entity struct {
	header   header
	from, to int // of its content in the message
	charset  charset.Charset
	encoding string // of the transfer, lower case
	part     *segment.Part
	isHTML   bool
}

type message struct {
	raw      string
	eol      string
	entities []*entity
	subjects []*subject
	parts    int
}

// Read takes a message apart. What it returns second writes it, with the texts of the
// parts as they are rendered.
func Read(raw []byte) ([]*segment.Part, func(segment.Options) ([]byte, error), error) {
	m := &message{raw: string(raw), eol: "\n"}
	if i := strings.IndexByte(m.raw, '\n'); i > 0 && m.raw[i-1] == '\r' {
		m.eol = "\r\n"
	}
	if err := m.entity(0, len(m.raw), "", 0, true); err != nil {
		return nil, nil, err
	}
	var parts []*segment.Part
	for _, s := range m.subjects {
		parts = append(parts, s.part)
	}
	for _, e := range m.entities {
		parts = append(parts, e.part)
	}
	return parts, m.write, nil
}

// entity reads a header and what comes after it, between two places of the message.
func (m *message) entity(from, to int, name string, depth int, top bool) error {
	if m.parts++; depth > maxDepth || m.parts > maxParts {
		return errors.New("its parts are nested too deep, or there are too many of them")
	}
	h, n, err := readHeader(m.raw[from:to])
	if err != nil {
		return fmt.Errorf("part %q: %w", name, err)
	}
	h.at, h.top = from, top
	if top {
		if len(h.fields) == 0 {
			return errors.New("it has no header, such as a subject")
		}
		m.subject(h, name)
	}
	body := from + n
	kind, params, err := mime.ParseMediaType(h.get("content-type"))
	if err != nil || kind == "" {
		kind = "text/plain"
	}
	if disposition, _, _ := mime.ParseMediaType(h.get("content-disposition")); disposition == "attachment" {
		return nil
	}
	switch {
	case strings.HasPrefix(kind, "multipart/"):
		for i, span := range boundaries(m.raw, body, to, params["boundary"]) {
			if err := m.entity(span.Start, span.End, below(name, i+1), depth+1, false); err != nil {
				return err
			}
		}
	case kind == "message/rfc822" && (h.get("content-transfer-encoding") == "" || verbatim(strings.ToLower(h.get("content-transfer-encoding")))):
		return m.entity(body, to, below(name, 1), depth+1, true)
	case kind == "text/plain" || kind == "text/html":
		return m.text(h, body, to, kind == "text/html", params["charset"], name)
	}
	return nil
}

func below(name string, n int) string {
	if name == "" {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s.%d", name, n)
}

// boundaries are the parts between the lines of a boundary (RFC 2046, section 5.1.1).
func boundaries(raw string, from, to int, boundary string) (all []segment.Span) {
	if boundary == "" {
		return nil
	}
	start := -1
	for at := from; at < to; {
		end, next := to, to
		if i := strings.IndexByte(raw[at:to], '\n'); i >= 0 {
			end, next = at+i, at+i+1
		}
		line := strings.TrimRight(raw[at:end], " \t\r")
		rest, ok := strings.CutPrefix(line, "--"+boundary)
		if ok && (rest == "" || rest == "--") {
			if start >= 0 {
				all = append(all, segment.Span{Start: start, End: max(start, beforeEOL(raw, at))})
			}
			if start = next; rest != "" {
				return all
			}
		}
		at = next
	}
	if start >= 0 && start < to { // the last boundary is missing
		all = append(all, segment.Span{Start: start, End: to})
	}
	return all
}

// beforeEOL is where the line end before a place begins.
func beforeEOL(raw string, at int) int {
	if at > 0 && raw[at-1] == '\n' {
		at--
		if at > 0 && raw[at-1] == '\r' {
			at--
		}
	}
	return at
}

// text reads a part that is shown. One that cannot be decoded stays.
func (m *message) text(h header, from, to int, isHTML bool, label, name string) error {
	e := &entity{header: h, from: from, to: to, isHTML: isHTML, encoding: strings.ToLower(strings.TrimSpace(h.get("content-transfer-encoding")))}
	if e.encoding == "base64" {
		e.to = from + len(strings.TrimRight(m.raw[from:to], " \t\r\n"))
	}
	content, ok := decodeTransfer(m.raw[from:to], e.encoding)
	if !ok {
		return nil
	}
	body := ""
	for _, set := range candidates(label) {
		text, err := set.Decode(content)
		if err == nil {
			e.charset, body = set, text
			break
		}
	}
	if body == "" {
		return nil
	}
	var err error
	if isHTML {
		e.part, err = markup.ReadHTML(body)
	} else {
		e.part = plain(body)
	}
	if err != nil {
		return err
	}
	for _, s := range e.part.Segments {
		if name != "" {
			s.ID = "part " + name + ", " + s.ID
		}
	}
	m.entities = append(m.entities, e)
	return nil
}

// candidates are the encodings that a text may have: the one it says, then those that
// programs used without saying it.
func candidates(label string) (all []charset.Charset) {
	if set, ok := charset.Named(label); ok {
		all = append(all, set)
	}
	all = append(all, charset.UTF8)
	if set, ok := charset.Named("windows-1252"); ok {
		all = append(all, set)
	}
	return all
}

// write is the message with its texts rendered.
func (m *message) write(o segment.Options) ([]byte, error) {
	var edits []segment.Edit
	for _, s := range m.subjects {
		if s.part.Changed(segment.Options{Bilingual: o.Bilingual}) {
			text, err := s.part.Render(segment.Options{Bilingual: o.Bilingual})
			if err != nil {
				return nil, err
			}
			edits = append(edits, segment.Edit{Start: s.from, End: s.to, Text: encodeWords(text, m.eol)})
		}
	}
	for _, e := range m.entities {
		if !e.part.Changed(o) {
			continue
		}
		more, err := m.rewrite(e, o)
		if err != nil {
			return nil, err
		}
		edits = append(edits, more...)
	}
	out, err := segment.Splice(m.raw, edits)
	return []byte(out), err
}

// rewrite writes one text in the encoding that it had, where that can hold it.
func (m *message) rewrite(e *entity, o segment.Options) ([]segment.Edit, error) {
	body, err := e.part.Render(o)
	if err != nil {
		return nil, err
	}
	var edits []segment.Edit
	raw, ok := e.charset.Encode(body)
	if !ok {
		raw = []byte(body)
	}
	if !ok || e.charset == charset.UTF8 && !ascii(body) {
		edits = append(edits, m.declare(e)...)
	}
	encoding := e.encoding
	if verbatim(encoding) && encoding != "8bit" && encoding != "binary" && !ascii(string(raw)) {
		encoding = "quoted-printable"
		edits = append(edits, m.set(e.header, "Content-Transfer-Encoding", encoding))
	}
	edits = append(edits, segment.Edit{Start: e.from, End: e.to, Text: encodeTransfer(raw, encoding, m.eol)})
	if o.To != "" {
		if f := e.header.field("content-language"); f != nil {
			edits = append(edits, m.set(e.header, "Content-Language", o.To))
		}
	}
	return edits, nil
}

// declare names UTF-8 as the encoding of a text.
func (m *message) declare(e *entity) []segment.Edit {
	kind := "text/plain"
	if e.isHTML {
		kind = "text/html"
	}
	_, params, err := mime.ParseMediaType(e.header.get("content-type"))
	if err != nil || params == nil {
		params = map[string]string{}
	}
	if strings.EqualFold(params["charset"], "utf-8") {
		return nil
	}
	params["charset"] = "utf-8"
	edits := []segment.Edit{m.set(e.header, "Content-Type", mime.FormatMediaType(kind, params))}
	if !e.header.has("mime-version") && e.header.top {
		edits = append(edits, m.set(e.header, "MIME-Version", "1.0"))
	}
	return edits
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
