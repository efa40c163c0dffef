package segment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pair is a text and its translation.
type Pair struct{ Source, Target string }

// Link says that a word of a translation stands for one of its source.
type Link struct {
	Source, Target Span
	Weight         float64 // of all that the word stands for
}

// Align tells which words of translations stand for which of their sources, of each
// pair. ErrNoAlignment is its error where that cannot be known.
type Align func(ctx context.Context, pairs []Pair) ([][]Link, error)

// ErrNoAlignment has spans placed without an alignment.
var ErrNoAlignment = errors.New("which words stand for which is not known")

// Of a word's weight more than half must be of a span for the word to be in its
// translation, and so much of a span's must be in one place. docs/formats.md has what
// that gives.
const (
	within = 0.5
	whole  = 0.6
)

// placeAll places what the alignment of translations tells the place of. It returns the
// indices of work that are left.
func placeAll(ctx context.Context, work []*Segment, outs []string, left []int, align Align) ([]int, error) {
	if align == nil {
		return left, nil
	}
	var asked []int
	var pairs []Pair
	for _, i := range left {
		if s := work[i]; s.kept(outs[i]) && len(outs[i]) <= maxPlaced && len(s.Slots) <= 2*maxSpans {
			asked, pairs = append(asked, i), append(pairs, Pair{s.Source(), outs[i]})
		}
	}
	if len(pairs) == 0 {
		return left, nil
	}
	links, err := align(ctx, pairs)
	if errors.Is(err, ErrNoAlignment) {
		return left, nil
	}
	if err == nil && len(links) != len(pairs) {
		err = fmt.Errorf("%d alignments of %d texts", len(links), len(pairs))
	}
	if err != nil {
		return nil, fmt.Errorf("align words: %w", err)
	}
	for k, i := range asked {
		if work[i].placeAligned(outs[i], links[k]) {
			left = slices.DeleteFunc(left, func(n int) bool { return n == i })
		}
	}
	return left, nil
}

// placeAligned is place with the links of the translation. Spans whose order is another
// there have no place: markup keeps its own.
func (s *Segment) placeAligned(out string, links []Link) bool {
	units := s.units()
	a := newAligned(out, links)
	if a == nil {
		return false
	}
	source := s.Source()
	var spans []span
	for i, u := range units {
		if !u.anchor {
			continue
		}
		sp := span{unit: i}
		core := strings.TrimFunc(u.text, unicode.IsSpace)
		found := false
		switch {
		case core != "":
			from := u.start + strings.Index(u.text, core)
			sp.start, sp.end, found = a.place(core, Span{from, from + len(core)}, s.Slots[u.slot].Fixed, len(source))
		case s.Slots[u.slot].Fixed && u.text == "" && !besideAnchor(units, i):
			sp.start, found = a.after(source, u.start)
			sp.end = sp.start
		default:
			continue
		}
		if n := len(spans); !found || n > 0 && sp.start < spans[n-1].end {
			return false
		}
		spans = append(spans, sp)
	}
	for k := range spans {
		sp, u := &spans[k], units[spans[k].unit]
		at, tail := 0, len(out)
		if k > 0 {
			at = spans[k-1].end
		}
		if k+1 < len(spans) {
			tail = spans[k+1].start
		}
		if s.Slots[u.slot].Fixed {
			continue
		}
		if strings.TrimLeftFunc(u.text, unicode.IsSpace) != u.text {
			sp.start = at + len(strings.TrimRightFunc(out[at:sp.start], unicode.IsSpace))
		}
		if strings.TrimRightFunc(u.text, unicode.IsSpace) != u.text {
			sp.end = tail - len(strings.TrimLeftFunc(out[sp.end:tail], unicode.IsSpace))
		}
	}
	return s.share(out, units, spans) && s.holdsProtected() && (s.Fits == nil || s.Fits(s))
}

