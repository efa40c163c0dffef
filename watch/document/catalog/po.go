// Package catalog takes files of translations apart that have source and target side by
// side: gettext catalogues, XLIFF, Qt's ts, tmx. Translations that are there stay; what
// has none is filled in.
package catalog

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"dragoman/internal/english"
	"dragoman/watch/document/segment"
)

// IsPO says whether a text is a gettext catalogue.
func IsPO(body string) bool { return poStart.MatchString(body) && strings.Contains(body, "\nmsgstr") }

var poStart = regexp.MustCompile(`(?m)^msgid\s+"`)

// ReadPO takes a gettext catalogue or template apart (gettext manual, "The Format of PO
// Files"). Messages without a translation, and fuzzy ones, are segments; the flag stays.
func ReadPO(body string) (*segment.Part, error) {
	r := &poReader{source: body}
	if err := r.read(); err != nil {
		return nil, err
	}
	p := &segment.Part{Source: body, Segments: r.segments, Localise: r.localise}
	if r.translated {
		p.Language = r.language
	}
	return p, nil
}

// poString is a string of one or more lines, by its place.
type poString struct {
	start, end int // from the first quotation mark to the last
	text       string
	lines      int
	line       int // of the file
}

type poEntry struct {
	id, plural poString
	strings    map[int]poString
	context    string
	fuzzy, has bool
	line       int
}

type poReader struct {
	source   string
	segments []*segment.Segment
	header   poString
	language string
	forms    int // of plurals, as the header says; 0 where it does not
	// translated is whether there are translations that stay.
	translated bool
	entries    []*poEntry
	used       map[string]int
}

var poKeyword = regexp.MustCompile(`^(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d+)\])?)\s*"`)

const (
	maxForms       = 6 // no language has more
	maxStringLines = 20_000
)

func (r *poReader) read() error {
	entry := &poEntry{strings: map[int]poString{}}
	var last *poString
	target := -1 // index of the msgstr that is read
	done := func() {
		if entry.has {
			r.entries = append(r.entries, entry)
		}
		entry, last, target = &poEntry{strings: map[int]poString{}}, nil, -1
	}
	line := 0
	for at := 0; at < len(r.source); {
		line++
		end, next := len(r.source), len(r.source)
		if i := strings.IndexByte(r.source[at:], '\n'); i >= 0 {
			end, next = at+i, at+i+1
		}
		text := strings.TrimRight(r.source[at:end], " \t\r")
		core := strings.TrimLeft(text, " \t")
		start := at + len(text) - len(core)
		at = next
		switch {
		case core == "":
			done()
		case core[0] == '#':
			if entry.has {
				done()
			}
			if strings.HasPrefix(core, "#,") && strings.Contains(core, "fuzzy") {
				entry.fuzzy = true
			}
		case core[0] == '"':
			if last == nil {
				return r.bad(line, "a string belongs to nothing")
			}
			piece, err := poUnquote(core)
			if err != nil {
				return r.bad(line, err.Error())
			}
			if last.lines >= maxStringLines {
				return r.bad(line, fmt.Sprintf("a string has more than %d lines", maxStringLines))
			}
			last.text += piece
			last.end = start + len(core)
			last.lines++
			if target >= 0 {
				entry.strings[target] = *last
			}
		default:
			found := poKeyword.FindStringSubmatchIndex(core)
			if found == nil {
				return r.bad(line, "it is no message")
			}
			keyword := core[found[2]:found[3]]
			quoted := core[found[1]-1:]
			piece, err := poUnquote(quoted)
			if err != nil {
				return r.bad(line, err.Error())
			}
			s := poString{start: start + found[1] - 1, end: start + len(core), text: piece, lines: 1, line: line}
			if (keyword == "msgid" || keyword == "msgctxt") && entry.has && len(entry.strings) > 0 {
				done()
			}
			entry.has = true
			target = -1
			switch {
			case keyword == "msgctxt":
				entry.context = piece
				last = &s
			case keyword == "msgid":
				entry.id, entry.line = s, line
				last = &entry.id
			case keyword == "msgid_plural":
				entry.plural = s
				last = &entry.plural
			default:
				target = 0
				if found[4] >= 0 {
					if target, err = strconv.Atoi(core[found[4]:found[5]]); err != nil || target >= maxForms {
						return r.bad(line, "there are more forms of a plural than any language has")
					}
				}
				entry.strings[target] = s
				last = &s
			}
		}
	}
	done()
	for _, e := range r.entries {
		r.entry(e)
	}
	return nil
}

