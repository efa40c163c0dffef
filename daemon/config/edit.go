package config

import (
	"bytes"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// errComments refuses a change that would lose what someone wrote.
var errComments = errors.New("there are comments within the value, which would be lost: change it with `dragoman config edit`")

// errUnsafe refuses a change whose outcome is not what was meant.
var errUnsafe = errors.New("the file is written in a way that cannot be changed safely: use `dragoman config edit`")

// errAbsent is that what should be taken out is not there.
var errAbsent = errors.New("there is no such key")

// withValue returns the document's text with the value at path, which has two
// names, being literal. It keeps everything else as it is written.
func (d *document) withValue(path []string, literal string) ([]byte, error) {
	if i := d.find(path); i >= 0 {
		e := d.entries[i]
		if d.commentsWithin(e.value, e.end) {
			return nil, errComments
		}
		return d.replace(e.value, e.end, literal), nil
	}
	name := path[1] + " = " + literal
	if i := d.find(path[:1]); i >= 0 && d.entries[i].table {
		return d.intoInline(i, name), nil
	}
	if i := slices.IndexFunc(d.headers, func(h header) bool { return !h.list && slices.Equal(h.path, path[:1]) }); i >= 0 {
		return d.intoSection(i, path[1], name), nil
	}
	// A table that dotted keys have begun cannot have a header too.
	dotted := -1
	for i, e := range d.entries {
		if e.header < 0 && e.parent < 0 && len(e.path) > 1 && e.path[0] == path[0] {
			dotted = i
		}
	}
	if dotted >= 0 {
		return d.lineAfter(d.entries[dotted].end, d.indent(d.entries[dotted].start), path[0]+"."+name), nil
	}
	return d.withTable(path[0], name), nil
}

// intoInline puts an entry at the end of the inline table that entry i has.
func (d *document) intoInline(i int, entry string) []byte {
	last := i
	for j, e := range d.entries {
		if e.parent == i {
			last = j
		}
	}
	if last > i {
		end := d.entries[last].end
		return d.replace(end, end, ", "+entry)
	}
	brace := d.entries[i].value + 1
	return d.replace(brace, brace, " "+entry+" ")
}

// intoSection puts a line below header i: behind the line where the value is
// commented out, else behind the last entry of the section.
func (d *document) intoSection(i int, name, line string) []byte {
	from, to := d.headers[i].start, len(d.text)
	if i+1 < len(d.headers) {
		to = d.headers[i+1].start
	}
	after, indent := from, d.indent(from-1)
	for _, e := range d.entries {
		if e.header == i && e.parent < 0 {
			after, indent = e.end, d.indent(e.start)
		}
	}
	for _, c := range d.comments {
		if c.start < from || c.end > to || !d.ownLine(c.start) {
			continue
		}
		text, isValue := strings.CutPrefix(strings.TrimLeft(string(d.text[c.start+1:c.end]), " "), name)
		if isValue && strings.HasPrefix(strings.TrimLeft(text, " \t"), "=") {
			after, indent = c.end, d.indent(c.start)
		}
	}
	return d.lineAfter(after, indent, line)
}

// withTable adds a table to the end of the file.
func (d *document) withTable(name, line string) []byte {
	eol := d.eol()
	var b bytes.Buffer
	b.Write(d.text)
	if n := len(d.text); n > 0 {
		if d.text[n-1] != '\n' {
			b.WriteString(eol)
		}
		b.WriteString(eol)
	}
	b.WriteString("[" + name + "]" + eol + line + eol)
	return b.Bytes()
}

// without returns the document's text without the entry at path. A comment
// behind it stays.
func (d *document) without(path []string) ([]byte, error) {
	i := d.find(path)
	if i < 0 {
		return nil, errAbsent
	}
	e := d.entries[i]
	if d.commentsWithin(e.start, e.end) {
		return nil, errComments
	}
	if e.parent >= 0 {
		return d.withoutInline(i), nil
	}
	from, to := e.start, e.end
	for to < len(d.text) && (d.text[to] == ' ' || d.text[to] == '\t') {
		to++
	}
	if to < len(d.text) && d.text[to] == '#' {
		return d.replace(from, to, ""), nil
	}
	from -= len(d.indent(from))
	if end := bytes.IndexByte(d.text[to:], '\n'); end >= 0 {
		to += end + 1
	}
	return d.replace(from, to, ""), nil
}

// withoutInline takes out an entry of an inline table and one comma with it.
func (d *document) withoutInline(i int) []byte {
	e, before := d.entries[i], -1
	for j, other := range d.entries {
		switch {
		case other.parent != e.parent:
		case j < i:
			before = j
		case j > i:
			return d.replace(e.start, other.start, "")
		}
	}
	if before >= 0 {
		return d.replace(d.entries[before].end, e.end, "")
	}
	to := e.end
	for d.text[to] == ' ' || d.text[to] == '\t' || d.text[to] == ',' {
		to++
	}
	return d.replace(e.start, to, "")
}

// lineAfter adds a line behind the one that holds offset.
func (d *document) lineAfter(offset int, indent, line string) []byte {
	eol := d.eol()
	if end := bytes.IndexByte(d.text[offset:], '\n'); end >= 0 {
		offset += end + 1
		return d.replace(offset, offset, indent+line+eol)
	}
	return d.replace(len(d.text), len(d.text), eol+indent+line+eol)
}

func (d *document) replace(from, to int, text string) []byte {
	return slices.Concat(d.text[:from], []byte(text), d.text[to:])
}

// indent is the blanks before offset, if there is nothing else on the line.
func (d *document) indent(offset int) string {
	start := bytes.LastIndexByte(d.text[:offset], '\n') + 1
	if blanks := d.text[start:offset]; len(bytes.Trim(blanks, " \t")) == 0 {
		return string(blanks)
	}
	return ""
}

// ownLine says whether what begins at offset is the first on its line.
func (d *document) ownLine(offset int) bool {
	start := bytes.LastIndexByte(d.text[:offset], '\n') + 1
	return len(bytes.Trim(d.text[start:offset], " \t")) == 0
}

// eol is how the file's first line ends.
func (d *document) eol() string {
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// change returns text with the entry at path set to literal, or without it where
// literal is nil. What comes out is read again: unless all other values and all
// comments are as before, the change is refused.
func change(text []byte, path []string, literal *string) ([]byte, error) {
	before, err := parseDocument(text)
	if err != nil {
		return nil, err
	}
	var changed []byte
	if literal == nil {
		changed, err = before.without(path)
	} else {
		changed, err = before.withValue(path, *literal)
	}
	if err != nil {
		return nil, err
	}
	after, err := parseDocument(changed)
	if err != nil || !sameBut(before, after, path) || !slices.Equal(before.remarks(), after.remarks()) {
		return nil, errUnsafe
	}
	return changed, nil
}

// sameBut compares all values except the one at path.
func sameBut(a, b *document, path []string) bool {
	left, right := flatten(a.values), flatten(b.values)
	name := strings.Join(path, "\x00")
	delete(left, name)
	delete(right, name)
	return maps.EqualFunc(left, right, reflect.DeepEqual)
}

// flatten returns the values below tables, by the joined names of their keys.
func flatten(table map[string]any) map[string]any {
	flat := map[string]any{}
	for name, v := range table {
		below, isTable := v.(map[string]any)
		if !isTable {
			flat[name] = v
			continue
		}
		for rest, v := range flatten(below) {
			flat[name+"\x00"+rest] = v
		}
	}
	return flat
}

func (d *document) remarks() []string {
	texts := make([]string, len(d.comments))
	for i, c := range d.comments {
		texts[i] = string(d.text[c.start:c.end])
	}
	return texts
}
