package resource

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// argument is a placeholder of Java's MessageFormat, in whose messages a quotation mark
// is written twice.
var argument = regexp.MustCompile(`\{\d+[^{}]*\}`)

// ReadProperties takes a file of Java's Properties.load apart.
func ReadProperties(body string) (*segment.Part, error) {
	r := &reader{source: body}
	plain := ascii(body)
	for at := 0; at < len(body); {
		start := at
		end, next := logicalLine(body, at)
		at = next
		line := body[start:end]
		lead := len(line) - len(strings.TrimLeft(line, " \t\f"))
		if lead == len(line) || line[lead] == '#' || line[lead] == '!' {
			continue
		}
		keyEnd := lead
		for keyEnd < len(line) && strings.IndexByte("=: \t\f", line[keyEnd]) < 0 {
			if line[keyEnd] == '\\' {
				keyEnd++
			}
			keyEnd++
		}
		keyEnd = min(keyEnd, len(line))
		value := keyEnd
		for value < len(line) && strings.IndexByte(" \t\f", line[value]) >= 0 {
			value++
		}
		if value < len(line) && (line[value] == '=' || line[value] == ':') {
			for value++; value < len(line) && strings.IndexByte(" \t\f", line[value]) >= 0; value++ {
			}
		}
		raw := line[value:]
		shown, ok := unescapeProperty(raw)
		key := line[lead:keyEnd]
		if !ok || !forPeople(shown) || technical.MatchString(key[strings.LastIndexByte(key, '.')+1:]) && code.MatchString(shown) {
			continue
		}
		format := argument.MatchString(shown) || segment.Chooses(shown)
		if format {
			shown = strings.ReplaceAll(shown, "''", "'")
		}
		r.add(key, segment.Message, segment.Slot{Text: shown, Start: start + value, End: end, Escape: func(text string) string {
			if format {
				text = strings.ReplaceAll(text, "'", "''")
			}
			return escapeProperty(text, plain)
		}}, "")
	}
	return r.part(), nil
}

// logicalLine goes on where a line ends with an odd number of backslashes.
func logicalLine(body string, at int) (end, next int) {
	begin := at
	for {
		end, next = len(body), len(body)
		if i := strings.IndexAny(body[at:], "\r\n"); i >= 0 {
			end, next = at+i, at+i+1
			if strings.HasPrefix(body[end:], "\r\n") {
				next++
			}
		}
		line := body[at:end]
		slashes := len(line) - len(strings.TrimRight(line, `\`))
		first := strings.TrimLeft(body[begin:end], " \t\f")
		if slashes%2 == 0 || next == len(body) || strings.HasPrefix(first, "#") || strings.HasPrefix(first, "!") {
			return end, next
		}
		at = next
	}
}

func unescapeProperty(raw string) (string, bool) {
	var b strings.Builder
	var pair rune
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c != '\\' {
			b.WriteByte(c)
			continue
		}
		if i++; i == len(raw) {
			return "", false
		}
		switch raw[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'f':
			b.WriteByte('\f')
		case 'u':
			if i+5 > len(raw) {
				return "", false
			}
			n, err := strconv.ParseUint(raw[i+1:i+5], 16, 16)
			if err != nil {
				return "", false
			}
			i += 4
			r := rune(n)
			if utf16.IsSurrogate(r) {
				if pair == 0 {
					pair = r
					continue
				}
				r = utf16.DecodeRune(pair, r)
			}
			pair = 0
			b.WriteRune(r)
		case '\r', '\n':
			for i+1 < len(raw) && strings.IndexByte(" \t\f\r\n", raw[i+1]) >= 0 {
				i++
			}
		default:
			b.WriteByte(raw[i])
		}
	}
	return b.String(), pair == 0
}

func escapeProperty(text string, plain bool) string {
	var b strings.Builder
	for i, c := range text {
		switch {
		case c == '\\':
			b.WriteString(`\\`)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\f':
			b.WriteString(`\f`)
		case c == ' ' && i == 0:
			b.WriteString(`\ `)
		case plain && c >= utf8.RuneSelf:
			b.WriteString(unicodeEscape(c))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// appleString is a line of a strings file, after its comments.
var appleString = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|("(?:[^"\\]|\\.)*"|[\w.-]+)\s*=\s*("(?:[^"\\]|\\.)*")\s*;`)

// ReadStrings takes a strings file of Apple's systems apart.
func ReadStrings(body string) (*segment.Part, error) {
	r := &reader{source: body}
	for _, found := range appleString.FindAllStringSubmatchIndex(body, -1) {
		if found[2] < 0 {
			continue
		}
		from, to := found[4]+1, found[5]-1
		raw := body[from:to]
		shown := strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\'`, "'").Replace(raw)
		if strings.Contains(raw, `\U`) || strings.Contains(raw, `\u`) || !segment.HasWords(shown) {
			continue
		}
		r.add(strings.Trim(body[found[2]:found[3]], `"`), segment.Message, segment.Slot{Text: shown, Start: from, End: to, Escape: func(text string) string {
			return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(text)
		}}, "")
	}
	return r.part(), nil
}

// ReadResX takes a resx file of .NET apart: data that have no type of their own.
func ReadResX(body string) (*segment.Part, error) {
	r := &reader{source: body}
	name, inData, inValue := "", false, false
	err := xmltext.Scan(body, func(t xmltext.Token) error {
		switch t.Kind {
		case xmltext.Start:
			if t.Name == "data" {
				attrs := xmltext.Attrs(body, t.Start, t.End)
				name = xmltext.Get(attrs, "name")
				inData = xmltext.Get(attrs, "type") == "" && xmltext.Get(attrs, "mimetype") == "" && !strings.HasPrefix(name, ">>")
			}
			inValue = inData && t.Name == "value"
		case xmltext.End:
			inValue = false
			inData = inData && t.Name != "data"
		case xmltext.Text:
			shown, ok := xmltext.Unescape(body[t.Start:t.End])
			if inValue && ok && segment.HasWords(shown) {
				r.add(name, segment.Message, segment.Slot{Text: shown, Start: t.Start, End: t.End, Escape: xmltext.Escape}, "")
			}
		}
		return nil
	})
	return r.part(), err
}