func (r *poReader) bad(line int, reason string) error {
	return &segment.FormatError{Format: "gettext catalogue", Line: line, Reason: reason, Hint: "check it with `msgfmt --check`"}
}

func (r *poReader) entry(e *poEntry) {
	if e.id.text == "" && e.context == "" {
		r.head(e)
		return
	}
	sources := map[int]poString{}
	for n := range maxForms {
		if _, ok := e.strings[n]; ok {
			sources[n] = e.id
			if e.plural.end > 0 && n > 0 || e.plural.end > 0 && r.forms == 1 {
				sources[n] = e.plural
			}
		}
	}
	for n := range maxForms {
		target, ok := e.strings[n]
		if ok && target.text != "" && !e.fuzzy {
			r.translated = true
			continue
		}
		if !ok {
			continue
		}
		source := sources[n]
		id := english.Short(e.context+"|"+e.id.text, 60)
		if e.plural.end > 0 {
			id += fmt.Sprintf("[%d]", n)
		}
		if r.used == nil {
			r.used = map[string]int{}
		}
		if r.used[id]++; r.used[id] > 1 {
			id += fmt.Sprintf(" (%d)", r.used[id])
		}
		r.segments = append(r.segments, r.message(strings.TrimPrefix(id, "|"), source, target))
	}
}

// message is written in the place of its translation, in as many lines as the source
// has where that has several.
func (r *poReader) message(id string, source, target poString) *segment.Segment {
	eol := "\n"
	if strings.Contains(r.source, "\r\n") {
		eol = "\r\n"
	}
	lead, core, trail := edges(source.text)
	return &segment.Segment{
		ID: id, Kind: segment.Message, Protect: segment.InMessages,
		Copy: &segment.Copy{From: source.start, To: source.end, Start: target.start, End: target.end},
		Slots: []segment.Slot{{Text: core, Start: source.start, End: source.end, Escape: func(text string) string {
			return poQuote(lead+text+trail, source.lines > 1, eol)
		}}},
	}
}

// edges takes white space off a text: gettext wants line ends where the source has them.
func edges(text string) (lead, core, trail string) {
	core = strings.TrimSpace(text)
	i := strings.Index(text, core)
	return text[:i], core, text[i+len(core):]
}

var poEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`, "\a", `\a`, "\b", `\b`, "\f", `\f`, "\v", `\v`)

func poQuote(text string, lines bool, eol string) string {
	if !lines || text == "" {
		return `"` + poEscaper.Replace(text) + `"`
	}
	var b strings.Builder
	b.WriteString(`""`)
	for part := range strings.SplitAfterSeq(text, "\n") {
		for part != "" {
			cut := len(part)
			if len(part) > 76 {
				if i := strings.LastIndexByte(part[:76], ' '); i > 0 {
					cut = i + 1
				}
			}
			b.WriteString(eol + `"` + poEscaper.Replace(part[:cut]) + `"`)
			part = part[cut:]
		}
	}
	return b.String()
}

// poUnquote reads a string of C.
func poUnquote(quoted string) (string, error) {
	if len(quoted) < 2 || quoted[0] != '"' || quoted[len(quoted)-1] != '"' {
		return "", fmt.Errorf("a string has no end")
	}
	in := quoted[1 : len(quoted)-1]
	if strings.IndexByte(in, '\\') < 0 {
		if strings.IndexByte(in, '"') >= 0 {
			return "", fmt.Errorf("a quotation mark within a string has no \\ before it")
		}
		return in, nil
	}
	var b strings.Builder
	for i := 0; i < len(in); i++ {
		switch c := in[i]; {
		case c == '"':
			return "", fmt.Errorf("a quotation mark within a string has no \\ before it")
		case c != '\\':
			b.WriteByte(c)
		case i+1 == len(in):
			return "", fmt.Errorf("a string ends with a single \\")
		default:
			i++
			at := strings.IndexByte(`ntrabfv\"'?`, in[i])
			if at < 0 {
				return "", fmt.Errorf("a string has \\%c, which means nothing", in[i])
			}
			b.WriteByte("\n\t\r\a\b\f\v\\\"'?"[at])
		}
	}
	return b.String(), nil
}
