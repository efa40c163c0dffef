package tokenizer

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// vocabulary is vocab.json by token: the texts in one string, and where each
// begins and ends.
type vocabulary struct {
	texts string
	spans []span
}

type span struct{ start, end uint32 }

func (v *vocabulary) size() int { return len(v.spans) }

func (v *vocabulary) entry(id int32) string {
	return v.texts[v.spans[id].start:v.spans[id].end]
}

// parseVocabulary reads a JSON object of texts and numbers. The numbers must be
// 0 … n-1, because language tokens begin at n. It is six to ten times as fast as
// encoding/json into a map (BenchmarkVocabulary), and no entry is allocated
// by itself.
func parseVocabulary(data string) (*vocabulary, error) {
	s := scanner{data: data}
	s.texts.Grow(len(data))
	type entry struct {
		span
		id uint32
	}
	entries := make([]entry, 0, len(data)/18)
	if err := s.expect('{'); err != nil {
		return nil, err
	}
	for first := true; ; first = false {
		if s.skip() == '}' {
			s.at++
			break
		}
		if !first {
			if err := s.expect(','); err != nil {
				return nil, err
			}
		}
		start := s.texts.Len()
		if err := s.text(); err != nil {
			return nil, err
		}
		end := s.texts.Len()
		if err := s.expect(':'); err != nil {
			return nil, err
		}
		id, err := s.number()
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{span{uint32(start), uint32(end)}, id})
	}
	if s.skip(); s.at < len(data) {
		return nil, s.errorf("text after the end of the vocabulary")
	}
	if len(entries) == 0 {
		return nil, s.errorf("the vocabulary is empty")
	}
	v := &vocabulary{texts: s.texts.String(), spans: make([]span, len(entries))}
	for _, e := range entries {
		if int(e.id) >= len(entries) {
			return nil, fmt.Errorf("token %d in a vocabulary of %d entries: the numbers must be 0 to %d, each once", e.id, len(entries), len(entries)-1)
		}
		if v.spans[e.id].end != 0 {
			return nil, fmt.Errorf("two entries have the number %d", e.id)
		}
		if e.start == e.end {
			return nil, fmt.Errorf("token %d has no text", e.id)
		}
		v.spans[e.id] = e.span
	}
	return v, nil
}

// scanner reads the JSON of a vocabulary and collects the texts.
type scanner struct {
	data  string
	at    int
	texts strings.Builder
}

func (s *scanner) errorf(format string, args ...any) error {
	return fmt.Errorf("byte %d: "+format, append([]any{s.at}, args...)...)
}

// skip goes over white space and gives the byte behind it, 0 at the end.
func (s *scanner) skip() byte {
	for ; s.at < len(s.data); s.at++ {
		switch c := s.data[s.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) expect(c byte) error {
	if got := s.skip(); s.at == len(s.data) {
		return s.errorf("the file ends where %q should be", c)
	} else if got != c {
		return s.errorf("%q where %q should be", got, c)
	}
	s.at++
	return nil
}

// number reads a whole number from 0 to 2³¹-1.
func (s *scanner) number() (uint32, error) {
	s.skip()
	start, n := s.at, uint64(0)
	for s.at < len(s.data) && s.data[s.at]-'0' <= 9 {
		if n = n*10 + uint64(s.data[s.at]-'0'); n > math.MaxInt32 {
			return 0, s.errorf("the number is too large for a token")
		}
		s.at++
	}
	if s.at == start {
		return 0, s.errorf("a token's number should be here")
	}
	return uint32(n), nil
}

// text reads a JSON string and appends it to texts.
func (s *scanner) text() error {
	if err := s.expect('"'); err != nil {
		return err
	}
	for {
		plain := s.at
		for s.at < len(s.data) && s.data[s.at] != '"' && s.data[s.at] != '\\' && s.data[s.at] >= ' ' {
			s.at++
		}
		s.texts.WriteString(s.data[plain:s.at])
		if s.at == len(s.data) {
			return s.errorf("the file ends inside a text")
		}
		switch c := s.data[s.at]; c {
		case '"':
			s.at++
			return nil
		case '\\':
			if err := s.escape(); err != nil {
				return err
			}
		default:
			return s.errorf("control character %q inside a text", c)
		}
	}
}

// escape reads one escape sequence, or two that are a surrogate pair.
func (s *scanner) escape() error {
	if s.at+1 == len(s.data) {
		return s.errorf("the file ends inside a text")
	}
	c := s.data[s.at+1]
	if c == 'u' {
		return s.unicodeEscape()
	}
	const short, meaning = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	i := strings.IndexByte(short, c)
	if i < 0 {
		return s.errorf("unknown escape sequence \\%c", c)
	}
	s.texts.WriteByte(meaning[i])
	s.at += 2
	return nil
}

func (s *scanner) unicodeEscape() error {
	r, ok := s.hex(s.at)
	if !ok {
		return s.errorf("four hexadecimal digits should follow \\u")
	}
	s.at += 6
	if utf16.IsSurrogate(r) {
		if low, ok := s.hex(s.at); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				s.at += 6
				s.texts.WriteRune(pair)
				return nil
			}
		}
		r = utf8.RuneError // half a pair
	}
	s.texts.WriteRune(r)
	return nil
}

// hex reads a \uXXXX at byte `at`. An export in ASCII has half a million of
// them.
func (s *scanner) hex(at int) (rune, bool) {
	if at+6 > len(s.data) || s.data[at] != '\\' || s.data[at+1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s.data[at+2 : at+6]) {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20-'a' <= 5:
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
