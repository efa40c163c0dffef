package sentencepiece

import (
	"slices"
	"strings"
)

// symbolMatcher finds user-defined symbols, which are never normalised and
// never split. Models have few of them or none, so a list by first byte, the
// longest first, is enough.
type symbolMatcher struct {
	byFirst map[byte][]string
}

func (s *symbolMatcher) add(symbol string) {
	if s.byFirst == nil {
		s.byFirst = make(map[byte][]string)
	}
	s.byFirst[symbol[0]] = append(s.byFirst[symbol[0]], symbol)
}

func (s *symbolMatcher) sort() {
	for _, list := range s.byFirst {
		slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	}
}

// match is the length of the longest symbol that text begins with, or 0.
func (s *symbolMatcher) match(text string) int {
	if s.byFirst == nil {
		return 0
	}
	for _, symbol := range s.byFirst[text[0]] {
		if strings.HasPrefix(text, symbol) {
			return len(symbol)
		}
	}
	return 0
}