// besideAnchor says whether a unit without text, as a tag is, has one with a place of its
// own right before it or behind it: there it stays.
func besideAnchor(units []unit, i int) bool {
	before, behind := i-1, i+1
	for before >= 0 && units[before].anchor && units[before].text == "" {
		before--
	}
	for behind < len(units) && units[behind].anchor && units[behind].text == "" {
		behind++
	}
	return before >= 0 && units[before].anchor || behind < len(units) && units[behind].anchor
}

// aligned is a translation with its links.
type aligned struct {
	out   string
	words []Span   // of the translation that have links
	links [][]Link // of each
}

// newAligned is nil where links do not fit the translation.
func newAligned(out string, links []Link) *aligned {
	a := &aligned{out: out}
	for _, l := range links {
		n := len(a.words) - 1
		if l.Target.Start < 0 || l.Target.End > len(out) || l.Target.Start >= l.Target.End || n >= 0 && l.Target.Start < a.words[n].Start {
			return nil
		}
		if n < 0 || a.words[n] != l.Target {
			a.words, a.links = append(a.words, l.Target), append(a.links, nil)
			n++
		}
		a.links[n] = append(a.links[n], l)
	}
	return a
}

// place is where words of the source are in the translation: as they are, or what
// stands for them. What is fixed is there as it is.
func (a *aligned) place(words string, at Span, fixed bool, length int) (start, end int, found bool) {
	start, end, found = a.of(at)
	near := start
	if !found {
		near = at.Start * len(a.out) / max(length, 1)
	}
	from, to, same := find(a.out, words, 0, len(a.out), near)
	if same && (fixed || !found || from < end && start < to) {
		return from, to, true
	}
	if fixed || !found {
		return 0, 0, false
	}
	start, end = a.withMarks(words, start, end)
	return start, end, true
}

// of is the smallest place of all words that stand for some of the source. There is none
// where others are among them, or where too much of the source is elsewhere.
func (a *aligned) of(source Span) (start, end int, found bool) {
	share, all := make([]float64, len(a.words)), 0.0
	for i, links := range a.links {
		for _, l := range links {
			if l.Source.Start < source.End && source.Start < l.Source.End {
				share[i] += l.Weight
			}
		}
		all += share[i]
	}
	// The run of words with the largest sum of what they have above the middle
	// (Kadane's algorithm).
	best, sum, first, from, to := 0.0, 0.0, 0, -1, -1
	for i := range share {
		if sum <= 0 {
			sum, first = 0, i
		}
		if sum += share[i] - within; sum > best {
			best, from, to = sum, first, i
		}
	}
	if from < 0 {
		return 0, 0, false
	}
	held := 0.0
	for _, s := range share[from : to+1] {
		held += s
	}
	if held < whole*all {
		return 0, 0, false
	}
	return a.words[from].Start, a.words[to].End, true
}

// withMarks takes in the marks at a place's ends that are at those of the words.
func (a *aligned) withMarks(words string, start, end int) (int, int) {
	for _, last := range trailing(words) {
		r, n := utf8.DecodeRuneInString(a.out[end:])
		if r != last && !(unicode.IsPunct(r) && unicode.IsPunct(last)) {
			break
		}
		end += n
	}
	for range leading(words) {
		r, n := utf8.DecodeLastRuneInString(a.out[:start])
		if !unicode.IsPunct(r) && !unicode.IsSymbol(r) {
			break
		}
		start -= n
	}
	return start, end
}

func isMark(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r)
}

func trailing(words string) string { return words[len(strings.TrimRightFunc(words, isMark)):] }

func leading(words string) string { return words[:len(words)-len(strings.TrimLeftFunc(words, isMark))] }

// after is the place behind what stands for the last word before a place of the source,
// and behind its marks; the beginning where there is no word before.
func (a *aligned) after(source string, at int) (place int, found bool) {
	before := strings.TrimRightFunc(source[:at], isMark)
	if before == "" {
		return 0, true
	}
	word := Span{len(strings.TrimRightFunc(before, func(r rune) bool { return !isMark(r) })), len(before)}
	_, end, found := a.of(word)
	if !found {
		return 0, false
	}
	_, end = a.withMarks(source[word.Start:at], end, end)
	return end, true
}
