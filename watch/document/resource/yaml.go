package resource

import (
	"regexp"
	"slices"
	"strings"

	"dragoman/watch/document/segment"
)

var (
	number = regexp.MustCompile(`^[-+]?[\d.,_:]+([eE][-+]?\d+)?$`)
	// yamlTag is what can stand before a value (YAML 1.2, section 6.9): an anchor or a tag.
	yamlTag = regexp.MustCompile(`^(?:&[^\s,\[\]{}]+|!\S*)(?:[ \t]+|$)`)
	// localeKey is how the language of a file of texts is named that has them below it.
	localeKey = regexp.MustCompile(`^[a-z]{2}([-_][A-Za-z]{2,4})?$`)
)

// ReadYAML takes the values of YAML apart: plain and quoted ones, on one line or over several,
// those in flow collections, and blocks (| and >) that are texts for people. Keys,
// aliases, values with tags of their own and what is no YAML stay as they are.
func ReadYAML(body string) (*segment.Part, error) {
	if at := strings.IndexByte(strings.ReplaceAll(body, "\r\n", "\n\n"), '\r'); at >= 0 {
		return nil, &segment.FormatError{Format: "YAML", Line: segment.LineOf(body, at), Reason: "a carriage return stands alone, which ends a line in YAML", Hint: "save it with the line ends of Unix or Windows"}
	}
	r := &yamlReader{reader: reader{source: body}, escaped: ascii(body) && yamlEscaped.MatchString(body), items: map[*segment.Segment]int{}, people: map[int]bool{}, settings: settings{doubtful: map[*segment.Segment]bool{}}}
	for r.at < len(body) {
		r.line()
	}
	settings := r.settings.are() && !r.ofLanguages()
	r.segments = slices.DeleteFunc(r.segments, func(s *segment.Segment) bool {
		list, item := r.items[s]
		return item && !r.people[list] || settings && r.settings.doubtful[s]
	})
	p := r.part()
	p.Localise = func(o segment.Options) []segment.Edit {
		return append(r.localise(o), r.missingForms(p, o)...)
	}
	return p, nil
}

type yamlReader struct {
	reader
	at      int // where the next line begins
	open    []yamlKey
	empty   *yamlKey // has its value on a line below
	roots   []segment.Span
	escaped bool // no character beyond ASCII may be written
	keys    int  // that there were so far
	items   map[*segment.Segment]int
	people  map[int]bool // the lists that are for people, by their numbers
	forms   []*mapping

	settings settings
}

// yamlKey is a key, or the mark of an item of a list, that a value is in.
type yamlKey struct {
	id, key string
	indent  int
	left    bool // by its tag
	number  int  // from 1, of keys; of items that of the key whose list they are of
	item    bool
	at      int      // where the key begins
	in      *mapping // that it is a key of
	below   *mapping // of the keys below it
}

var (
	// anchor is one that all readers end at the same place: those of YAML 1.1 take
	// no more than these characters.
	anchor = regexp.MustCompile(`^&[\w-]+$`)
	// word is an item of a list of words for programs: [push, pull_request].
	word = regexp.MustCompile(`^[a-z0-9_.:/*-]+$`)
	// labels are keys whose lists are for people, whatever their items look like.
	labels = regexp.MustCompile(`(?i)(names?|labels?|titles?|texts?|messages?|words?)$`)
)

// lineAt is a line without its end.
func (r *yamlReader) lineAt(from int) string {
	line := r.source[from:]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	return strings.TrimSuffix(line, "\r")
}

// behind is where the line after the one of a place begins.
func (r *yamlReader) behind(at int) int {
	if end := strings.IndexByte(r.source[at:], '\n'); end >= 0 {
		return at + end + 1
	}
	return len(r.source)
}

