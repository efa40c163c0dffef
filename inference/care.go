package inference

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dragoman/inference/check"
	"dragoman/inference/glossary"
	"dragoman/inference/language"
	"dragoman/inference/text"
	"dragoman/inference/text/casing"
	"dragoman/inference/text/protect"
	"dragoman/inference/text/span"
)

// care is what is done around the model for one sentence: what must stay is
// kept, the result is looked at, and tried again where it seems wrong.
type care struct {
	from, to string
	without  Rules
	stats    *Stats
	model    func(string) (string, error)
	unknown  func(word string) bool // to the model
	name     func(word string) bool // that the model knows better with a capital
	glossary *glossary.Glossary
	explain  func(what string, details []string) // nil where nobody wants to know
}

func (c *care) has(rule Rules) bool { return c.without&rule == 0 }

// translate returns the translation of a sentence and what is doubtful about it.
func (c *care) translate(sentence string) (string, []check.Kind, error) {
	kept := c.stats.Kept
	keep, put := c.terms(sentence)
	spans := protect.Merge(keep, c.spans(sentence))
	out, way, err := c.once(sentence, spans)
	if err != nil {
		return "", nil, err
	}
	// The model's own words have the better grammar: terms are put in only where
	// it has others.
	insist := !hasAll(out, put)
	if insist {
		c.note("terms of the glossary put in", values(put)...)
		c.stats.Terms += len(put)
		spans = protect.Merge(put, spans)
		if out, way, err = c.once(sentence, spans); err != nil {
			return "", nil, err
		}
	} else {
		out = inOwnCase(out, put)
	}
	switch {
	case way == protect.None && c.stats.Kept > kept:
		return sentence, nil, nil // to the letter
	case !c.has(Checks) || way == protect.Only || c.stats.Kept > kept:
		return out, nil, nil // what was kept is no translation
	}
	doubts := c.check(sentence, out)
	for _, again := range c.otherWays(sentence, spans, insist, doubts) {
		if len(doubts) == 0 {
			break
		}
		c.stats.Retried++
		c.note("tried again", explanations(doubts)...)
		other, err := again()
		if err != nil {
			return "", nil, err
		}
		if d := c.check(sentence, other); len(d) < len(doubts) && protect.Faithful(sentence, spans, other) && hasAll(other, put) {
			out, doubts = inOwnCase(other, put), d
		}
	}
	if len(doubts) > 0 {
		c.stats.Doubtful++
		c.note("low quality", explanations(doubts)...)
	}
	return out, doubts, nil
}

func explanations(doubts []check.Kind) (all []string) {
	for _, d := range doubts {
		all = append(all, d.Explain())
	}
	return all
}

func (c *care) check(sentence, out string) []check.Kind {
	return check.Sentence(sentence, out, c.from, c.to)
}

// once is one try.
func (c *care) once(sentence string, spans []protect.Span) (string, protect.Way, error) {
	out, report, err := protect.Translate(sentence, spans, c.plainly(sentence, spans))
	if err != nil {
		return "", "", err
	}
	c.stats.Protected += len(report.Spans)
	switch report.Way {
	case protect.Only:
		c.note("left as it is, there is nothing to translate besides", report.Spans...)
	case protect.StandIn:
		c.note("kept byte for byte", report.Spans...)
	case protect.Cut:
		c.stats.CutAround++
		c.note("translated in parts around", report.Spans...)
	}
	if c.has(Numbers) {
		out = protect.KeepNumbers(sentence, out)
	}
	if c.has(Marks) {
		out = withMark(sentence, withoutStop(sentence, out))
	}
	if c.has(Case) {
		out = withCapital(sentence, out, spans)
	}
	return out, report.Way, nil
}

// terms are the glossary's in a sentence: those that stay, and those that have
// a translation.
func (c *care) terms(sentence string) (keep, put []protect.Span) {
	for _, m := range c.glossary.Find(sentence, c.from, c.to) {
		term := protect.Span{Span: span.Span{Start: m.Start, End: m.End, Kind: span.Term}, Into: m.Target}
		if m.Target == sentence[m.Start:m.End] {
			keep = append(keep, term)
		} else {
			put = append(put, term)
		}
	}
	return keep, put
}

// hasAll says whether a translation has all terms, in any case.
func hasAll(out string, terms []protect.Span) bool {
	lower := strings.ToLower(out)
	for _, t := range terms {
		if !strings.Contains(lower, strings.ToLower(t.Into)) {
			return false
		}
	}
	return true
}

// inOwnCase writes terms of the model's own as the glossary writes them, where their
// case matters.
func inOwnCase(out string, terms []protect.Span) string {
	for _, t := range terms {
		out = glossary.InOwnCase(out, t.Into)
	}
	return out
}

