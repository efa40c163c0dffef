package resource

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"dragoman/watch/document/quantity"
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
	forms []*quantity.Text
}

func readJSON(body string, r *jsonReader) (*segment.Part, error) {
	if err := validJSON(body); err != nil {
		return nil, err
	}
	r.source, r.plain = body, ascii(body) && strings.Contains(body, `\u`)
	r.value("", false)
	p := r.part()
	p.Localise = func(o segment.Options) []segment.Edit {
		if o.To == "" {
			return nil
		}
		edits := quantity.Add(p, r.forms, o.To)
		for _, e := range r.edits {
			if e.Text != o.To {
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
		var forms members
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
			text := r.source[r.at] == '"'
			r.rules.enter(key)
			if !r.arb && r.source[r.at] == '"' && technical.MatchString(key) && r.rules.says() == silent {
				r.technical(key, under, skip)
			} else {
				r.value(under, skip || r.arb && strings.HasPrefix(key, "@"))
			}
			r.rules.leave()
			forms.add(r.source, key, segment.Span{Start: from, End: to}, r.at, text && !r.arb) // which has them within messages
		}
		r.at++
		r.forms = append(r.forms, forms.texts()...)
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
	if !skip && (severalWords(value) || strings.EqualFold(key, value)) && !strings.HasPrefix(key, "@") && !strings.HasPrefix(key, "$") {
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

func (r *jsonReader) message(path string, from, to int, taken bool) {
	shown := unquote(r.source[from:to])
	if !r.arb && !taken && !forPeople(shown) || !segment.HasWords(shown) {
		return
	}
	r.add(path, segment.Message, segment.Slot{Text: shown, Start: from, End: to, Escape: r.quote}, "")
}

// quote writes a string as JSON, without escaping what need not be.
func (r *jsonReader) quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch short := shortEscape(c); {
		case short != "":
			b.WriteString(short)
		case c < ' ' || r.plain && c >= utf8.RuneSelf || c == '\u2028' || c == '\u2029':
			b.WriteString(unicodeEscape(c))
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// shortEscape is how a character is written with a letter behind a backslash, in JSON and in YAML; "" where it is not.
func shortEscape(c rune) string {
	switch c {
	case '"', '\\':
		return `\` + string(c)
	case '\n':
		return `\n`
	case '\t':
		return `\t`
	case '\r':
		return `\r`
	}
	return ""
}

// unicodeEscape is \uXXXX, or two of them.
func unicodeEscape(c rune) string {
	if c > 0xFFFF {
		a, b := utf16.EncodeRune(c)
		return fmt.Sprintf(`\u%04X\u%04X`, a, b)
	}
	return fmt.Sprintf(`\u%04X`, c)
}