// line goes over the next line, and those that its value is on.
func (r *yamlReader) line() {
	start := r.at
	line := r.lineAt(start)
	r.at = r.behind(start)
	core := strings.TrimLeft(line, " ")
	column := len(line) - len(core)
	if yamlBlank(strings.TrimLeft(core, " \t")) || column == 0 && (core[0] == '%' || yamlMark(core, "...")) {
		return
	}
	limit, item := -1, false
	if column == 0 && yamlMark(core, "---") {
		r.open, r.empty = nil, nil
		rest := strings.TrimLeft(core[3:], " \t")
		column = len(core) - len(rest)
		if core = rest; yamlBlank(core) {
			return
		}
	}
	first := column
	for yamlMark(core, "-") {
		rest := strings.TrimLeft(core[1:], " \t")
		limit, item = column, true
		column += len(core) - len(rest)
		core = rest
	}
	if yamlMark(core, "?") || yamlMark(core, ":") { // a key that is a value itself
		r.empty = nil
		r.deeper(column)
		return
	}
	key, behind := yamlKeyOf(core)
	depth := column // from which on keys have ended
	if item {
		depth = first + 1
	}
	for (behind > 0 || item) && len(r.open) > 0 && r.open[len(r.open)-1].indent >= depth {
		r.open = r.open[:len(r.open)-1]
	}
	var here yamlKey
	if len(r.open) > 0 {
		parent := &r.open[len(r.open)-1]
		if item || parent.below == nil {
			parent.below = &mapping{}
		}
		here = *parent
	}
	here.indent, here.item, here.left = limit, item && behind == 0, false
	here.in, here.below = here.below, nil
	switch {
	case behind > 0:
		here.key, here.id, here.at = key, under(here.id, key), start+len(line)-len(core)
		here.in.add(key)
		r.keys++
		here.number = r.keys
		if column == 0 {
			r.roots = append(r.roots, segment.Span{Start: start, End: start + behind})
		}
		here.indent = column
		r.open = append(r.open, here)
	case item:
	case r.empty != nil && column > r.empty.indent:
		here = *r.empty
	case limit < 0 && len(r.open) == 0: // the whole document is a value
	default:
		return // nothing we know
	}
	r.empty = nil
	r.value(here, start+len(line)-len(core)+behind)
}

// value goes over what is behind a key or the mark of an item.
func (r *yamlReader) value(k yamlKey, at int) {
	rest := r.source[at : at+len(r.lineAt(at))]
	for {
		tag := yamlTag.FindString(rest)
		if tag == "" {
			break
		}
		name := strings.TrimRight(tag, " \t")
		if name[0] == '!' && name != "!!str" && name != "!" || name[0] == '&' && !anchor.MatchString(name) {
			k.left = true
		}
		at, rest = at+len(tag), rest[len(tag):]
	}
	if yamlBlank(rest) {
		r.empty = &k
		return
	}
	switch c := rest[0]; c {
	case '|', '>':
		r.literal(k, rest)
	case '"', '\'':
		s, ok := r.quoted(at, k.indent)
		if s.end == 0 {
			return // the line alone
		}
		r.at = r.behind(s.end)
		if !r.nothingBehind(s.end, k.indent) {
			return
		}
		if ok {
			r.message(k, s)
		}
	case '{', '[':
		f := &yamlFlow{yamlReader: r, place: at}
		limit := k.indent
		k.indent = 0 // which it has no more use for: depth
		if !f.node(k) {
			r.at = max(pastBrackets(r.source, at), r.behind(f.place))
			r.deeper(limit)
			return
		}
		r.at = r.behind(f.place)
		if r.nothingBehind(f.place, limit) {
			f.messages()
		}
	case '*', '&', '!', '@', '`', '%', ',', ']', '}':
		r.deeper(k.indent)
	default:
		if s, ok := r.plain(at, k.indent); ok {
			r.message(k, s)
		}
	}
}

// nothingBehind says whether the line is over behind a value that ends at a place. Otherwise it was none, as in
// "{}:a b", and the lines below, which may go on with that, are left alone.
func (r *yamlReader) nothingBehind(at, limit int) bool {
	if yamlBlank(strings.TrimLeft(r.lineAt(at), " \t")) {
		return true
	}
	r.deeper(limit)
	return false
}

// pastBrackets is behind the line on which the bracket closes that a collection begins with, as far as that can be told of one that
// is not understood: its lines may be indented less.
func pastBrackets(source string, at int) int {
	depth := 0
	for ; at < len(source); at++ {
		switch source[at] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '\n':
			if depth <= 0 {
				return at + 1
			}
		}
	}
	return at
}

// deeper leaves the lines below a value that is not understood alone: those of the
// whole document where it is that.
func (r *yamlReader) deeper(limit int) {
	for r.at < len(r.source) && !yamlEnds(r.lineAt(r.at), limit) {
		r.at = r.behind(r.at)
	}
}

