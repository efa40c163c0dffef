// Package xmltext walks through XML by the places of its tokens, so that texts can be
// replaced while every other byte stays. Entities are never expanded beyond the five
// of XML and numeric ones, and nothing that a document refers to is read.
package xmltext

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"dragoman/internal/english"
	"dragoman/watch/document/segment"
)

// shownName is how much of a name goes into messages, in bytes.
const shownName = 40

// Kind of a Token.
type Kind int

// The kinds; comments, instructions and declarations are Other.
const (
	Start Kind = iota
	End
	Text
	CData
	Other
)

// Token is a piece of the source. An empty element gives Start and End, with Empty.
type Token struct {
	Kind       Kind
	Name       string // of an element, with its prefix
	Start, End int    // bytes of the source
	Empty      bool
}

// maxDepth is how deep elements may be nested: real documents stay far below.
const maxDepth = 2000

// Scan gives the tokens of source to handle, in order. It is an error where the
// source is not well-formed, nested too deep, or declares entities.
func Scan(source string, handle func(Token) error) error {
	s := scanner{source: source, handle: handle}
	err := s.run()
	if bad, ok := err.(*segment.FormatError); ok && bad.Line == 0 {
		bad.Line = segment.LineOf(source, s.at)
	}
	return err
}

type scanner struct {
	source string
	at     int
	open   []string
	handle func(Token) error
}

func bad(format string, args ...any) error {
	return &segment.FormatError{Format: "XML", Reason: fmt.Sprintf(format, args...), Hint: "save it anew with the program it is from"}
}

func (s *scanner) run() error {
	for s.at < len(s.source) {
		if s.source[s.at] != '<' {
			end := len(s.source)
			if i := strings.IndexByte(s.source[s.at:], '<'); i >= 0 {
				end = s.at + i
			}
			if err := s.emit(Token{Kind: Text, Start: s.at, End: end}); err != nil {
				return err
			}
			continue
		}
		if err := s.tag(s.source[s.at:]); err != nil {
			return err
		}
	}
	if len(s.open) > 0 {
		return bad("the file ends within <%s>", s.open[len(s.open)-1])
	}
	return nil
}

// emit hands a token on and goes behind it.
func (s *scanner) emit(t Token) error {
	if err := s.handle(t); err != nil {
		return err
	}
	s.at = t.End
	return nil
}

func (s *scanner) tag(rest string) error {
	until := func(mark string) (int, error) {
		i := strings.Index(rest, mark)
		if i < 0 {
			return 0, bad("the file ends within a tag")
		}
		return s.at + i + len(mark), nil
	}
	switch {
	case strings.HasPrefix(rest, "<!--"):
		i := strings.Index(rest[4:], "-->")
		if i < 0 {
			return bad("the file ends within a comment")
		}
		return s.emit(Token{Kind: Other, Start: s.at, End: s.at + 4 + i + 3})
	case strings.HasPrefix(rest, "<![CDATA["):
		end, err := until("]]>")
		if err != nil {
			return err
		}
		return s.emit(Token{Kind: CData, Start: s.at, End: end})
	case strings.HasPrefix(rest, "<?"):
		end, err := until("?>")
		if err != nil {
			return err
		}
		return s.emit(Token{Kind: Other, Start: s.at, End: end})
	case strings.HasPrefix(rest, "<!"):
		return s.declaration(rest)
	case strings.HasPrefix(rest, "</"):
		end, err := until(">")
		if err != nil {
			return err
		}
		name := strings.TrimRight(s.source[s.at+2:end-1], " \t\r\n")
		if len(s.open) == 0 || s.open[len(s.open)-1] != name {
			return bad("</%s> closes what is not open", english.Short(name, shownName))
		}
		s.open = s.open[:len(s.open)-1]
		return s.emit(Token{Kind: End, Name: name, Start: s.at, End: end})
	}
	return s.start(rest)
}

// declaration goes over <!DOCTYPE…>.
func (s *scanner) declaration(rest string) error {
	depth, quote := 0, byte(0)
	for i := range len(rest) {
		c := rest[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '<':
			depth++
			if strings.HasPrefix(rest[i:], "<!ENTITY") {
				return &segment.FormatError{Format: "XML", Reason: "it declares entities, which can make a small file endlessly large", Hint: "remove the <!ENTITY> declarations"}
			}
		case c == '>':
			if depth--; depth == 0 {
				return s.emit(Token{Kind: Other, Start: s.at, End: s.at + i + 1})
			}
		}
	}
	return bad("the file ends within a declaration")
}

func (s *scanner) start(rest string) error {
	n := 1
	for n < len(rest) && !endsName(rest[n]) {
		if rest[n] == '<' || rest[n] == '"' || rest[n] == '\'' || rest[n] == '=' || rest[n] == '&' {
			return bad("a < begins no tag")
		}
		n++
	}
	name := rest[1:n]
	if name == "" {
		return bad("a < begins no tag")
	}
	for ; n < len(rest); n++ {
		switch c := rest[n]; c {
		case '"', '\'':
			value := rest[n+1:]
			end := strings.IndexByte(value, c)
			if end >= 0 {
				value = value[:end]
			}
			if strings.IndexByte(value, '<') >= 0 {
				return bad("there is a < in an attribute of <%s>", english.Short(name, shownName))
			}
			n += len(value) + 1
		case '<':
			return bad("<%s> is not closed", english.Short(name, shownName))
		case '>':
			t := Token{Kind: Start, Name: name, Start: s.at, End: s.at + n + 1, Empty: rest[n-1] == '/'}
			if len(s.open) >= maxDepth {
				return bad("elements are nested deeper than %d", maxDepth)
			}
			if !t.Empty {
				s.open = append(s.open, name)
			}
			if err := s.emit(t); err != nil || !t.Empty {
				return err
			}
			return s.handle(Token{Kind: End, Name: name, Start: t.End, End: t.End, Empty: true})
		}
	}
	return bad("the file ends within <%s>", english.Short(name, shownName))
}

