package pdf

import (
	"bytes"
	"strconv"
)

// Objects are nil, bool, float64, text, name, array, dict, ref and *stream (ISO 32000,
// section 7.3). In streams of content an operator is a keyword.
type (
	text    []byte // bytes of a string, in whatever encoding
	name    string
	array   []any
	dict    map[name]any
	keyword string
)

// ref is an indirect object.
type ref int

type stream struct {
	dict dict
	at   int // where its bytes begin in the file
}

const (
	maxNesting = 60
	maxString  = 1 << 20 // bytes
)

// lexer reads objects one after the other. What is malformed ends it.
type lexer struct {
	data []byte
	at   int
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

func (l *lexer) blank() {
	for l.at < len(l.data) {
		switch c := l.data[l.at]; {
		case isSpace(c):
			l.at++
		case c == '%':
			for l.at < len(l.data) && l.data[l.at] != '\n' && l.data[l.at] != '\r' {
				l.at++
			}
		default:
			return
		}
	}
}

// end marks of arrays, dictionaries and the data.
const (
	endArray keyword = "]"
	endDict  keyword = ">>"
	endData  keyword = ""
)

// object reads the next one. What is at the wrong place comes back as a keyword.
func (l *lexer) object(depth int) any {
	l.blank()
	if l.at >= len(l.data) || depth > maxNesting {
		l.at = len(l.data)
		return endData
	}
	switch c := l.data[l.at]; c {
	case '/':
		return l.name()
	case '(':
		return l.literal()
	case '[':
		l.at++
		all := array{}
		for {
			one := l.object(depth + 1)
			if one == endArray || one == endData || one == endDict {
				return all
			}
			if k, ok := one.(keyword); ok && k == "R" && len(all) >= 2 { // of two numbers before it
				if n, ok := all[len(all)-2].(float64); ok {
					all = append(all[:len(all)-2], ref(n))
				}
				continue
			}
			all = append(all, one)
		}
	case '<':
		if l.at+1 < len(l.data) && l.data[l.at+1] == '<' {
			l.at += 2
			return l.dict(depth)
		}
		return l.hex()
	case ']':
		l.at++
		return endArray
	case '>':
		l.at++
		if l.at < len(l.data) && l.data[l.at] == '>' {
			l.at++
		}
		return endDict
	case ')', '{', '}':
		l.at++
		return keyword(c)
	}
	from := l.at
	for l.at < len(l.data) && !isSpace(l.data[l.at]) && !isDelimiter(l.data[l.at]) {
		l.at++
	}
	word := string(l.data[from:min(l.at, from+64)])
	if c := word[0]; c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' {
		n, err := strconv.ParseFloat(word, 64)
		if err != nil || n != n || n > 1e12 || n < -1e12 {
			n = 0
		}
		return n
	}
	switch word {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	return keyword(word)
}

func (l *lexer) dict(depth int) any {
	d := dict{}
	var last []any // values since the key
	key, has := name(""), false
	put := func() {
		if !has {
			return
		}
		switch n := len(last); {
		case n >= 3 && last[n-1] == keyword("R"):
			if num, ok := last[n-3].(float64); ok {
				d[key] = ref(num)
			}
		case n > 0:
			d[key] = last[n-1]
		}
	}
	for {
		one := l.object(depth + 1)
		if one == endDict || one == endData || one == endArray {
			put()
			return d
		}
		// A name is a value where none has come after the key.
		if n, ok := one.(name); ok && (!has || len(last) > 0) {
			put()
			key, has, last = n, true, nil
			continue
		}
		last = append(last, one)
		if len(last) > 3 {
			last = last[1:]
		}
	}
}

func (l *lexer) name() any {
	l.at++
	from := l.at
	for l.at < len(l.data) && !isSpace(l.data[l.at]) && !isDelimiter(l.data[l.at]) {
		l.at++
	}
	raw := l.data[from:l.at]
	if bytes.IndexByte(raw, '#') < 0 {
		return name(raw)
	}
	var out []byte
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) {
			if n, err := strconv.ParseUint(string(raw[i+1:i+3]), 16, 8); err == nil {
				out = append(out, byte(n))
				i += 2
				continue
			}
		}
		out = append(out, raw[i])
	}
	return name(out)
}

func (l *lexer) literal() any {
	l.at++
	var out []byte
	for depth := 1; l.at < len(l.data) && len(out) < maxString; l.at++ {
		c := l.data[l.at]
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				l.at++
				return text(out)
			}
		case '\\':
			l.at++
			if l.at >= len(l.data) {
				return text(out)
			}
			c = l.data[l.at]
			if i := bytes.IndexByte([]byte("nrtbf"), c); i >= 0 {
				c = "\n\r\t\b\f"[i]
			} else if c >= '0' && c <= '7' {
				n := 0
				for k := 0; k < 3 && l.at < len(l.data) && l.data[l.at] >= '0' && l.data[l.at] <= '7'; k++ {
					n = n*8 + int(l.data[l.at]-'0')
					l.at++
				}
				l.at--
				c = byte(n)
			} else if c == '\r' || c == '\n' {
				if c == '\r' && l.at+1 < len(l.data) && l.data[l.at+1] == '\n' {
					l.at++
				}
				continue
			}
		}
		out = append(out, c)
	}
	return text(out)
}

func (l *lexer) hex() any {
	l.at++
	var out []byte
	half, high := false, byte(0)
	for ; l.at < len(l.data) && len(out) < maxString; l.at++ {
		c := l.data[l.at]
		var v byte
		switch {
		case c == '>':
			l.at++
			if half {
				out = append(out, high<<4)
			}
			return text(out)
		case c >= '0' && c <= '9':
			v = c - '0'
		case c >= 'a' && c <= 'f':
			v = c - 'a' + 10
		case c >= 'A' && c <= 'F':
			v = c - 'A' + 10
		default:
			continue
		}
		if half {
			out = append(out, high<<4|v)
		}
		half, high = !half, v
	}
	return text(out)
}
