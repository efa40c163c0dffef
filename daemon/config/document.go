package config

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// document is a TOML file with the places of what is in it. All offsets count
// bytes of text.
type document struct {
	text     []byte
	values   map[string]any // as the TOML library decodes the file
	headers  []header       // in the order of the file
	entries  []entry        // likewise; those of an inline table follow it
	comments []comment
}

// header is a [table] or [[table]].
type header struct {
	path  []string
	list  bool // [[table]]
	start int  // of the name
}

// entry is a key with its value.
type entry struct {
	path   []string // with the names of its tables
	header int      // index of the table it stands in, -1 before the first
	parent int      // index of the entry in whose value it stands, -1 outside of inline tables
	table  bool     // its value is an inline table
	list   bool     // it is an element of an array: a table in it
	start  int      // of the key
	value  int      // where the value begins
	end    int      // behind the value
}

type comment struct{ start, end int }

// parseError is what is wrong with a file and where.
type parseError struct {
	line    int
	key     string
	message string
}

func (e *parseError) Error() string { return e.message }

var (
	bomUTF8    = []byte("\xEF\xBB\xBF")
	bomUTF16LE = []byte("\xFF\xFE")
	bomUTF16BE = []byte("\xFE\xFF")
)

// parseDocument reads a TOML file. Its errors are *parseError.
func parseDocument(text []byte) (*document, error) {
	if bytes.HasPrefix(text, bomUTF16LE) || bytes.HasPrefix(text, bomUTF16BE) {
		return nil, &parseError{message: "the file is in UTF-16: save it as UTF-8"}
	}
	// Some editors of Windows begin a file with a byte order mark. Blanks in its
	// place keep all offsets.
	body := text
	if bytes.HasPrefix(text, bomUTF8) {
		body = append([]byte("   "), text[len(bomUTF8):]...)
	}
	d := &document{text: text}
	if err := toml.Unmarshal(body, &d.values); err != nil {
		return nil, syntaxError(err)
	}
	// Of the AST only places are taken: Unmarshal has found the file to be right.
	parser := unstable.Parser{KeepComments: true}
	parser.Reset(body)
	for parser.NextExpression() {
		node := parser.Expression()
		d.expression(&parser, node)
		if tail := node.Next(); node.Kind != unstable.Comment && tail.Valid() && tail.Kind == unstable.Comment {
			d.addComment(tail)
		}
	}
	if err := parser.Error(); err != nil {
		return nil, &parseError{message: err.Error()}
	}
	return d, nil
}

func syntaxError(err error) error {
	var decode *toml.DecodeError
	if !errors.As(err, &decode) {
		return &parseError{message: strings.TrimPrefix(err.Error(), "toml: ")}
	}
	line, _ := decode.Position()
	message := strings.TrimPrefix(decode.Error(), "toml: ")
	if strings.HasPrefix(message, "unexpected character U+000A") || strings.HasPrefix(message, "unexpected character U+000D") {
		message = "a value is missing"
	}
	return &parseError{line: line, key: strings.Join(decode.Key(), "."), message: message}
}

func (d *document) expression(p *unstable.Parser, node *unstable.Node) {
	switch node.Kind {
	case unstable.Comment:
		d.addComment(node)
	case unstable.Table, unstable.ArrayTable:
		path, start, _ := keyOf(node)
		d.headers = append(d.headers, header{path: path, list: node.Kind == unstable.ArrayTable, start: start})
	case unstable.KeyValue:
		at := len(d.headers) - 1
		var base []string
		if at >= 0 {
			base = d.headers[at].path
		}
		d.keyValue(p, node, entry{path: base, header: at, parent: -1})
	}
}

// keyValue adds the entry that node is, below in.path, and those in its value.
func (d *document) keyValue(p *unstable.Parser, node *unstable.Node, in entry) {
	path, start, afterKey := keyOf(node)
	e := in
	e.path = append(slices.Clone(in.path), path...)
	e.start = start
	e.end = int(node.Raw.Offset + node.Raw.Length)
	e.value = afterKey + bytes.IndexByte(d.text[afterKey:], '=') + 1
	for d.text[e.value] == ' ' || d.text[e.value] == '\t' {
		e.value++
	}
	e.table = node.Value().Kind == unstable.InlineTable
	d.entries = append(d.entries, e)
	below := entry{path: e.path, header: e.header, parent: len(d.entries) - 1, list: e.list}
	d.inside(p, node.Value(), below)
}

// inside adds what stands within a value; in holds what all of it has in common.
func (d *document) inside(p *unstable.Parser, value *unstable.Node, in entry) {
	in.list = in.list || value.Kind == unstable.Array
	for it := value.Children(); it.Next(); {
		switch child := it.Node(); child.Kind {
		case unstable.Comment:
			d.addComment(child)
		case unstable.KeyValue:
			d.keyValue(p, child, in)
		case unstable.Array, unstable.InlineTable:
			d.inside(p, child, in)
		}
	}
}

func (d *document) addComment(node *unstable.Node) {
	d.comments = append(d.comments, comment{int(node.Raw.Offset), int(node.Raw.Offset + node.Raw.Length)})
}

func keyOf(node *unstable.Node) (path []string, start, end int) {
	start = -1
	for it := node.Key(); it.Next(); {
		part := it.Node()
		if start < 0 {
			start = int(part.Raw.Offset)
		}
		end = int(part.Raw.Offset + part.Raw.Length)
		path = append(path, string(part.Data))
	}
	return path, start, end
}

// line returns the line (from 1) of an offset.
func (d *document) line(offset int) int {
	return 1 + bytes.Count(d.text[:offset], []byte("\n"))
}

// find returns the index of the entry with that path, -1 where there is none.
func (d *document) find(path []string) int {
	return slices.IndexFunc(d.entries, func(e entry) bool { return !e.list && slices.Equal(e.path, path) })
}

// valueAt returns the decoded value at path.
func (d *document) valueAt(path []string) any {
	var v any = d.values
	for _, name := range path {
		table, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = table[name]
	}
	return v
}

// commentsWithin says whether there are comments from start to end.
func (d *document) commentsWithin(start, end int) bool {
	return slices.ContainsFunc(d.comments, func(c comment) bool { return c.start >= start && c.end <= end })
}
