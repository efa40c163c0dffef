// Package protect keeps the parts of a sentence that must stay byte for byte
// through a translation, whatever a model does to them.
//
// The model sees a stand-in that it carries over well in place of each span.
// Where one does not come out exactly once, or something strict comes out that
// was not there, the sentence is cut around the spans and translated in parts:
// nothing is lost, doubled or invented.
//
// It knows no model; callers give a function. It must not import anything of
// ours but inference/text and what lies below it.
package protect

import (
	"slices"
	"strings"

	"dragoman/inference/text"
	"dragoman/inference/text/span"
)

// Way is how the spans of a sentence were kept.
type Way string

const (
	None    Way = ""         // there were none
	Only    Way = "only"     // there was nothing else, so that no model was asked
	StandIn Way = "stand-in" // the model carried stand-ins over
	Cut     Way = "cut"      // the sentence was translated in parts around them
)

// Report says what was done for a sentence.
type Report struct {
	Way   Way
	Spans []string
	// Kept are parts that stay as they are, because the model invented
	// something in them.
	Kept int
	// Missing are terms, of Replace, that could not be put in.
	Missing []string
}

// Span is a part to keep, or to replace by what it is in the target language.
type Span struct {
	span.Span
	Into string // what stands for it in the translation; "" is itself
}

// Spans finds what is to be kept in a sentence, numbers aside: these are left
// to the model, which needs them for the forms of the words around.
func Spans(sentence string) (spans []Span) {
	for _, s := range span.Find(sentence) {
		if s.Kind != span.Number {
			spans = append(spans, Span{Span: s})
		}
	}
	return spans
}

// Translate translates a sentence with model, which takes and gives text and
// may do anything to it. spans are in order and do not overlap.
func Translate(sentence string, spans []Span, model func(string) (string, error)) (string, Report, error) {
	if len(spans) == 0 {
		out, err := model(sentence)
		return out, Report{}, err
	}
	p := newSentence(sentence, spans)
	if !p.translatable() {
		return p.unchanged(), Report{Way: Only, Spans: p.texts()}, nil
	}
	if input, ok := p.input(); ok {
		out, err := model(input)
		if err != nil {
			return "", Report{}, err
		}
		if restored, ok := p.restore(out); ok {
			return restored, Report{Way: StandIn, Spans: p.texts()}, nil
		}
	}
	return p.inParts(model)
}

// sentence is one with its spans on the way.
type sentence struct {
	text       string
	head, tail string // pictures and tags at the ends, which the model need not see
	spans      []Span // the others; offsets are in text
	all        []Span
	whole      string
}

func newSentence(s string, spans []Span) *sentence {
	p := &sentence{text: s, whole: s, all: spans, spans: slices.Clone(spans)}
	start, end := 0, len(s)
	for len(p.spans) > 0 && ornamental(p.spans[0]) && blank(s[start:p.spans[0].Start]) {
		start = p.spans[0].End
		p.spans = p.spans[1:]
	}
	for n := len(p.spans); n > 0 && ornamental(p.spans[n-1]) && blank(s[p.spans[n-1].End:end]); n-- {
		end = p.spans[n-1].Start
		p.spans = p.spans[:n-1]
	}
	if start >= end {
		return p
	}
	inner := strings.TrimSpace(s[start:end])
	start += strings.Index(s[start:end], inner)
	p.head, p.text, p.tail = s[:start], inner, s[start+len(inner):]
	for i := range p.spans {
		p.spans[i].Start -= start
		p.spans[i].End -= start
	}
	return p
}

// ornamental says whether a span at the end of a sentence is no part of it.
func ornamental(s Span) bool {
	return s.Into == "" && (s.Kind == span.Emoji || s.Kind == span.Tag)
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// value is what stands for a span in the translation.
func (p *sentence) value(i int) string {
	if s := p.spans[i]; s.Into != "" {
		return s.Into
	}
	return p.text[p.spans[i].Start:p.spans[i].End]
}

func (p *sentence) texts() (all []string) {
	for _, s := range p.all {
		all = append(all, p.whole[s.Start:s.End])
	}
	return all
}

// gaps are the texts before, between and behind the spans.
func (p *sentence) gaps() []string {
	gaps, at := make([]string, 0, len(p.spans)+1), 0
	for _, s := range p.spans {
		gaps = append(gaps, p.text[at:s.Start])
		at = s.End
	}
	return append(gaps, p.text[at:])
}

// translatable says whether anything but spans is to be translated.
func (p *sentence) translatable() bool {
	return slices.ContainsFunc(p.gaps(), text.Translatable)
}

// unchanged is the sentence with nothing translated but terms.
func (p *sentence) unchanged() string {
	var b strings.Builder
	b.WriteString(p.head)
	for i, gap := range p.gaps() {
		b.WriteString(gap)
		if i < len(p.spans) {
			b.WriteString(p.value(i))
		}
	}
	b.WriteString(p.tail)
	return b.String()
}

// Between is what a sentence has besides its spans.
func Between(sentence string, spans []Span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(sentence[at:s.Start])
		b.WriteByte(' ')
		at = s.End
	}
	b.WriteString(sentence[at:])
	return b.String()
}

// Merge adds the spans of more that overlap none of spans. All are in order.
func Merge(spans, more []Span) []Span {
	merged := make([]Span, 0, len(spans)+len(more))
	for _, m := range more {
		for len(spans) > 0 && spans[0].End <= m.Start {
			merged = append(merged, spans[0])
			spans = spans[1:]
		}
		if len(spans) == 0 || m.End <= spans[0].Start {
			merged = append(merged, m)
		}
	}
	return append(merged, spans...)
}
