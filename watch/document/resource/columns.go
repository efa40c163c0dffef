package resource

import (
	"fmt"
	"strconv"
	"strings"

	"dragoman/watch/document/segment"
)

// Columns are a user's rules for the columns of a table, see ParseColumns. Nil is none.
type Columns struct {
	rules []columns
	only  bool // what no rule takes stays
	names bool // the first row has names by which a rule goes
}

// columns are those from first to last, or the one of a name.
type columns struct {
	first, last int // from 1
	name        string
	leave       bool
}

const maxColumn = 100_000

// ParseColumns reads rules such as "2", "4-6", "Title" and "!Notes": numbers from 1, or the
// names that the first row has. With a rule only the cells of its columns are translated; a
// rule that begins with "!" leaves columns alone. Of several that fit the last counts. Where
// a rule has a name the first row is not translated: it has the names.
func ParseColumns(rules []string) (*Columns, error) {
	if len(rules) == 0 {
		return nil, nil
	}
	c := &Columns{}
	for _, rule := range rules {
		text, leave := strings.CutPrefix(strings.TrimSpace(rule), "!")
		text = strings.TrimSpace(text)
		from, to, isRange := strings.Cut(text, "-")
		first, err := strconv.Atoi(strings.TrimSpace(from))
		last := first
		if err == nil && isRange {
			last, err = strconv.Atoi(strings.TrimSpace(to))
		}
		one := columns{first: first, last: last, leave: leave}
		switch {
		case text == "":
			return nil, fmt.Errorf("the column %q has no name: give a number from 1, a range such as 2-4, or a name of the first row", rule)
		case err != nil:
			one = columns{name: text, leave: leave}
			c.names = true
		case first < 1 || last < first || last > maxColumn:
			return nil, fmt.Errorf("there can be no columns %q: they are counted from 1, the smaller number first", rule)
		}
		c.rules = append(c.rules, one)
		c.only = c.only || !leave
	}
	return c, nil
}

// resolved has numbers for names, which the cells of the first row are.
func (c *Columns) resolved(first []string) (*Columns, error) {
	if c == nil || !c.names {
		return c, nil
	}
	found := &Columns{only: c.only, names: true}
	for _, rule := range c.rules {
		if rule.name == "" {
			found.rules = append(found.rules, rule)
			continue
		}
		before := len(found.rules)
		for n, name := range first { // several may have the name
			if strings.EqualFold(strings.TrimSpace(name), rule.name) {
				found.rules = append(found.rules, columns{first: n + 1, last: n + 1, leave: rule.leave})
			}
		}
		if len(found.rules) == before {
			return nil, &segment.FormatError{Format: "table", Line: 1, Reason: fmt.Sprintf("it has no column %q", rule.name), Hint: "give a name that its first row has, or the column's number"}
		}
	}
	return found, nil
}

// of is what the rules say of a cell.
func (c *Columns) of(row, column int) verdict {
	if c == nil {
		return silent
	}
	says := silent
	if c.only {
		says = left
	}
	for _, rule := range c.rules {
		if column >= rule.first && column <= rule.last {
			says = taken
			if rule.leave {
				says = left
			}
		}
	}
	if c.names && row == 1 {
		return left
	}
	return says
}