func endsName(c byte) bool {
	return c == '>' || c == ' ' || c == '/' || c == '\n' || c == '\r' || c == '\t'
}

// Attr is an attribute of a tag, by its places in the source.
type Attr struct {
	Name       string
	Value      string // as written
	Start, End int    // of the value, without quotation marks
	Quote      byte   // 0 where there are none, as in HTML
	NameEnd    int
}

// Attrs are the attributes of the tag at start:end of a source, also of HTML's.
func Attrs(source string, start, end int) []Attr { return slices.Collect(Each(source, start, end)) }

// Each goes over the attributes of the tag at start:end of a source, also of HTML's.
func Each(source string, start, end int) iter.Seq[Attr] {
	return func(yield func(Attr) bool) {
		at := start + 1
		for at < end && !endsWord(source[at]) && source[at] != '>' {
			at++
		}
		for at < end {
			for at < end && endsWord(source[at]) {
				at++
			}
			if at >= end || source[at] == '>' {
				return
			}
			a, next, ok := attr(source, at, end)
			if !ok || !yield(a) {
				return
			}
			at = next
		}
	}
}

// endsWord says whether c is white space, or the slash at the end of an empty element.
func endsWord(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '/'
}

// attr is the attribute that begins at a place of a tag, and what is behind it. False where its quotation mark
// is not closed.
func attr(source string, from, end int) (a Attr, at int, ok bool) {
	for at = from + 1; at < end && !endsWord(source[at]) && source[at] != '=' && source[at] != '>'; at++ {
	}
	a = Attr{Name: source[from:at], Start: at, End: at, NameEnd: at}
	next := at
	for next < end && endsWord(source[next]) && source[next] != '/' {
		next++
	}
	if next >= end || source[next] != '=' {
		return a, at, true
	}
	for next++; next < end && endsWord(source[next]) && source[next] != '/'; next++ {
	}
	if next < end && (source[next] == '"' || source[next] == '\'') {
		a.Quote = source[next]
		a.Start = next + 1
		stop := strings.IndexByte(source[a.Start:end], a.Quote)
		if stop < 0 {
			return a, end, false
		}
		a.End = a.Start + stop
		at = a.End + 1
	} else {
		a.Start = next
		for at = next; at < end && source[at] != '>' && !(endsWord(source[at]) && source[at] != '/'); at++ {
		}
		a.End = at
	}
	a.Value = source[a.Start:a.End]
	return a, at, true
}

// Get is an attribute's value, unescaped, "" where there is none.
func Get(attrs []Attr, name string) string {
	for _, a := range attrs {
		if a.Name == name {
			value, _ := Unescape(a.Value)
			return value
		}
	}
	return ""
}

// Unescape reads the entities of XML; false where there are others, or what is no
// character.
func Unescape(raw string) (string, bool) {
	if strings.IndexByte(raw, '&') < 0 {
		return raw, true
	}
	var b strings.Builder
	ok := true
	for raw != "" {
		i := strings.IndexByte(raw, '&')
		if i < 0 {
			break
		}
		b.WriteString(raw[:i])
		raw = raw[i:]
		end := strings.IndexByte(raw[:min(len(raw), 12)], ';')
		r := rune(-1)
		if end > 0 {
			r = entity(raw[1:end])
		}
		if r < 0 {
			ok = false
			b.WriteByte('&')
			raw = raw[1:]
			continue
		}
		b.WriteRune(r)
		raw = raw[end+1:]
	}
	b.WriteString(raw)
	return b.String(), ok
}

func entity(name string) rune {
	switch name {
	case "amp":
		return '&'
	case "lt":
		return '<'
	case "gt":
		return '>'
	case "quot":
		return '"'
	case "apos":
		return '\''
	}
	digits, found := strings.CutPrefix(name, "#")
	base := 10
	if hex, isHex := strings.CutPrefix(digits, "x"); isHex {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 21)
	if !found || err != nil || n > 0x10FFFF || n >= 0xD800 && n < 0xE000 || n == 0 {
		return -1
	}
	return rune(n)
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// Escape writes a text as XML has it between tags. Characters that XML cannot hold
// are left out.
func Escape(text string) string { return escaper.Replace(legal(text)) }

// EscapeAttr writes a text as it is between quotation marks.
func EscapeAttr(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "'", "&#39;").Replace(legal(text))
}

// EscapeCData writes a text as a section of CDATA that begins and ends around it.
func EscapeCData(text string) string {
	return "<![CDATA[" + strings.ReplaceAll(legal(text), "]]>", "]]]]><![CDATA[>") + "]]>"
}

// legal leaves out what XML 1.0, section 2.2, does not allow.
func legal(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, text)
}
