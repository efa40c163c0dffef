package span

import (
	"strconv"
	"strings"
)

// isHour says whether a number is a time of a clock with twelve hours: 9, 10:30.
func isHour(number string) bool {
	hour, minutes, found := strings.Cut(number, ":")
	h, err := strconv.Atoi(hour)
	return err == nil && h >= 1 && h <= 12 && len(hour) <= 2 && (!found || len(minutes) == 2 && minutes[0] <= '5')
}

// halfDayLen returns the length of a.m. or p.m. at the beginning of s, with a space
// before it. "am" behind a space is none: it is a word of German.
func halfDayLen(s string) int {
	rest := s
	for _, space := range spaces {
		if r, found := strings.CutPrefix(s, space); found {
			rest = r
			break
		}
	}
	spaced := len(rest) < len(s)
	for _, mark := range []string{"a.m.", "p.m.", "A.M.", "P.M.", "AM", "PM", "pm", "am"} {
		if strings.HasPrefix(rest, mark) && !(spaced && mark == "am") && (len(rest) == len(mark) || !isName(rest[len(mark)])) {
			return len(s) - len(rest) + len(mark)
		}
	}
	return 0
}

// Mornings finds the hours of English whose "am" stands behind a space, which Find
// leaves alone since it is a word of other languages.
func Mornings(text string) (spans []Span) {
	const mark = " am"
	for at := 0; ; {
		i := strings.Index(text[at:], mark)
		if i < 0 {
			return spans
		}
		start := at + i
		at += i + len(mark)
		if at < len(text) && isName(text[at]) {
			continue
		}
		number := start - len(strings.TrimLeft(lastDigits(text[:start]), ":"))
		if number < start && isHour(text[number:start]) && (number == 0 || !strings.ContainsRune(".,:-/'", rune(text[number-1])) && !isName(text[number-1])) {
			spans = append(spans, Span{number, at, Unit})
		}
	}
}

// lastDigits are the digits and colons that s ends with, few enough for an hour.
func lastDigits(s string) string {
	n := len(s)
	for n > 0 && len(s)-n < len("00:000") && (isDigit(s[n-1]) || s[n-1] == ':') {
		n--
	}
	return s[n:]
}
