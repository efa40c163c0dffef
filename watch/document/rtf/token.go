package rtf

import "strconv"

// kind of a token.
type kind int

const (
	opens   kind = iota // {
	closes              // }
	word                // \word, with what ends it
	hex                 // \'hh
	char                // one byte of a text
	ignored             // the end of a line
)

// token is a piece of the file.
type token struct {
	kind       kind
	start, end int
	name       string // of a control word or symbol
	number     int
	has        bool // a number
	code       byte // of hex and char
	bare       bool // a word whose end is no space
}

// next is the token at a place (Rich Text Format specification 1.9.1, "RTF Syntax").
func next(source string, at int) token {
	t := token{start: at, end: at + 1}
	switch c := source[at]; c {
	case '{':
		t.kind = opens
	case '}':
		t.kind = closes
	case '\r', '\n':
		t.kind = ignored
	case '\\':
		t.control(source)
	default:
		t.kind, t.code = char, c
	}
	return t
}

func (t *token) control(source string) {
	t.kind = word
	at := t.start + 1
	for at < len(source) && (source[at] >= 'a' && source[at] <= 'z' || source[at] >= 'A' && source[at] <= 'Z') && at-t.start <= 32 {
		at++
	}
	if at == t.start+1 { // a symbol
		if at == len(source) {
			return
		}
		t.name, t.end = source[at:at+1], at+1
		if t.name != "'" {
			return
		}
		if n, err := strconv.ParseUint(source[at+1:min(at+3, len(source))], 16, 8); err == nil && at+3 <= len(source) {
			t.kind, t.code, t.end = hex, byte(n), at+3
		}
		return
	}
	t.name = source[t.start+1 : at]
	from := at
	if at < len(source) && source[at] == '-' {
		at++
	}
	for at < len(source) && source[at] >= '0' && source[at] <= '9' && at-from < 11 {
		at++
	}
	if n, err := strconv.Atoi(source[from:at]); err == nil {
		t.number, t.has = n, true
	} else {
		at = from
	}
	if t.bare = at >= len(source) || source[at] != ' '; !t.bare {
		at++
	}
	t.end = at
}
