package segment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Func translates a text of any number of lines, and returns as many. Empty lines stay,
// and what they part has nothing to do with each other.
type Func func(ctx context.Context, text string) (string, error)

// Translate is TranslateAligned where nobody knows which words stand for which.
func Translate(ctx context.Context, segments []*Segment, translate Func) error {
	return TranslateAligned(ctx, segments, translate, nil)
}

// TranslateAligned sets what is to be written for all segments. It asks at most three
// times:
//
//  1. for the texts of all segments, without their markup, so that the model sees
//     whole sentences;
//  2. for the words of marked-up spans on their own, where they were not found in
//     the translation as they are, and align does not say which words stand for them:
//     there they show where the markup goes;
//  3. for the runs of text between markup and placeholders, of those segments where
//     a span was not found or a placeholder was lost. Then everything is in its
//     place for certain, though the sentence was translated in parts.
//
// Where translate returns ErrAnew it begins anew.
func TranslateAligned(ctx context.Context, segments []*Segment, translate Func, align Align) error {
	for {
		if err := translateOnce(ctx, segments, translate, align); !errors.Is(err, ErrAnew) {
			return err
		}
	}
}

func translateOnce(ctx context.Context, segments []*Segment, translate Func, align Align) error {
	var work []*Segment
	var sources []string
	var several []*parted
	add := func(s *Segment) {
		if s.translatable() {
			work = append(work, s)
			sources = append(sources, s.Source())
		}
	}
	for _, s := range segments {
		s.Reset()
		p := (*parted)(nil)
		if s.translatable() {
			p = s.part()
		}
		if p == nil {
			add(s)
			continue
		}
		several = append(several, p)
		for _, text := range p.texts {
			text.Reset()
			add(text)
		}
	}
	outs, err := lines(ctx, sources, translate)
	if err != nil {
		return err
	}
	var again []int // indices of work
	unknown := make([][]string, len(work))
	for i, s := range work {
		placed := false
		if s.kept(outs[i]) {
			unknown[i], placed = s.place(outs[i], nil)
		}
		if !placed {
			again = append(again, i)
		}
	}
	if again, err = placeAll(ctx, work, outs, again, align); err != nil {
		return err
	}
	words := newQuestions()
	for _, i := range again {
		for _, u := range unknown[i] {
			words.add(u)
		}
	}
	if err := words.ask(ctx, translate); err != nil {
		return err
	}
	runs := newQuestions()
	var inRuns []*Segment
	for _, i := range again {
		s := work[i]
		if s.kept(outs[i]) {
			if _, ok := s.place(outs[i], words.answers); ok {
				continue
			}
		}
		inRuns = append(inRuns, s)
		whole := s.protectedSpans()
		for _, u := range s.units() {
			for _, run := range s.runs(u, whole) {
				if run.words {
					runs.add(run.text)
				}
			}
		}
	}
	if err := runs.ask(ctx, translate); err != nil {
		return err
	}
	for _, s := range inRuns {
		s.byRuns(runs.answers)
	}
	for _, p := range several {
		p.compose()
	}
	return nil
}

// between texts is an empty line: lines that follow each other may be taken for those
// of one wrapped paragraph.
const between = "\n\n"

// lines translates texts, each of one line or more.
func lines(ctx context.Context, texts []string, translate Func) ([]string, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	out, err := translate(ctx, strings.Join(texts, between))
	if err != nil {
		return nil, err
	}
	if len(texts) == 1 {
		return []string{out}, nil
	}
	outs := make([]string, 0, len(texts))
	rest, whole := out, true
	for i, text := range texts {
		end := len(rest)
		if i < len(texts)-1 {
			end = nthLine(rest, strings.Count(text, "\n")+1)
		}
		if end < 0 || i < len(texts)-1 && !strings.HasPrefix(rest[end:], between) {
			whole = false
			break
		}
		outs = append(outs, rest[:end])
		rest = rest[min(end+len(between), len(rest)):]
	}
	if last := len(texts) - 1; whole && strings.Count(outs[last], "\n") == strings.Count(texts[last], "\n") {
		return outs, nil
	}
	// A translation with a line too many or too few: each on its own then.
	outs = outs[:0]
	for _, text := range texts {
		out, err := translate(ctx, text)
		if err != nil {
			return nil, err
		}
		outs = append(outs, out)
	}
	return outs, nil
}

