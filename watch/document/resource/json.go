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
	return readJSON(body, &jsonReader{rules: rules})
}

// ReadARB takes an Application Resource Bundle apart: JSON whose keys with @ are about
// the messages.
func ReadARB(body string) (*segment.Part, error) { return readJSON(body, &jsonReader{arb: true}) }

type jsonReader struct {
	reader
	at    int
	arb   bool
	rules *Paths
	keys  []string // of the value that is read, where there are rules
	plain bool     // no character beyond ASCII may be written
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
			under := key
			if path != "" {
				under = path + "." + key
			}
			r.blank()
			r.keys = append(r.keys, key)
			if !r.arb && r.source[r.at] == '"' && technical.MatchString(key) && r.rules.of(r.keys) == silent {
				r.technical(key, under, skip)
			} else {
				r.value(under, skip || r.arb && strings.HasPrefix(key, "@"))
			}
			r.keys = r.keys[:len(r.keys)-1]
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
			r.keys = append(r.keys, itoa(n))
			r.value(fmt.Sprintf("%s[%d]", path, n), skip)
			r.keys = r.keys[:len(r.keys)-1]
		}
		r.at++
	case '"':
		from, to := r.text()
		if says := r.rules.of(r.keys); !skip && says != left {
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
var icu = regexp.MustCompile(`\{\s*[\w.]+\s*,\s*(plural|select|selectordinal)\s*,`)

func (r *jsonReader) message(path string, from, to int, taken bool) {
	raw := r.source[from:to]
	shown := unquote(raw)
	if icu.MatchString(shown) {
		if strings.IndexByte(raw, '\\') >= 0 {
			r.add(path, segment.Message, segment.Slot{Text: shown, Start: from, End: to}, "it is an ICU message with escaped characters")
			return
		}
		for _, leaf := range leaves(raw, 1, len(raw)-1) {
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

// leaves are the texts of an ICU message that are not syntax (ICU MessageFormat). A
// placeholder stays a part of the text around it.
func leaves(s string, start, end int) (all []segment.Span) {
	text := start
	for at := start; at < end; at++ {
		if s[at] != '{' {
			continue
		}
		stop := closing(s, at, end)
		if !icu.MatchString(s[at:stop]) || icu.FindStringIndex(s[at:stop])[0] != 0 {
			at = stop - 1
			continue
		}
		all = append(all, segment.Span{Start: text, End: at})
		inner := at + icu.FindStringIndex(s[at:stop])[1]
		for i := inner; i < stop-1; i++ {
			if s[i] == '{' {
				last := closing(s, i, stop-1)
				all = append(all, leaves(s, i+1, last-1)...)
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
