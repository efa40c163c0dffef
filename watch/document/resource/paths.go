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
		text = index.ReplaceAllString(text, ".$1")
		if strings.HasPrefix(text, "$.") { // JSONPath's outermost value, and no key such as $schema
			text = text[1:]
		}
		keys := splitPath(strings.TrimPrefix(text, "."))
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

// follower follows rules to a value key by key: a value is looked up in as many steps as
// rules have keys, however deep it lies.
type follower struct {
	rules *Paths
	keys  [][]reached // by the keys that lead here
}

// reached says of one rule which beginnings of it take the keys that led here: has[i] is
// about its first i keys.
type reached struct {
	has   []bool
	whole bool // it takes the value here, or one that this is in
}

// enter goes to the value of a key, or of an index in an array.
func (f *follower) enter(key string) {
	if f.rules == nil {
		return
	}
	next := make([]reached, len(f.rules.rules))
	for i, r := range f.here() {
		if next[i] = r; !r.whole {
			next[i] = f.rules.rules[i].after(r, key)
		}
	}
	f.keys = append(f.keys, next)
}

// leave goes back to what the value is in.
func (f *follower) leave() {
	if f.rules != nil {
		f.keys = f.keys[:len(f.keys)-1]
	}
}

func (f *follower) here() []reached {
	if len(f.keys) > 0 {
		return f.keys[len(f.keys)-1]
	}
	all := make([]reached, len(f.rules.rules))
	for i, rule := range f.rules.rules {
		has := make([]bool, len(rule.keys)+1)
		has[0] = true
		all[i] = rule.skipped(has)
	}
	return all
}

// says is what the rules say of the value here.
func (f *follower) says() verdict {
	if f.rules == nil {
		return silent
	}
	says := silent
	if f.rules.only {
		says = left
	}
	for i, r := range f.here() {
		if r.whole {
			says = taken
			if f.rules.rules[i].leave {
				says = left
			}
		}
	}
	return says
}

// after is how far a rule is behind one more key.
func (p path) after(r reached, key string) reached {
	next := make([]bool, len(p.keys)+1)
	for i, k := range p.keys {
		switch {
		case !r.has[i]:
		case k == "**":
			next[i], next[i+1] = true, true
		case k == "*" || k == key:
			next[i+1] = true
		}
	}
	return p.skipped(next)
}

// skipped lets ** take no key.
func (p path) skipped(has []bool) reached {
	for i, k := range p.keys {
		has[i+1] = has[i+1] || has[i] && k == "**"
	}
	return reached{has, has[len(p.keys)]}
}
