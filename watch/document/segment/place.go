package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Longer segments, or those with more spans, are translated in runs at once:
// searching in them would take long.
const (
	maxPlaced = 64 << 10 // bytes
	maxSpans  = 200
)

// unit is one slot with those joined to it.
type unit struct {
	text   string
	slot   int // where its text is written
	anchor bool
	blank  bool // white space of another style
	start  int  // in the text of all units
}

// place shares a translation of the whole segment out among the slots, and says
// whether it could: each span with a style of its own, and all that is fixed, must
// be found in it, in order. known has translations of spans on their own; without
// it the words that would help are returned.
func (s *Segment) place(out string, known map[string]string) (unknown []string, ok bool) {
	if len(s.Slots) == 1 && !s.Slots[0].Fixed {
		s.Slots[0].Out = out
		return nil, true
	}
	if out == s.Source() {
		s.Reset()
		return nil, true
	}
	units := s.units()
	if len(out) > maxPlaced || len(units) > 2*maxSpans {
		return nil, false
	}
	total := len(s.Source())
	var spans []span
	at, tail := 0, len(out)
	for i, u := range units {
		core := strings.TrimFunc(u.text, unicode.IsSpace)
		if !u.anchor || core == "" {
			continue
		}
		expect := u.start * len(out) / max(total, 1)
		start, end, found := find(out, core, at, tail, expect)
		if !found && !s.Slots[u.slot].Fixed && HasWords(core) {
			translation, asked := known[core]
			if !asked {
				unknown = append(unknown, core)
				continue
			}
			start, end, found = find(out, strings.TrimFunc(translation, unicode.IsSpace), at, tail, expect)
		}
		if !found {
			return unknown, false
		}
		if !s.Slots[u.slot].Fixed { // white space at its ends stays within it
			if strings.TrimLeftFunc(u.text, unicode.IsSpace) != u.text {
				start = at + len(strings.TrimRightFunc(out[at:start], unicode.IsSpace))
			}
			if strings.TrimRightFunc(u.text, unicode.IsSpace) != u.text {
				end = tail - len(strings.TrimLeftFunc(out[end:tail], unicode.IsSpace))
			}
		}
		spans = append(spans, span{i, start, end})
		at = end
	}
	if len(unknown) > 0 {
		return unknown, false
	}
	return nil, s.share(out, units, spans) && s.holdsProtected() && (s.Fits == nil || s.Fits(s))
}

// holdsProtected says whether what must stay lies within one slot of the translation as
// often as of the source: {x} with markup in its middle is no placeholder any more.
func (s *Segment) holdsProtected() bool {
	if s.Protect == nil {
		return true
	}
	missing := map[string]int{}
	for _, slot := range s.Slots {
		if slot.Fixed {
			continue
		}
		for _, p := range s.Protect.FindAllString(slot.Text, -1) {
			missing[p]++
		}
		for _, p := range s.Protect.FindAllString(slot.Out, -1) {
			missing[p]--
		}
	}
	for _, n := range missing {
		if n > 0 {
			return false
		}
	}
	return true
}

// span is where a unit was found.
type span struct{ unit, start, end int }

// MostStyle is the style that most of the text has.
func MostStyle(slots []Slot) int {
	weight := map[int]int{}
	for _, slot := range slots {
		if !slot.Fixed {
			weight[slot.Style] += len(slot.Text)
		}
	}
	base, most := 0, -1
	for _, slot := range slots { // in their order, so that it is the same each time
		if w := weight[slot.Style]; !slot.Fixed && w > most {
			base, most = slot.Style, w
		}
	}
	return base
}

// Alike says whether slots are all of one style, with no fixed text among them.
func Alike(slots []Slot) bool {
	for _, s := range slots {
		if s.Style != slots[0].Style || s.Fixed && s.Text != "" {
			return false
		}
	}
	return true
}

// units joins slots and finds out which of them have to be found in a translation:
// those that do not look like most of the text.
func (s *Segment) units() []unit {
	base := MostStyle(s.Slots)
	var units []unit
	at := 0
	for i, slot := range s.Slots {
		if n := len(units) - 1; n >= 0 && slot.Joined && !slot.Fixed && !s.Slots[i-1].Fixed && slot.Style == s.Slots[units[n].slot].Style {
			units[n].text += slot.Text
		} else {
			units = append(units, unit{
				text: slot.Text, slot: i, start: at, anchor: slot.Fixed || slot.Style != base,
				blank: !slot.Fixed && slot.Style != base && slot.Text != "" && strings.TrimSpace(slot.Text) == "",
			})
		}
		at += len(slot.Text)
	}
	return units
}

