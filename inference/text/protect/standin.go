package protect

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"dragoman/inference/text/span"
)

// A stand-in is a letter and a number. Of the forms tried on the starter model
// this one came out exactly once most often, and cost the words around it
// nothing; docs/quality.md has the figures.
const letter = "X"

// mostStandIns is how many spans a sentence may have before the model is not
// trusted with them.
const mostStandIns = 9

func standIn(n int) string { return letter + strconv.Itoa(n+1) }

// IsStandIn says whether a word that goes to the model is a stand-in: its case
// must not be changed.
func IsStandIn(word string) bool {
	number, ok := strings.CutPrefix(word, letter)
	return ok && len(number) == 1 && number >= "1" && number <= "9"
}

// input is the sentence with stand-ins in place of the spans. ok is false where
// there are too many, or the sentence has such a word itself.
func (p *sentence) input() (in string, ok bool) {
	if len(p.spans) > mostStandIns {
		return "", false
	}
	var b strings.Builder
	gaps := p.gaps()
	for i, gap := range gaps {
		if i > 0 && joinsRight(gap) {
			b.WriteByte(' ')
		}
		b.WriteString(gap)
		if i == len(p.spans) {
			break
		}
		if joinsLeft(gap) || i > 0 && gap == "" {
			b.WriteByte(' ')
		}
		b.WriteString(standIn(i))
		if rest := gaps[i+1]; i == len(p.spans)-1 && strings.HasSuffix(p.value(i), ".") && !strings.ContainsFunc(rest, isWord) && !strings.Contains(rest, ".") {
			b.WriteByte('.') // of "p.m." at the end of a sentence, which restore takes away
		}
	}
	for i := range p.spans {
		for _, gap := range gaps {
			if strings.Contains(gap, standIn(i)) {
				return "", false
			}
		}
	}
	return b.String(), true
}

// joinsLeft says whether a span that follows before directly would be one word
// with it.
func joinsLeft(before string) bool {
	c, _ := utf8.DecodeLastRuneInString(before)
	return isWord(c)
}

// joinsRight is the same of what follows a span.
func joinsRight(after string) bool {
	c, _ := utf8.DecodeRuneInString(after)
	return isWord(c)
}

func isWord(c rune) bool {
	return c != utf8.RuneError && (unicode.IsLetter(c) || unicode.IsDigit(c)) && !span.Unspaced(c)
}

// restore puts the spans back in the place of their stand-ins. ok says that each
// was there exactly once, that tags kept their order, and that nothing strict
// was lost or invented.
func (p *sentence) restore(out string) (restored string, ok bool) {
	places := make([]int, len(p.spans))
	last := -1
	for i := range p.spans {
		at, once := findOnce(out, standIn(i))
		if !once {
			return "", false
		}
		places[i] = at
		if p.spans[i].Kind == span.Tag {
			if at < last {
				return "", false
			}
			last = at
		}
	}
	gaps := p.gaps()
	// Back to front, so that the places before stay right.
	for _, i := range descending(places) {
		before, after := out[:places[i]], out[places[i]+len(standIn(i)):]
		// A space that was only for the model's eyes goes again.
		if joinsLeft(gaps[i]) || i > 0 && gaps[i] == "" {
			before = strings.TrimRightFunc(before, unicode.IsSpace)
		}
		if joinsRight(gaps[i+1]) {
			after = strings.TrimLeftFunc(after, unicode.IsSpace)
		}
		value := p.value(i)
		if p.spans[i].Kind == span.Term && strings.TrimSpace(before) == "" {
			value = capital(value)
		}
		if strings.HasSuffix(value, ".") && strings.HasPrefix(after, ".") && !strings.HasPrefix(after, "..") {
			after = after[1:] // the stop of "p.m." ends the sentence as well
		}
		out = before + value + after
	}
	restored = p.head + out + p.tail
	return restored, p.faithful(restored)
}

// capital writes a term as the first word of a sentence.
func capital(s string) string {
	c, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(c)) + s[size:]
}

// descending returns the indexes of places, the last place first.
func descending(places []int) []int {
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
		for j := i; j > 0 && places[order[j]] > places[order[j-1]]; j-- {
			order[j], order[j-1] = order[j-1], order[j]
		}
	}
	return order
}

// findOnce finds a stand-in that stands by itself, exactly once.
func findOnce(s, mark string) (at int, once bool) {
	at = -1
	for from := 0; ; {
		i := strings.Index(s[from:], mark)
		if i < 0 {
			return at, at >= 0
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+len(mark):])
		if at >= 0 || joins(before) || joins(after) {
			return -1, false
		}
		at, from = i, i+len(mark)
	}
}

// joins says whether c next to a stand-in makes another word of it. Particles
// of scripts other than Latin may touch it.
func joins(c rune) bool {
	return unicode.IsDigit(c) || c == '_' || unicode.Is(unicode.Latin, c)
}
