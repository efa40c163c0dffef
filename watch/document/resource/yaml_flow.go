package resource

import (
	"regexp"
	"strings"

	"dragoman/watch/document/segment"
)

var comment = regexp.MustCompile(`[ \t]#.*$`)

// deepestFlow is how deep flow collections are in each other at most.
const deepestFlow = 64

// yamlFlow goes over a flow collection (YAML 1.2, section 7.4), and keeps what is in it until it is known
// to be one.
type yamlFlow struct {
	*yamlReader
	place int
	found []yamlValue
}

type yamlValue struct {
	key    yamlKey
	scalar yamlScalar
}

// messages adds the values.
func (f *yamlFlow) messages() {
	for _, v := range f.found {
		f.message(v.key, v.scalar)
	}
}

// blank goes over white space and comments.
func (f *yamlFlow) blank() {
	for f.place < len(f.source) {
		switch c := f.source[f.place]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			f.place++
		case c == '#' && strings.IndexByte(" \t\n", f.source[f.place-1]) >= 0:
			f.place += len(f.lineAt(f.place))
		default:
			return
		}
	}
}

// next is the byte at the place, 0 at the end.
func (f *yamlFlow) next() byte {
	if f.place < len(f.source) {
		return f.source[f.place]
	}
	return 0
}

// node goes over a value. False where it is none.
func (f *yamlFlow) node(k yamlKey) bool {
	f.blank()
	for c := f.next(); c == '&' || c == '!'; c = f.next() {
		tag := f.source[f.place : f.place+len(f.lineAt(f.place))]
		if end := strings.IndexAny(tag, " \t,[]{}"); end >= 0 {
			tag = tag[:end]
		}
		k.left = k.left || c == '!' && tag != "!!str" && tag != "!"
		f.place += len(tag)
		f.blank()
	}
	switch f.next() {
	case '{', '[':
		if k.indent++; k.indent > deepestFlow {
			return false
		}
		return f.collection(k)
	case '*':
		for strings.IndexByte(" \t\r\n,[]{}\x00", f.next()) < 0 {
			f.place++
		}
		return true
	case ',', ']', '}': // an empty value
		return true
	}
	s, ok := f.scalar()
	if ok {
		f.found = append(f.found, yamlValue{k, s})
	}
	return ok
}

func (f *yamlFlow) scalar() (yamlScalar, bool) {
	s, ok := yamlScalar{}, true
	if c := f.next(); c == '"' || c == '\'' {
		if s, ok = f.quoted(f.place, -1); !ok {
			return s, false
		}
	} else if s, ok = f.flowPlain(); !ok {
		return s, false
	}
	s.flow = true
	f.place = s.end
	return s, true
}

// collection goes over what is between brackets or braces, with these.
func (f *yamlFlow) collection(k yamlKey) bool {
	object := f.next() == '{'
	f.keys++
	k.number, k.item, k.in = f.keys, !object, nil
	if object {
		k.in = &mapping{}
	}
	f.place++
	for {
		f.blank()
		switch f.next() {
		case '}', ']':
			f.place++
			return f.source[f.place-1] == '}' == object
		case ',', 0:
			return false
		}
		before, from := len(f.found), f.place
		value := k
		if object {
			s, ok := f.scalar()
			if !ok {
				return false
			}
			value.key, value.id, value.item, value.at = s.text, under(k.id, s.text), false, s.start
			value.in.add(s.text)
		} else if !f.node(k) {
			return false
		}
		f.blank()
		if f.next() == ':' {
			if !object { // one pair: what was read is its key
				if len(f.found) != before+1 || f.source[from] == '[' || f.source[from] == '{' {
					return false
				}
				s := f.found[before].scalar
				f.found = f.found[:before]
				value.key, value.id, value.item = s.text, under(k.id, s.text), false
			}
			f.place++
			if !f.node(value) {
				return false
			}
			f.blank()
		}
		switch f.next() {
		case ',':
			f.place++
		case '}', ']':
		default:
			return false
		}
	}
}

// flowPlain reads a plain scalar in a flow collection.
func (f *yamlFlow) flowPlain() (s yamlScalar, ok bool) {
	s.start = f.place
	at := f.place
	if c := f.next(); c == 0 || strings.IndexByte("#|>%@`?", c) >= 0 || strings.IndexByte("-:", c) >= 0 && f.ends(at+1) { // readers of YAML 1.1 take ? for a mark
		return s, false
	}
	for at < len(f.source) {
		line := f.lineAt(at)
		end := 0
		stop := func() bool {
			c := line[end]
			return strings.IndexByte(",[]{}", c) >= 0 || c == ':' && f.ends(at+end+1) || c == '#' && (end == 0 || line[end-1] == ' ' || line[end-1] == '\t')
		}
		for end < len(line) && !stop() {
			end++
		}
		core := strings.Trim(line[:end], " \t")
		if core != "" {
			begin := at + strings.Index(line, core)
			s.lines = append(s.lines, segment.Span{Start: begin, End: begin + len(core)})
			s.end = begin + len(core)
		}
		if end < len(line) {
			break
		}
		at = f.behind(at)
	}
	return s, len(s.lines) > 0 && s.read(f.source)
}

// ends says whether at a place is what a mark of YAML has behind it in a flow collection.
func (f *yamlFlow) ends(at int) bool {
	return at >= len(f.source) || strings.IndexByte(" \t\r\n,[]{}", f.source[at]) >= 0
}
