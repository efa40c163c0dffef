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
	found := span.Find(out)
	for i := 0; i < len(found); i++ {
		n, last := numeral(out, found, i)
		if n == "" {
			continue
		}
		if as := missing[digits(n)]; as != "" && !strings.Contains(source, n) {
			b.WriteString(out[at:found[i].Start])
			b.WriteString(as)
			at = found[last].End
			i = last
		}
	}
	b.WriteString(out[at:])
	return b.String()
}

// numeral is the number that begins with the i-th span of a text, and the last
// of its spans: thousands may be set apart by spaces, and 10h30 is a time. It is
// "" for other spans.
func numeral(text string, spans []span.Span, i int) (number string, last int) {
	f := spans[i]
	number = text[f.Start:f.End]
	switch f.Kind {
	case span.Number, span.Version:
	case span.Name:
		hours, minutes, ok := strings.Cut(number, "h")
		if !ok || digits(hours) != hours || digits(minutes) != minutes {
			return "", i
		}
		return number, i
	default:
		return "", i
	}
	for last = i; last+1 < len(spans) && len(digits(text[spans[last].Start:spans[last].End])) <= 3; last++ {
		next := spans[last+1]
		group, _, _ := strings.Cut(strings.ReplaceAll(text[next.Start:next.End], ".", ","), ",")
		switch text[spans[last].End:next.Start] {
		case " ", "\u00a0", "\u202f":
		default:
			return text[f.Start:spans[last].End], last
		}
		if len(group) != 3 || digits(group) != group {
			break
		}
	}
	return text[f.Start:spans[last].End], last
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