// share writes what was found into its slots and the rest into those between them.
func (s *Segment) share(out string, units []unit, spans []span) bool {
	result := make([]string, len(units))
	for _, sp := range spans {
		result[sp.unit] = out[sp.start:sp.end]
	}
	first, at := 0, 0
	for k := 0; k <= len(spans); k++ {
		last, end := len(units), len(out)
		if k < len(spans) {
			last, end = spans[k].unit, spans[k].start
		}
		if !fill(result[first:last], units[first:last], out[at:end]) {
			// Only what no reader would miss may go to a neighbour.
			left := out[at:end]
			switch {
			case HasWords(left):
				return false
			case k > 0 && !s.Slots[units[spans[k-1].unit].slot].Fixed:
				result[spans[k-1].unit] += left
			case k < len(spans) && !s.Slots[units[spans[k].unit].slot].Fixed:
				result[spans[k].unit] = left + result[spans[k].unit]
			case left != "":
				return false
			}
		}
		if k < len(spans) {
			first, at = spans[k].unit+1, spans[k].end
		}
	}
	for i := range s.Slots {
		if !s.Slots[i].Fixed {
			s.Slots[i].Out = ""
		}
	}
	for i, u := range units {
		if s.Slots[u.slot].Fixed {
			continue
		}
		before := i - 1
		for before > 0 && units[before].text == "" {
			before--
		}
		if before >= 0 && s.Slots[units[before].slot].Fixed && strings.HasSuffix(units[before].text, " ") && !strings.HasPrefix(u.text, " ") {
			result[i] = strings.TrimPrefix(result[i], " ") // the space is there already
		}
		s.Slots[u.slot].Out = result[i]
	}
	return true
}

// fill shares text out among units that need not be found, by the lengths of
// theirs, and cuts between words. False where there is none and text is not empty.
func fill(result []string, units []unit, text string) bool {
	var takers []int
	total := 0
	for i, u := range units {
		if !u.anchor {
			takers = append(takers, i)
			total += len(u.text)
		}
	}
	if len(takers) == 0 {
		return text == ""
	}
	sum, at := 0, 0
	for n, i := range takers {
		sum += len(units[i].text)
		end := len(text)
		if n < len(takers)-1 {
			near := sum * len(text) / max(total, 1)
			end = wordEnd(text, at, near)
			if stop := beforeMark(text, at, near, units[takers[n+1]].text); stop >= 0 {
				end = stop
			}
			if sum == 0 {
				end = at
			}
			if strings.HasSuffix(units[i].text, " ") {
				end += len(text[end:]) - len(strings.TrimLeft(text[end:], " "))
			}
		}
		result[i] = text[at:end]
		at = end
	}
	for n := 1; n < len(takers); n++ {
		space(result, units, takers[n-1], takers[n])
	}
	return true
}

// space gives the white space between two units to what is only that, so that it does not
// become a part of a link.
func space(result []string, units []unit, a, b int) {
	for k := a + 1; k < b; k++ {
		if !units[k].blank {
			continue
		}
		before, after := strings.TrimRightFunc(result[a], unicode.IsSpace), strings.TrimLeftFunc(result[b], unicode.IsSpace)
		if strings.TrimRightFunc(units[a].text, unicode.IsSpace) != units[a].text {
			before = result[a]
		}
		if strings.TrimLeftFunc(units[b].text, unicode.IsSpace) != units[b].text {
			after = result[b]
		}
		result[k] = result[a][len(before):] + result[b][:len(result[b])-len(after)]
		result[a], result[b] = before, after
		return
	}
}

// beforeMark is the place near to near, not before from, where text has the punctuation
// mark that next begins with: what comes before a full stop still does. -1 where there
// is none.
func beforeMark(text string, from, near int, next string) int {
	const far = 24 // bytes
	r, n := utf8.DecodeRuneInString(next)
	if !unicode.IsPunct(r) {
		return -1
	}
	best := -1
	for at := max(from, near-far); at+n <= min(len(text), near+far); at++ {
		if text[at:at+n] == next[:n] && (best < 0 || distance(at, near) < distance(best, near)) {
			best = at
		}
	}
	return best
}

// wordEnd is the place between two words of text that is nearest to near, not
// before from. Between characters of a script without spaces any place is.
func wordEnd(text string, from, near int) int {
	best := -1
	better := func(at int) bool { return best < 0 || distance(at, near) < distance(best, near) }
	if better(from) {
		best = from
	}
	before := ' '
	for i, r := range text[from:] {
		if i > 0 && (unicode.IsSpace(r) && !unicode.IsSpace(before) || unspaced(before) && unspaced(r)) && better(from+i) {
			best = from + i
		}
		if from+i > near && best >= 0 && from+i-near > distance(best, near) {
			break
		}
		before = r
	}
	if better(len(text)) {
		best = len(text)
	}
	return best
}

func distance(a, b int) int { return max(a-b, b-a) }

// unspaced says whether r is of a script that puts no spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// find looks for words in out[from:to], whatever their case, not within other
// words, and returns the place nearest to near.
func find(out, words string, from, to, near int) (start, end int, found bool) {
	if words == "" || to-from < len(words) {
		return 0, 0, false
	}
	exact := false
	for at := from; at+len(words) <= to; at++ {
		if !utf8.RuneStart(out[at]) {
			continue
		}
		same := out[at:at+len(words)] == words
		if !same && !strings.EqualFold(out[at:at+len(words)], words) || !alone(out, at, at+len(words)) {
			continue
		}
		switch {
		case !found, same && !exact, same == exact && distance(at, near) < distance(start, near):
			start, end, found, exact = at, at+len(words), true, same
		}
	}
	return start, end, found
}

// alone says whether out[start:end] is not the part of a longer word.
func alone(out string, start, end int) bool {
	if end < len(out) && !utf8.RuneStart(out[end]) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(out[start:end])
	last, _ := utf8.DecodeLastRuneInString(out[start:end])
	before, _ := utf8.DecodeLastRuneInString(out[:start])
	after, _ := utf8.DecodeRuneInString(out[end:])
	return !(inWord(before) && inWord(first)) && !(inWord(last) && inWord(after))
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unspaced(r)
}