// nthLine is the index of the n-th line break of s, or -1.
func nthLine(s string, n int) int {
	at := -1
	for range n {
		next := strings.IndexByte(s[at+1:], '\n')
		if next < 0 {
			return -1
		}
		at += 1 + next
	}
	return at
}

// questions are texts that are asked for once each.
type questions struct {
	texts   []string
	answers map[string]string
}

func newQuestions() *questions { return &questions{answers: map[string]string{}} }

func (q *questions) add(text string) {
	if _, ok := q.answers[text]; !ok {
		q.answers[text] = ""
		q.texts = append(q.texts, text)
	}
}

func (q *questions) ask(ctx context.Context, translate Func) error {
	outs, err := lines(ctx, q.texts, translate)
	if err != nil {
		return fmt.Errorf("translate in parts: %w", err)
	}
	for i, text := range q.texts {
		q.answers[text] = fit(text, outs[i])
	}
	return nil
}

// fit takes off the punctuation that a model likes to put behind a few words.
func fit(source, out string) string {
	const marks = ".,;:!?。．，、；：！？"
	last, _ := utf8.DecodeLastRuneInString(source)
	if strings.ContainsRune(marks+"…", last) {
		return out
	}
	return strings.TrimRight(out, marks)
}

// kept says whether a translation has all that must be in it.
func (s *Segment) kept(out string) bool {
	if s.Protect == nil {
		return true
	}
	count := map[string]int{}
	for _, p := range s.Protect.FindAllString(s.Source(), -1) {
		count[p]++
	}
	for _, p := range s.Protect.FindAllString(out, -1) {
		count[p]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// run is a part of a slot.
type run struct {
	text  string
	words bool // to be translated
}

// runs takes a unit apart into what is translated on its own and what stays.
func (s *Segment) runs(u unit, whole [][]int) []run {
	if s.Slots[u.slot].Fixed {
		return nil
	}
	var all []run
	plain := func(text string) {
		// A mark before the first word belongs to the words before it, which are not
		// there.
		core := strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		core = strings.TrimRightFunc(core, unicode.IsSpace)
		if !HasWords(core) {
			all = append(all, run{text: text})
			return
		}
		at := strings.Index(text, core)
		all = append(all, run{text: text[:at]}, run{core, true}, run{text: text[at+len(core):]})
	}
	at := 0
	first, _ := slices.BinarySearchFunc(whole, u.start, func(found []int, start int) int { return cmp.Compare(found[1], start+1) })
	for _, found := range whole[first:] {
		from, to := max(found[0]-u.start, 0), min(found[1]-u.start, len(u.text))
		if from >= len(u.text) {
			break
		}
		plain(u.text[at:from])
		all = append(all, run{text: u.text[from:to]})
		at = to
	}
	plain(u.text[at:])
	return all
}

// protectedSpans are the places in Source of what must stay. Markup may be within one: pages
// hide addresses of mail so.
func (s *Segment) protectedSpans() [][]int {
	if s.Protect == nil {
		return nil
	}
	return s.Protect.FindAllStringIndex(s.Source(), -1)
}

// byRuns writes the translation of each run in its place.
func (s *Segment) byRuns(known map[string]string) {
	for i := range s.Slots {
		if !s.Slots[i].Fixed {
			s.Slots[i].Out = "" // of those that are joined to others
		}
	}
	whole := s.protectedSpans()
	for _, u := range s.units() {
		if s.Slots[u.slot].Fixed {
			continue
		}
		var out strings.Builder
		for _, r := range s.runs(u, whole) {
			if translation := known[r.text]; r.words && translation != "" {
				out.WriteString(translation)
			} else {
				out.WriteString(r.text)
			}
		}
		s.Slots[u.slot].Out = out.String()
	}
	if !s.kept(s.Target()) {
		s.Reset() // a translation made up something like a placeholder
	}
}
