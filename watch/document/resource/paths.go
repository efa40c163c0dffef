package resource

import (
	"fmt"
	"regexp"
	"strings"
)

// Paths are a user's rules for the values of JSON, see ParsePaths. Nil is none.
type Paths struct {
	rules []path
	only  bool // what no rule takes stays
}

type path struct {
	keys  []string
	leave bool
}

// ParsePaths reads rules such as "messages.*.text", "items[*].title" and "!**.id": keys from
// the outermost on with dots between them, * for any key or index, ** for any number of
// them; "[0]" is the same as ".0", and "\." is a dot within a key. With a rule only
// the values are translated that it takes, those of all keys in them too; a rule that
// begins with "!" leaves values alone. Of several that fit the last counts.
func ParsePaths(rules []string) (*Paths, error) {
	if len(rules) == 0 {
		return nil, nil
	}
	p := &Paths{}
	for _, rule := range rules {
		text, leave := strings.CutPrefix(strings.TrimSpace(rule), "!")
		text = strings.TrimPrefix(strings.TrimPrefix(text, "$"), ".")
		keys := splitPath(index.ReplaceAllString(text, ".$1"))
		for _, key := range keys {
			if key == "" {
				return nil, fmt.Errorf("the path %q has an empty key: write keys with one dot between them, such as messages.*.text", rule)
			}
			if strings.ContainsAny(key, "[]") {
				return nil, fmt.Errorf("the path %q has a bracket that is not about an index: write items[*].title or items[0].title", rule)
			}
		}
		p.rules = append(p.rules, path{keys, leave})
		p.only = p.only || !leave
	}
	return p, nil
}

// index is the place of a value in an array.
var index = regexp.MustCompile(`\[(\*|\d+)\]`)

// splitPath cuts at dots that have no backslash before them.
func splitPath(s string) (keys []string) {
	var key strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			key.WriteByte(s[i])
		case s[i] == '.':
			keys = append(keys, key.String())
			key.Reset()
		default:
			key.WriteByte(s[i])
		}
	}
	return append(keys, key.String())
}

// verdict is what rules say of a value.
type verdict int

const (
	silent verdict = iota // nothing
	taken
	left
)

// of is what the rules say of the value at keys.
func (p *Paths) of(keys []string) verdict {
	if p == nil {
		return silent
	}
	says := silent
	if p.only {
		says = left
	}
	for _, rule := range p.rules {
		if fits(rule.keys, keys) {
			says = taken
			if rule.leave {
				says = left
			}
		}
	}
	return says
}

// fits says whether a rule takes the value at keys, or one that it is in.
func fits(rule, keys []string) bool {
	// can[i] says whether the rule's first i keys take those that were looked at.
	can := make([]bool, len(rule)+1)
	can[0] = true
	skip := func() {
		for i, key := range rule {
			can[i+1] = can[i+1] || can[i] && key == "**"
		}
	}
	skip()
	if can[len(rule)] {
		return true
	}
	for _, key := range keys {
		next := make([]bool, len(rule)+1)
		for i, r := range rule {
			switch {
			case !can[i]:
			case r == "**":
				next[i], next[i+1] = true, true
			case r == "*" || r == key:
				next[i+1] = true
			}
		}
		can = next
		skip()
		if can[len(rule)] {
			return true // and so all in it
		}
	}
	return false
}
