package text

import (
	"strings"
	"unicode/utf8"

	"dragoman/inference/text/span"
)

// bars returns the offsets of the bars that part texts, as in titles of pages ("Chairs | The shop") and in tables that
// are drawn with characters: models lose them. Such a bar has white space on both sides, and is neither in brackets nor
// in one of the spans. Offsets are those of s and offset.
func bars(s string, offset int, spans []span.Span) (found []int) {
	if strings.IndexByte(s, '|') < 0 {
		return nil
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		for len(spans) > 0 && spans[0].End <= offset+i {
			spans = spans[1:]
		}
		if len(spans) > 0 && spans[0].Start <= offset+i {
			i = spans[0].End - offset - 1
			continue
		}
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(depth-1, 0)
		case '|':
			if depth == 0 && endsBlank(s[:i]) && (i+1 == len(s) || skipBlank(s, i+1, len(s)) > i+1) {
				found = append(found, offset+i)
			}
		}
	}
	return found
}

// endsBlank says whether s is empty or ends with white space.
func endsBlank(s string) bool {
	c, size := utf8.DecodeLastRuneInString(s)
	return size == 0 || isBlank(c)
}
