package segment

import (
	"regexp"
	"slices"
	"strings"
)

// Messages of programs may have several texts of which a number or a word chooses one: in braces (ICU
// MessageFormat, Java's ChoiceFormat), or with a bar between them (vue-i18n, Laravel). Each of these is
// translated by itself, and what is around them stays.
var (
	chosen     = regexp.MustCompile(`\{\s*[\w.]+\s*,\s*(plural|select|selectordinal|choice)\s*,`)
	chosenHead = regexp.MustCompile(`^` + chosen.String())
	// limit is what a text of a ChoiceFormat begins with.
	limit = regexp.MustCompile(`^[^#<≤{}|]*[#<≤]`)
	// inPlurals is also the number that is shown.
	inPlurals = regexp.MustCompile(InMessages.String() + `|#`)
)

// Chooses says whether a message has several texts in braces of which one is chosen.
func Chooses(text string) bool {
	return strings.Contains(text, "{") && strings.Contains(text, ",") && chosen.MatchString(text)
}

// deepest is how deep choices are within choices at most. None are so deep that people
// wrote them, and each takes another look at all that is in it.
const deepest = 16

// Choice is one text of a choice.
type Choice struct {
	Span   // of the text
	Plural bool
}

// Form is the text of one form of a plural.
type Form struct {
	Name, All Span // what the form is for; and with the text in braces
}

// Plural is a choice by a number.
type Plural struct {
	Ordinal bool
	Forms   []Form
}

// choices finds the texts of a message, and its choices by numbers that are in no other such.
type choices struct {
	text    string
	texts   []Choice
	plurals []Plural
}

func (c *choices) read(start, end, depth int, plural bool) {
	if depth > deepest {
		return
	}
	text := start
	for at := start; at < end; at++ {
		if c.text[at] != '{' {
			continue
		}
		stop := closing(c.text, at, end)
		head := chosenHead.FindStringSubmatch(c.text[at:stop])
		if head == nil {
			at = stop - 1
			continue
		}
		c.texts = append(c.texts, Choice{Span{text, at}, plural})
		from, kind := at+len(head[0]), head[1]
		if kind == "choice" {
			c.limits(from, stop-1, depth, plural)
		} else {
			c.braces(from, stop-1, depth, plural, kind)
		}
		text, at = stop, stop-1
	}
	c.texts = append(c.texts, Choice{Span{text, max(text, end)}, plural})
}

// braces goes over texts in braces with words before them.
func (c *choices) braces(start, end, depth int, plural bool, kind string) {
	number := kind != "select"
	own := Plural{Ordinal: kind == "selectordinal"}
	for at := start; at < end; at++ {
		if c.text[at] != '{' {
			continue
		}
		stop := closing(c.text, at, end)
		name := strings.TrimRight(c.text[start:at], " \t\r\n")
		begin := start + strings.LastIndexAny(name, " \t\r\n,}") + 1
		own.Forms = append(own.Forms, Form{Name: Span{begin, start + len(name)}, All: Span{begin, stop}})
		c.read(at+1, stop-1, depth+1, plural || number)
		at = stop - 1
	}
	if number && !plural {
		c.plurals = append(c.plurals, own)
	}
}

// limits goes over texts with bars between them and numbers before them.
func (c *choices) limits(start, end, depth int, plural bool) {
	from := start
	one := func(to int) {
		c.read(from+len(limit.FindString(c.text[from:to])), to, depth+1, plural)
		from = to + 1
	}
	for at := start; at < end; at++ {
		switch c.text[at] {
		case '{':
			at = closing(c.text, at, end) - 1
		case '|':
			one(at)
		}
	}
	one(max(from, end))
}

// closing is behind the brace that closes the one at from.
func closing(s string, from, end int) int {
	depth := 0
	for i := from; i < end; i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return end
}

// Plurals are the choices by numbers in a message, but for those within others.
func Plurals(text string) []Plural {
	if !Chooses(text) {
		return nil
	}
	c := &choices{text: text}
	c.read(0, len(text), 0, false)
	return c.plurals
}