func values(terms []protect.Span) (all []string) {
	for _, t := range terms {
		all = append(all, t.Into)
	}
	return all
}

// note tells what was done, where somebody wants to know.
func (c *care) note(what string, details ...string) {
	if c.explain != nil {
		c.explain(what, details)
	}
}

// plainly is the model for a sentence whose capitals it need not see.
func (c *care) plainly(sentence string, spans []protect.Span) func(string) (string, error) {
	if !c.has(Case) {
		return c.model
	}
	form := casing.Of(protect.Between(sentence, spans), c.from, protect.IsStandIn)
	if form == casing.Plain {
		return c.calmly
	}
	c.stats.Recased++
	c.note("translated in small letters, the capitals given back")
	return func(s string) (string, error) {
		out, err := c.model(casing.Lower(s, c.from, protect.IsStandIn, c.name))
		return casing.Restore(out, form, c.to, protect.IsStandIn), err
	}
}

// calmly is the model for a sentence that may stress words by capitals.
func (c *care) calmly(sentence string) (string, error) {
	calm, stressed := casing.Calm(sentence, c.from)
	if stressed {
		c.note("stressed words translated in small letters")
	}
	return c.model(calm)
}

// spans are what must stay in a sentence: what programs read, and words in a
// script of other languages that the model has no letters for and would leave
// out. Of words with a strange accent it makes something by itself.
func (c *care) spans(sentence string) []protect.Span {
	if !c.has(Spans) {
		return nil
	}
	spans := protect.Spans(sentence)
	if c.from == "en" {
		var mornings []protect.Span
		for _, m := range span.Mornings(sentence) {
			mornings = append(mornings, protect.Span{Span: m})
		}
		spans = protect.Merge(spans, mornings)
	}
	if c.unknown(sentence) {
		spans = protect.Merge(spans, c.unknownWords(sentence))
	}
	return spans
}

// mostUnknown is how many words at most are looked at one by one.
const mostUnknown = 200

func (c *care) unknownWords(sentence string) (spans []protect.Span) {
	at, known := 0, false
	for range mostUnknown {
		start := at + strings.IndexFunc(sentence[at:], isWordLetter)
		if start < at {
			break
		}
		end := len(sentence)
		if n := strings.IndexFunc(sentence[start:], func(r rune) bool { return !isWordLetter(r) && !unicode.Is(unicode.M, r) }); n >= 0 {
			end = start + n
		}
		if share, letters := language.Written(sentence[start:end], c.from); share == 0 && letters > 0 && c.unknown(sentence[start:end]) {
			spans = append(spans, protect.Span{Span: span.Span{Start: start, End: end, Kind: span.Name}})
		} else {
			known = true
		}
		at = end
	}
	if !known { // a sentence of which nothing is known is no case for stand-ins
		return nil
	}
	return spans
}

func isWordLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// otherWays are further tries for a sentence whose translation has doubts.
func (c *care) otherWays(sentence string, spans []protect.Span, insist bool, doubts []check.Kind) (ways []func() (string, error)) {
	if len(doubts) == 0 {
		return nil
	}
	if slices.Contains(doubts, check.Numbers) && c.has(Spans) {
		ways = append(ways, func() (string, error) {
			out, _, err := c.once(sentence, protect.Merge(spans, protect.NumberSpans(sentence)))
			return out, err
		})
	}
	if parts := halves(sentence); parts != nil {
		ways = append(ways, func() (string, error) { return c.inParts(parts, insist) })
	}
	return ways
}

// halves are two parts of a sentence or more, cut at good places; nil where
// only a word could be cut, of which no model makes anything.
func halves(sentence string) []text.Piece {
	half := (len(sentence) + 1) / 2
	parts := text.Cut(sentence, func(part string) bool { return len(part) <= half+half/2 })
	if len(parts) < 2 {
		return nil
	}
	for i, p := range parts[1:] {
		before, _ := utf8.DecodeLastRuneInString(parts[i].Text)
		if after, _ := utf8.DecodeRuneInString(p.Text); isWordLetter(before) && isWordLetter(after) && !span.Unspaced(before) {
			return nil
		}
	}
	return parts
}

// inParts translates the parts of a sentence one by one, with the glossary's
// terms put in where the sentence needed that.
func (c *care) inParts(parts []text.Piece, insist bool) (string, error) {
	var translated []string
	for _, p := range parts {
		if p.Kind != text.Sentence {
			continue
		}
		terms, put := c.terms(p.Text)
		if insist {
			terms = protect.Merge(put, terms)
		}
		out, _, err := c.once(p.Text, protect.Merge(terms, c.spans(p.Text)))
		if err != nil {
			return "", err
		}
		translated = append(translated, out)
	}
	return text.Join(parts, translated, c.from, c.to), nil
}