// literal goes over the lines of a block scalar.
func (r *yamlReader) literal(k yamlKey, head string) {
	var lines []segment.Span
	least, told := k.indent+1, strings.ContainsAny(head[:min(len(head), 3)], "123456789") // of the indentation; else the first line tells it
	for r.at < len(r.source) {
		line := r.lineAt(r.at)
		if yamlEnds(line, least-1) {
			break
		}
		core := strings.TrimLeft(line, " ")
		indent := len(line) - len(core)
		if core != "" && indent == 0 {
			k.left = true // readers disagree about whether that is of the block
		}
		if core != "" && !told {
			least, told = max(least, indent), true
		}
		lines = append(lines, segment.Span{Start: r.at, End: r.at + len(line)})
		r.at = r.behind(r.at)
	}
	if blockHead.MatchString(head) && !k.left {
		r.block(k.id, k.key, head[0] == '>', lines)
	}
}

// message adds a value, if it is a text for people.
func (r *yamlReader) message(k yamlKey, s yamlScalar) {
	if condition.MatchString(s.text) || executed.MatchString(k.key) && (k.item || arguments.MatchString(s.text)) {
		r.settings.technical++
		return
	}
	if k.item && !k.left && (!word.MatchString(s.text) || labels.MatchString(k.key)) {
		r.people[k.number] = true
	}
	if k.left || !s.forPeople() || technical.MatchString(k.key) && !severalWords(s.text) && !strings.EqualFold(k.key, s.text) {
		r.settings.technical++
		return
	}
	r.add(k.id, segment.Message, segment.Slot{Text: s.text, Start: s.start, End: s.end, Escape: func(text string) string {
		return s.write(r.source, text, r.escaped)
	}}, "")
	r.settings.add(k.key, r.segments[len(r.segments)-1])
	if k.item {
		r.items[r.segments[len(r.segments)-1]] = k.number
	} else if k.in != nil && k.key == "other" {
		r.other(k, s)
	}
}

// localise names the target language where a file has all its texts below one, as those of Rails have.
func (r *yamlReader) localise(o segment.Options) []segment.Edit {
	if o.To == "" || len(r.roots) != 1 {
		return nil
	}
	at := r.roots[0]
	key, _ := yamlKeyOf(r.source[at.Start:at.End])
	if !isLocale(key) || !yamlBlank(r.source[at.End:at.End+len(r.lineAt(at.End))]) {
		return nil
	}
	start, to := at.Start+strings.Index(r.source[at.Start:at.End], key), o.To
	if start == at.Start && !plainScalar(to) { // Norwegian is "no"
		to = `"` + to + `"`
	}
	return []segment.Edit{{Start: start, End: start + len(key), Text: to}}
}

// yamlMark says whether a line begins with a mark that white space or its end follows.
func yamlMark(core, mark string) bool {
	return strings.HasPrefix(core, mark) && (len(core) == len(mark) || core[len(mark)] == ' ' || core[len(mark)] == '\t')
}

// yamlEnds says whether a line is not of a value whose lines are deeper than limit: it is
// less deep, or ends the document.
func yamlEnds(line string, limit int) bool {
	core := strings.TrimLeft(line, " ")
	indent := len(line) - len(core)
	return core != "" && (indent <= limit || indent == 0 && (yamlMark(core, "---") || yamlMark(core, "...")))
}

// yamlBlank says whether the rest of a line, without the white space before it, has nothing but a comment.
func yamlBlank(rest string) bool { return rest == "" || rest[0] == '#' }

// yamlKeyOf is the key that a line begins with, and where its value begins; 0 where there
// is none.
func yamlKeyOf(core string) (key string, behind int) {
	end := 0
	switch {
	case core == "" || strings.IndexByte("[]{},#&*!|>%@`", core[0]) >= 0:
		return "", 0
	case core[0] == '"' || core[0] == '\'':
		for end = 1; end < len(core) && core[end] != core[0]; end++ {
			if core[0] == '"' && core[end] == '\\' {
				end++
			}
		}
		if end >= len(core) {
			return "", 0
		}
		key = core[1:end]
		rest := strings.TrimLeft(core[end+1:], " \t")
		if end = len(core) - len(rest); !yamlMark(rest, ":") {
			return "", 0
		}
	default:
		for ; !yamlMark(core[end:], ":"); end++ {
			if end+1 >= len(core) || core[end+1] == '#' && (core[end] == ' ' || core[end] == '\t') {
				return "", 0
			}
		}
		key = strings.TrimRight(core[:end], " \t")
	}
	return key, len(core) - len(strings.TrimLeft(core[end+1:], " \t"))
}
