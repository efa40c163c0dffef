package span

import (
	"iter"
	"unicode"
)

// Words goes over the runs of letters, digits and marks of a text, by their first byte and
// the one behind.
func Words(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		start := -1
		for i, c := range text {
			part := unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.Is(unicode.M, c)
			if part && start < 0 {
				start = i
			}
			if !part && start >= 0 {
				if !yield(start, i) {
					return
				}
				start = -1
			}
		}
		if start >= 0 {
			yield(start, len(text))
		}
	}
}
