package resource

import (
	"encoding/json"
	"errors"
	"strings"

	"dragoman/watch/document/segment"
)

// node is a value of JSON by its place.
type node struct {
	start, end int
	depth      int // of objects and arrays around it
	members    []member
	object     bool
	text       string // of a string
}

type member struct {
	key              string
	keyStart, keyEnd int
	value            *node
}

// get is the value of a key, nil where there is none; of the last one of several, as
// readers of JSON take it.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].key == key {
			return n.members[i].value
		}
	}
	return nil
}

// word is a string's text, "" for what is none.
func (n *node) word() string {
	if n == nil {
		return ""
	}
	return n.text
}

// validJSON says what is wrong with a text; it also refuses what is nested too deep.
func validJSON(body string) error {
	var checked json.RawMessage
	err := json.Unmarshal([]byte(body), &checked)
	if err == nil {
		return nil
	}
	bad := &segment.FormatError{Format: "JSON", Reason: err.Error(), Hint: "check it with a JSON tool; comments are not JSON"}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		bad.Line = segment.LineOf(body, int(syntax.Offset))
	}
	return bad
}

// tree reads JSON that is valid, but for the content of arrays.
func tree(body string) *node {
	r := &jsonReader{reader: reader{source: body}}
	return r.node(0)
}

func (r *jsonReader) node(depth int) *node {
	r.blank()
	n := &node{start: r.at, depth: depth}
	switch r.source[r.at] {
	case '{':
		n.object = true
		r.at++
		for r.blank(); r.source[r.at] != '}'; r.blank() {
			if r.source[r.at] == ',' {
				r.at++
				r.blank()
			}
			from, to := r.text()
			r.blank()
			r.at++ // the colon
			n.members = append(n.members, member{unquote(r.source[from:to]), from, to, r.node(depth + 1)})
		}
		r.at++
	case '"':
		from, to := r.text()
		n.text = unquote(r.source[from:to])
	default:
		r.value("", true)
	}
	n.end = r.at
	return n
}

// layout is how a file writes objects: Xcode has a space before the colon.
type layout struct {
	colon, eol, step string
}

func layoutOf(body string) layout {
	l := layout{colon: ": ", eol: "\n", step: "  "}
	if strings.Contains(body, `" : `) {
		l.colon = " : "
	}
	if strings.Contains(body, "\r\n") {
		l.eol = "\r\n"
	}
	return l
}

// line begins a line at a depth.
func (l layout) line(depth int) string { return l.eol + strings.Repeat(l.step, depth) }

// with adds a member to an object, before the first whose key is greater, as sorted
// files have it.
func (l layout) with(n *node, key, value string) segment.Edit {
	written := `"` + key + `"` + l.colon + value
	for _, m := range n.members {
		if m.key > key {
			return segment.Edit{Start: m.keyStart, End: m.keyStart, Text: written + "," + l.line(n.depth+1)}
		}
	}
	if len(n.members) == 0 {
		return segment.Edit{Start: n.start, End: n.end, Text: "{" + l.line(n.depth+1) + written + l.line(n.depth) + "}"}
	}
	last := n.members[len(n.members)-1].value.end
	return segment.Edit{Start: last, End: last, Text: "," + l.line(n.depth+1) + written}
}