// chosenTexts are the texts of a message, with no white space at their ends; nil where it is one text.
func chosenTexts(text string) []Choice {
	c, chooses := &choices{text: text}, Chooses(text)
	switch {
	case chooses:
		c.read(0, len(text), 0, false)
	case strings.Contains(text, "|"):
		c.texts = []Choice{{Span: Span{0, len(text)}}}
	default:
		return nil
	}
	kept := InMessages.FindAllStringIndex(text, -1)
	all := []Choice{}
	for _, one := range c.texts {
		from := one.Start
		for at := one.Start; at <= one.End; at++ {
			for len(kept) > 0 && kept[0][1] <= at {
				kept = kept[1:]
			}
			if at < one.End && (text[at] != '|' || len(kept) > 0 && kept[0][0] <= at) {
				continue
			}
			core := strings.TrimSpace(text[from:at])
			if HasWords(core) {
				start := from + strings.Index(text[from:at], core)
				all = append(all, Choice{Span{start, start + len(core)}, one.Plural})
			}
			from = at + 1
		}
	}
	if !chooses && len(all) < 2 {
		return nil
	}
	return all
}

// parted is a segment whose texts are translated each by itself.
type parted struct {
	whole *Segment
	texts []*Segment
	from  [][]Span // of each slot of these, its bytes in a slot of the whole
	slot  [][]int  // which that is
}

// part takes a message with several texts apart; nil for others.
func (s *Segment) part() *parted {
	if s.Protect != InMessages {
		return nil
	}
	found := chosenTexts(s.Source())
	if found == nil {
		return nil
	}
	p := &parted{whole: s}
	slot, start := 0, 0 // which begins there in the source
	for _, one := range found {
		text := &Segment{ID: s.ID, Kind: s.Kind, Protect: s.Protect}
		if one.Plural {
			text.Protect = inPlurals
		}
		var from []Span
		var slots []int
		for slot < len(s.Slots) && start+len(s.Slots[slot].Text) <= one.Start {
			start += len(s.Slots[slot].Text)
			slot++
		}
		for i, at := slot, start; i < len(s.Slots) && at < one.End; i++ {
			own := s.Slots[i]
			within := Span{max(one.Start-at, 0), min(one.End-at, len(own.Text))}
			at += len(own.Text)
			own.Text = own.Text[within.Start:within.End]
			own.Out = own.Text
			text.Slots, from, slots = append(text.Slots, own), append(from, within), append(slots, i)
		}
		p.texts, p.from, p.slot = append(p.texts, text), append(p.from, from), append(p.slot, slots)
	}
	return p
}

// quoting is an apostrophe that would have a brace or number shown as it is (ICU MessageFormat).
var quoting = regexp.MustCompile(`'([{}#|])`)

// compose puts the translations of the texts into the whole. One in which a mark came or went that parts texts stays.
func (p *parted) compose() {
	edits := make([][]Edit, len(p.whole.Slots))
	for i, text := range p.texts {
		marks := func(of string) [3]int {
			return [3]int{strings.Count(of, "{"), strings.Count(of, "}"), strings.Count(of, "|")}
		}
		if marks(text.Source()) != marks(text.Target()) {
			text.Reset()
		}
		for k, own := range text.Slots {
			out := own.Out
			if strings.Count(out, "'") != strings.Count(own.Text, "'") {
				out = quoting.ReplaceAllString(out, "’$1")
			}
			at := p.slot[i][k]
			edits[at] = append(edits[at], Edit{p.from[i][k].Start, p.from[i][k].End, out})
		}
	}
	for i := range p.whole.Slots {
		own := &p.whole.Slots[i]
		if out, err := Splice(own.Text, edits[i]); err == nil && !own.Fixed {
			own.Out = out
		}
	}
	if p.whole.Fits != nil && !p.whole.Fits(p.whole) {
		p.whole.Reset()
	}
}

// Complete adds to the texts that are chosen by numbers those for the forms that only the target language
// has: forms and ordinals tell all that it has. They are like the text for "other", which is the one that is shown without them.
func (s *Segment) Complete(forms, ordinals []string) {
	if s.Protect != InMessages || len(s.Slots) != 1 || s.Slots[0].Out == s.Slots[0].Text {
		return
	}
	out := s.Slots[0].Out
	var edits []Edit
	for _, p := range Plurals(out) {
		all := forms
		if p.Ordinal {
			all = ordinals
		}
		other, before := Form{}, 0
		var has []string
		for i, f := range p.Forms {
			has = append(has, out[f.Name.Start:f.Name.End])
			if has[i] == "other" {
				other, before = f, f.Name.Start
				if i > 0 {
					before = p.Forms[i-1].All.End
				}
			}
		}
		if other.All.End == 0 {
			continue
		}
		between := out[before:other.Name.Start]
		if between == "" {
			between = " "
		}
		add := ""
		for _, form := range all {
			if !slices.Contains(has, form) {
				add += form + out[other.Name.End:other.All.End] + between
			}
		}
		edits = append(edits, Edit{other.All.Start, other.All.Start, add})
	}
	if text, err := Splice(out, edits); err == nil {
		s.Slots[0].Out = text
	}
}
