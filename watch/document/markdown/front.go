package markdown

import (
	"regexp"
	"strings"

	"dragoman/watch/document/segment"
)

// frontKeys are the values of front matter that readers of the page see.
var frontKeys = regexp.MustCompile(`(?m)^(title|subtitle|description|summary|excerpt|lead)(:[ \t]+| *= *)(.*?)[ \t\r]*$`)

// frontMatter makes segments of the values of a block of settings at the beginning of
// a text, and returns where it ends: YAML between lines of ---, TOML between +++.
func (r *reader) frontMatter() (end int) {
	fence := ""
	for _, f := range []string{"---", "+++"} {
		if rest, ok := strings.CutPrefix(r.source, f); ok && (strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\r\n")) {
			fence = f
		}
	}
	if fence == "" {
		return 0
	}
	start := strings.IndexByte(r.source, '\n') + 1
	for at := start; at < len(r.source); {
		next := len(r.source)
		if i := strings.IndexByte(r.source[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		if strings.TrimRight(r.source[at:next], "\r\n \t") == fence {
			r.frontValues(start, at, fence == "+++")
			return next
		}
		at = next
	}
	return 0
}

func (r *reader) frontValues(start, end int, toml bool) {
	block := r.source[start:end]
	for _, found := range frontKeys.FindAllStringSubmatchIndex(block, -1) {
		from, to := found[6], found[7]
		value := block[from:to]
		if strings.HasPrefix(block[found[4]:found[5]], ":") == toml {
			continue
		}
		quote := ""
		switch {
		case len(value) >= 2 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0]:
			quote = value[:1]
		case toml, value == "", strings.ContainsAny(value[:1], "|>[{&*!%@`'\"#"), strings.Contains(value, " #"), strings.Contains(value, ": "):
			continue
		}
		shown := value[len(quote) : len(value)-len(quote)]
		if quote == `"` && strings.ContainsRune(shown, '\\') {
			continue
		}
		if quote == "'" && !toml {
			shown = strings.ReplaceAll(shown, "''", "'")
		}
		r.segments = append(r.segments, &segment.Segment{
			ID: "front matter, " + block[found[2]:found[3]], Kind: segment.Attribute, Protect: segment.InProse,
			Slots: []segment.Slot{{Text: shown, Start: start + from, End: start + to, Escape: func(out string) string {
				if quote == "'" && !strings.ContainsAny(out, `'`) {
					return "'" + out + "'"
				}
				if quote == "" && plainYAML(out) {
					return out
				}
				return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(out) + `"`
			}}},
		})
	}
}

// plainYAML says whether a text can stand in YAML without quotation marks.
func plainYAML(s string) bool {
	return s != "" && !strings.ContainsAny(s[:1], "-?:,[]{}#&*!|>'\"%@` ") && !strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.HasSuffix(s, ":")
}
