package protect

import (
	"strings"

	"dragoman/inference/text/span"
)

// Numbers are those of a text that stand by themselves, as they are written.
func Numbers(s string) (numbers []string) {
	for _, f := range span.Find(s) {
		if f.Kind == span.Number {
			numbers = append(numbers, s[f.Start:f.End])
		}
	}
	return numbers
}

// KeepNumbers writes the numbers of a translation as its source writes them,
// where they have the same digits: 1.234,5 becomes 1,234.5 again. A number that
// the source does not have is left alone.
func KeepNumbers(source, out string) string {
	missing := map[string]string{} // by digits; "" where two numbers have the same
	for _, n := range Numbers(source) {
		if !strings.Contains(out, n) {
			key := digits(n)
			if other, ok := missing[key]; ok && other != n {
				n = ""
			}
			missing[key] = n
		}
	}
	if len(missing) == 0 {
		return out
	}
	var b strings.Builder
	at := 0
	for _, f := range span.Find(out) {
		n := out[f.Start:f.End]
		if f.Kind != span.Number && f.Kind != span.Version {
			continue
		}
		if as := missing[digits(n)]; as != "" && !strings.Contains(source, n) {
			b.WriteString(out[at:f.Start])
			b.WriteString(as)
			at = f.End
		}
	}
	b.WriteString(out[at:])
	return b.String()
}

// digits is a number without its separators.
func digits(number string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, number)
}

// NumberSpans are the numbers of a sentence as spans to keep.
func NumberSpans(sentence string) (spans []Span) {
	for _, s := range span.Find(sentence) {
		if s.Kind == span.Number {
			spans = append(spans, Span{Span: s})
		}
	}
	return spans
}
