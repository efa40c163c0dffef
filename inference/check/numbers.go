package check

import (
	"strings"

	"dragoman/inference/text/span"
)

// numbersDiffer says whether target lacks a number of source, or has another
// instead. Small and round ones may become words; what separates digits may
// change, and so may the order.
func numbersDiffer(source, target string) bool {
	s, t := numbers(source), numbers(target)
	allSource, allTarget := digitsOf(source), digitsOf(target)
	missing, round, extra := 0, 0, 0
	for n, count := range s {
		switch {
		case t[n] >= count || small(n) || strings.Contains(allTarget, n) || len(n) == 4 && t[n[2:]] > 0: // 1990s, 90s
		case len(strings.TrimRight(n, "0")) == 1:
			round++
		default:
			missing++
		}
	}
	for n := range t {
		if s[n] == 0 && !small(n) && !strings.Contains(allSource, n) && (len(n) != 4 || s[n[2:]] == 0) {
			extra++
		}
	}
	// Numbers that only the translation has were words before; with the source
	// having its own as well they are wrong.
	return missing > 0 || extra > 0 && (round > 0 || len(s) > 0 && len(s) >= len(t))
}

// numbers counts the groups of digits of a text.
func numbers(s string) map[string]int {
	all := map[string]int{}
	for _, f := range span.Find(s) {
		if f.Kind == span.URL || f.Kind == span.Placeholder {
			continue
		}
		if n := strings.TrimLeft(digitsOf(s[f.Start:f.End]), "0"); n != "" {
			all[n]++
		}
	}
	return all
}

func digitsOf(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, s)
}

// small says whether languages like to write a number as a word.
func small(n string) bool { return len(n) == 1 || n == "10" || n == "11" || n == "12" }
