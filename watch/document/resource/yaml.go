package resource

import (
	"regexp"
	"strings"

	"dragoman/watch/document/segment"
)

var (
	// yamlValue is a key, or a mark of a list, with a value on the same line.
	yamlValue = regexp.MustCompile(`^([ ]*)((?:-[ ]+)*)(?:([\w.-]+|"[^"\\]*"|'[^']*'):[ ]+)?(\S.*?)[ \t]*$`)
	comment   = regexp.MustCompile(`[ \t]#.*$`)
	number    = regexp.MustCompile(`^[-+]?[\d.,_:]+([eE][-+]?\d+)?$`)
)

// ReadYAML takes the values of YAML apart that stand on one line, plain or quoted, and
// blocks (| and >) that are texts for people. Flow collections, anchors, tags, aliases and
// other values over several lines stay as they are.
func ReadYAML(body string) (*segment.Part, error) {
	r := &reader{source: body}
	var path []string // of each key, the ids of those it is in
	var indents []int
	block := -1 // indentation of the key of a block
	var lately struct {
		id, key string
		folded  bool
		lines   []segment.Span
	}
	ends := func() {
		if block < 0 {
			return
		}
		r.block(lately.id, lately.key, lately.folded, lately.lines)
		block, lately.lines = -1, nil
	}
	lines := strings.SplitAfter(body, "\n")
	at := 0
	for i, full := range lines {
		start := at
		at += len(full)
		line := strings.TrimRight(full, "\r\n")
		core := strings.TrimLeft(line, " ")
		indent := len(line) - len(core)
		switch {
		case block >= 0 && (core == "" || indent > block):
			lately.lines = append(lately.lines, segment.Span{Start: start, End: start + len(line)})
			continue
		case core == "":
			continue
		case core[0] == '#' || core == "---" || core == "..." || core[0] == '%':
			continue
		}
		ends()
		found := yamlValue.FindStringSubmatchIndex(line)
		key, dashes := "", 0
		if found != nil {
			dashes = found[5] - found[4]
			if found[6] >= 0 {
				key = strings.Trim(line[found[6]:found[7]], `"'`)
			}
		} else if strings.HasSuffix(core, ":") {
			key = strings.Trim(core[:len(core)-1], `"'`)
		}
		if found != nil && found[6] < 0 && dashes == 0 {
			if strings.HasSuffix(strings.TrimRight(comment.ReplaceAllString(core, ""), " "), ":") { // a key alone
				key, found = strings.Trim(strings.TrimRight(comment.ReplaceAllString(core, ""), " :"), `"'`), nil
			} else {
				continue // a value goes on here
			}
		}
		for len(indents) > 0 && indents[len(indents)-1] >= indent+dashes {
			indents, path = indents[:len(indents)-1], path[:len(path)-1]
		}
		in := ""
		if len(path) > 0 {
			in = path[len(path)-1]
		}
		id := under(in, key)
		if found == nil {
			if key != "" {
				indents, path = append(indents, indent), append(path, id)
			}
			continue
		}
		value := line[found[8]:found[9]]
		if strings.IndexByte("|>", value[0]) >= 0 {
			block = indent
			lately.id, lately.key, lately.folded = id, key, value[0] == '>'
			if !blockHead.MatchString(value) {
				lately.key = "data" // nothing we know
			}
			continue
		}
		if goesOn(lines[i+1:], indent+dashes) {
			continue
		}
		r.yaml(id, key, start+found[8], value)
	}
	ends()
	return r.part(), nil
}

// goesOn says whether the next line that is not empty belongs to a value above it.
func goesOn(lines []string, indent int) bool {
	for _, l := range lines {
		core := strings.TrimSpace(l)
		if core == "" {
			continue
		}
		return len(l)-len(strings.TrimLeft(l, " ")) > indent && core[0] != '#'
	}
	return false
}

func (r *reader) yaml(id, key string, start int, value string) {
	quote := byte(0)
	switch value[0] {
	case '"', '\'':
		quote = value[0]
		end := strings.LastIndexByte(value, quote)
		rest := strings.TrimSpace(value[end+1:])
		if end == 0 || rest != "" && rest[0] != '#' {
			return
		}
		value = value[:end+1]
	case '&', '*', '!', '{', '[', '@', '`', '%':
		return
	default:
		value = comment.ReplaceAllString(value, "")
		if strings.HasSuffix(value, ":") || strings.Contains(value, ": ") || number.MatchString(value) {
			return
		}
	}
	shown := value
	switch quote {
	case '"':
		shown = value[1 : len(value)-1]
		if strings.IndexByte(strings.NewReplacer(`\"`, "", `\n`, "").Replace(shown), '\\') >= 0 {
			return
		}
		shown = strings.NewReplacer(`\"`, `"`, `\n`, "\n").Replace(shown)
	case '\'':
		shown = strings.ReplaceAll(value[1:len(value)-1], "''", "'")
	}
	if !forPeople(shown) || technical.MatchString(key) && !strings.Contains(shown, " ") && !strings.EqualFold(key, shown) {
		return
	}
	r.add(id, segment.Message, segment.Slot{Text: shown, Start: start, End: start + len(value), Escape: func(text string) string {
		switch {
		case quote == '\'' && !strings.ContainsAny(text, "\n"):
			return "'" + strings.ReplaceAll(text, "'", "''") + "'"
		case quote == 0 && plainScalar(text):
			return text
		}
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(text) + `"`
	}}, "")
}

// plainScalar says whether a text can stand in YAML 1.2 without quotation marks and
// stays a text.
func plainScalar(s string) bool {
	switch strings.ToLower(s) {
	case "", "true", "false", "yes", "no", "on", "off", "null", "~", "y", "n":
		return false
	}
	return strings.IndexByte("-?:,[]{}#&*!|>'\"%@` ", s[0]) < 0 && !strings.Contains(s, ": ") && !strings.Contains(s, " #") &&
		!strings.HasSuffix(s, ":") && !strings.HasSuffix(s, " ") && !strings.ContainsAny(s, "\n\r\t") && !number.MatchString(s)
}
