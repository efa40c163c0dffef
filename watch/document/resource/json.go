package resource

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"dragoman/watch/document/segment"
)

func itoa(n int) string { return strconv.Itoa(n) }

// ReadJSON takes the values of JSON apart that are texts for people: not those of keys
// such as id or url, nor single words that look like code.
func ReadJSON(body string, rules *Paths) (*segment.Part, error) {
	return readJSON(body, &jsonReader{rules: follower{rules: rules}})
}

// ReadARB takes an Application Resource Bundle apart: JSON whose keys with @ are about
// the messages.
func ReadARB(body string) (*segment.Part, error) { return readJSON(body, &jsonReader{arb: true}) }

type jsonReader struct {
	reader
	at    int
	arb   bool
	rules follower
	plain bool // no character beyond ASCII may be written
	edits []segment.Edit
}

func readJSON(body string, r *jsonReader) (*segment.Part, error) {
	if err := validJSON(body); err != nil {
		return nil, err
	}
	r.source, r.plain = body, ascii(body) && strings.Contains(body, `\u`)
	r.value("", false)
	p := r.part()
	p.Localise = func(o segment.Options) []segment.Edit {
		var edits []segment.Edit
		for _, e := range r.edits {
			if o.To != "" && e.Text != o.To {
				edits = append(edits, segment.Edit{Start: e.Start, End: e.End, Text: strconv.Quote(o.To)})
			}
		}
		return edits
	}
	return p, nil
}

func (r *jsonReader) blank() {
	for r.at < len(r.source) && strings.IndexByte(" \t\r\n", r.source[r.at]) >= 0 {
		r.at++
	}
}

// value goes over one value; the source was found to be valid.
func (r *jsonReader) value(path string, skip bool) {
	r.blank()
	switch r.source[r.at] {
	case '{':
		r.at++
		for r.blank(); r.source[r.at] != '}'; r.blank() {
			if r.source[r.at] == ',' {
				r.at++
				r.blank()
			}
			from, to := r.text()
			key := unquote(r.source[from:to])
			r.blank()
			r.at++ // the colon
			if r.arb && key == "@@locale" {
				r.blank()
				start := r.at
				r.value("", true)
				r.edits = append(r.edits, segment.Edit{Start: start, End: r.at, Text: unquote(r.source[start:r.at])})
				continue
			}
			under := under(path, key)
			r.blank()
			r.rules.enter(key)
			if !r.arb && r.source[r.at] == '"' && technical.MatchString(key) && r.rules.says() == silent {
				r.technical(key, under, skip)
			} else {
				r.value(under, skip || r.arb && strings.HasPrefix(key, "@"))
			}
			r.rules.leave()
		}
		r.at++
	case '[':
		r.at++
		for n := 0; ; n++ {
			r.blank()
			if r.source[r.at] == ']' {
				break
			}
			if r.source[r.at] == ',' {
				r.at++
			}
			index := itoa(n)
			r.rules.enter(index)
			r.value(shortened(path, "["+index+"]"), skip)
			r.rules.leave()
		}
		r.at++
	case '"':
		from, to := r.text()
		if says := r.rules.says(); !skip && says != left {
			r.message(path, from, to, says == taken)
		}
	default:
		for r.at < len(r.source) && strings.IndexByte(",]} \t\r\n", r.source[r.at]) < 0 {
			r.at++
		}
	}
}

// technical goes over the value of a key that is often for programs: a text of several
// words, or the key's own name, is for people all the same.
func (r *jsonReader) technical(key, path string, skip bool) {
	from, to := r.text()
	value := unquote(r.source[from:to])
	if !skip && (strings.Contains(value, " ") || strings.EqualFold(key, value)) && !strings.HasPrefix(key, "@") && !strings.HasPrefix(key, "$") {
		r.message(path, from, to, false)
	}
}

// text goes over a string.
func (r *jsonReader) text() (from, to int) {
	from = r.at
	for r.at++; r.source[r.at] != '"'; r.at++ {
		if r.source[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
	return from, r.at
}

func unquote(quoted string) string {
	var s string
	_ = json.Unmarshal([]byte(quoted), &s) // valid already
	return s
}

// icu is the beginning of a part of a message that is chosen by a number or word.
var (
	icu     = regexp.MustCompile(`\{\s*[\w.]+\s*,\s*(plural|select|selectordinal)\s*,`)
	icuHead = regexp.MustCompile(`^` + icu.String())
)

func (r *jsonReader) message(path string, from, to int, taken bool) {
	raw := r.source[from:to]
	shown := unquote(raw)
	if icu.MatchString(shown) {
		if strings.IndexByte(raw, '\\') >= 0 {
			r.add(path, segment.Message, segment.Slot{Text: shown, Start: from, End: to}, "it is an ICU message with escaped characters")
			return
		}
		for _, leaf := range leaves(raw, 1, len(raw)-1, 0) {
			if forPeople(raw[leaf.Start:leaf.End]) {
				r.add(path, segment.Message, segment.Slot{Text: raw[leaf.Start:leaf.End], Start: from + leaf.Start, End: from + leaf.End, Escape: func(text string) string {
					quoted := r.quote(text)
					return quoted[1 : len(quoted)-1]
				}}, "")
			}
		}
		return
	}
	if !r.arb && !taken && !forPeople(shown) || !segment.HasWords(shown) {
		return
	}
	r.add(path, segment.Message, segment.Slot{Text: shown, Start: from, End: to, Escape: r.quote}, "")
}

// deepest is how deep choices are within choices at most. None are so deep that people
// wrote them, and each takes another look at all that is in it.
const deepest = 16

// leaves are the texts of an ICU message that are not syntax (ICU MessageFormat). A
// placeholder stays a part of the text around it.
func leaves(s string, start, end, depth int) (all []segment.Span) {
	if depth > deepest {
		return nil
	}
	text := start
	for at := start; at < end; at++ {
		if s[at] != '{' {
			continue
		}
		stop := closing(s, at, end)
		head := icuHead.FindString(s[at:stop])
		if head == "" {
			at = stop - 1
			continue
		}
		all = append(all, segment.Span{Start: text, End: at})
		inner := at + len(head)
		for i := inner; i < stop-1; i++ {
			if s[i] == '{' {
				last := closing(s, i, stop-1)
				all = append(all, leaves(s, i+1, last-1, depth+1)...)
				i = last - 1
			}
		}
		text, at = stop, stop-1
	}
	return append(all, segment.Span{Start: text, End: max(text, end)})
}

// closing is behind the brace that closes the one at from.
func closing(s string, from, end int) int {
	depth := 0
	for i := from; i < end; i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return end
}

// quote writes a string as JSON, without escaping what need not be.
func (r *jsonReader) quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\r':
			b.WriteString(`\r`)
		case c < ' ' || r.plain && c >= utf8.RuneSelf || c == '\u2028' || c == '\u2029':
			b.WriteString(unicodeEscape(c))
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// unicodeEscape is \uXXXX, or two of them.
func unicodeEscape(c rune) string {
	if c > 0xFFFF {
		a, b := utf16.EncodeRune(c)
		return fmt.Sprintf(`\u%04X\u%04X`, a, b)
	}
	return fmt.Sprintf(`\u%04X`, c)
}
