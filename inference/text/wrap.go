package text

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// Shorter lines are verse, lists and addresses, not wrapped text.
	leastWidth = 40
	mostWidth  = 120
	// A paragraph of fewer lines may look wrapped by chance, unless its first line is as
	// long as pairWidth and a sentence goes on behind it.
	leastLines = 3
	pairWidth  = 60
	// mostLines is how many lines of a paragraph are joined at most.
	mostLines = 2000
)

// wrappedEnd returns the end of the hard-wrapped paragraph whose first line is text[pos:end], or end where it is none. In
// none of the lines that begin before from a paragraph begins either: looking there again would take quadratic time.
//
// A paragraph is hard-wrapped where each line but the last is so long that the first word of the next did not fit into
// the width, which is that of the longest line. Verse, addresses, lists and code are not.
func wrappedEnd(text string, pos, end int, r *rules) (last, from int) {
	if end-pos < leastWidth/2 || !isProse(text[pos:end], r) {
		return end, end
	}
	first := text[pos:end]
	lines, length, indent := 0, 0, ""
	// The longest line, the least width in which a next word would have fitted, and where the lines behind both begin.
	width, fitting := 0, math.MaxInt
	afterWidest, afterFitting := pos, pos
	for last = end; lines < mostLines && pos < len(text); lines++ {
		stop, next := lineEnd(text, pos)
		s := text[pos:stop]
		body := strings.TrimLeft(s, " ")
		if lines == 1 {
			indent = s[:len(s)-len(body)]
		}
		if !isProse(s, r) && !(lines > 0 && isLastWord(body, r)) || lines > 1 && s[:len(s)-len(body)] != indent {
			break
		}
		word, _, _ := strings.Cut(body, " ")
		if fits := length + 1 + utf8.RuneCountInString(word); lines > 0 && fits <= fitting {
			fitting, afterFitting = fits, pos
		}
		length = utf8.RuneCountInString(strings.TrimRight(s, " "))
		if length >= width {
			width, afterWidest = length, next
		}
		switch {
		case width > mostWidth:
			return end, next
		case fitting <= width:
			return end, min(afterWidest, afterFitting)
		}
		from, last, pos = pos, stop, next
		if next == stop {
			lines++
			break
		}
	}
	switch {
	case lines == 2 && width >= pairWidth && goesOn(first, text[from:last]):
		return last, last
	case lines < leastLines:
		return end, end
	case width < leastWidth:
		return end, from
	}
	return last, last
}

// isLastWord says whether a line has only the last word of a sentence.
func isLastWord(body string, r *rules) bool {
	c, _ := utf8.DecodeRuneInString(body)
	return unicode.IsLower(c) && isProse("a "+body, r)
}

// goesOn says whether a line ends within a sentence that the next one continues: no
// mark ends it, and the next begins with a small letter.
func goesOn(line, next string) bool {
	line = strings.TrimRightFunc(line, unicode.IsSpace)
	before, _ := utf8.DecodeLastRuneInString(line)
	after, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(next, unicode.IsSpace))
	return (unicode.IsLetter(before) || unicode.IsDigit(before) || strings.ContainsRune(",-–—)", before)) && unicode.IsLower(after)
}

// isProse says whether a line can be one of a wrapped paragraph: words, no list marker, no table, no code.
func isProse(s string, r *rules) bool {
	body := strings.TrimSpace(s)
	if body == "" || strings.ContainsAny(s, "\t|`{}=") || markerLen(body, r) > 0 || !strings.Contains(body, " ") {
		return false
	}
	letters := 0
	for _, c := range body {
		if unicode.IsLetter(c) {
			letters++
		}
	}
	return 10*letters >= 6*utf8.RuneCountInString(body) && !strings.HasSuffix(body, ";")
}

// Breaks are the line breaks within a sentence of a hard-wrapped paragraph.
type Breaks struct {
	at   []float64 // shares of the sentence's characters before each
	with []string  // the line end, and the white space around it
}

// Unwrap takes the line breaks out of a sentence, and the hyphens of words that were divided at them.
func Unwrap(sentence string) (flat string, breaks Breaks) {
	if !strings.ContainsAny(sentence, "\n\r\v\f\u0085\u2028\u2029") {
		return sentence, Breaks{}
	}
	var b strings.Builder
	total := float64(max(1, utf8.RuneCountInString(sentence)))
	done, pos := 0, 0
	for {
		end, next := lineEnd(sentence, pos)
		line := sentence[pos:end]
		if next == end {
			b.WriteString(line)
			return b.String(), breaks
		}
		start := pos + len(strings.TrimRight(line, " "))
		next = skipBlank(sentence, next, len(sentence))
		done += utf8.RuneCountInString(sentence[pos:start])
		breaks.at = append(breaks.at, float64(done)/total)
		breaks.with = append(breaks.with, sentence[start:next])
		if divided(sentence[pos:start], sentence[next:]) {
			b.WriteString(sentence[pos : start-1])
		} else {
			b.WriteString(sentence[pos:start])
			b.WriteByte(' ')
		}
		pos = next
	}
}

// divided says whether a word goes on behind a hyphen at the end of a line: "trans-", "lation". What is written with a
// hyphen anyway, as parts of names and numbers are, has a capital or digit around it.
func divided(line, next string) bool {
	before, found := strings.CutSuffix(line, "-")
	c, _ := utf8.DecodeLastRuneInString(before)
	n, _ := utf8.DecodeRuneInString(next)
	return found && unicode.IsLower(c) && unicode.IsLower(n)
}

// Wrap puts line breaks back into the translation of a sentence, about where they were, between words.
func (b Breaks) Wrap(translated string) string {
	if len(b.at) == 0 {
		return translated
	}
	var spaces []int
	for i, c := range translated {
		if c == ' ' {
			spaces = append(spaces, i)
		}
	}
	var out strings.Builder
	done := 0
	for i, share := range b.at {
		want := int(share * float64(len(translated)))
		best := -1
		for len(spaces) > 0 {
			// Nearer places are not taken from the breaks that follow.
			if best >= 0 && (abs(spaces[0]-want) > abs(best-want) || len(spaces) < len(b.at)-i) {
				break
			}
			best, spaces = spaces[0], spaces[1:]
		}
		if best < 0 { // fewer words than lines
			out.WriteString(translated[done:])
			for _, rest := range b.with[i:] {
				out.WriteString(rest)
			}
			return out.String()
		}
		out.WriteString(translated[done:best])
		out.WriteString(b.with[i])
		done = best + 1
	}
	out.WriteString(translated[done:])
	return out.String()
}
