package text

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Cut takes apart a sentence that is too long for the model: every Sentence piece of the result fits, except a single
// character that does not fit alone. The Text of all pieces, one after the other, is exactly the input; a sentence
// that fits comes back as one piece.
//
// The sentence is halved again and again at the best place near the middle, so that no short rest is left over:
// after the mark of a sentence, then a semicolon or colon, then a comma, dash or bracket, then white space, then
// between user-perceived characters (UAX #29 grapheme clusters). fits says whether the model takes a piece, typically
// whether it encodes to at most so many tokens; it need not be monotonous. It is called less than three times a
// piece, and each byte is given to it O(log n) times.
func Cut(sentence string, fits func(string) bool) []Piece {
	c := cutter{text: sentence, fits: fits}
	c.out.text = sentence
	c.cut(0, len(sentence), nil)
	c.out.emit(Verbatim, len(sentence))
	return c.out.pieces
}

type cutter struct {
	text string
	fits func(string) bool
	out  splitter
}

// place is a possible cut: the text before it ends at end, the text after it begins at next.
type place struct {
	end, next int
	rank      rank
}

// rank orders places, the best first.
type rank int

const (
	rankStop rank = iota
	rankClause
	rankPhrase
	rankSpace
	ranks
)

// cut adds text[pos:end]. places are the possible cuts of a range that holds it, nil if not yet known.
func (c *cutter) cut(pos, end int, places []place) {
	pos = skipBlank(c.text, pos, end)
	end = pos + len(strings.TrimRightFunc(c.text[pos:end], isBlank))
	c.out.emit(Verbatim, pos)
	if pos == end {
		return
	}
	part := c.text[pos:end]
	if !Translatable(part) {
		c.out.emit(Verbatim, end)
		return
	}
	if c.fits(part) {
		c.out.emit(Sentence, end)
		return
	}
	if places == nil {
		places = cutPlaces(c.text)
	}
	at, ok := bestPlace(places, pos, end)
	if !ok {
		middle := pos + middleOf(part)
		at = place{end: middle, next: middle}
	}
	if at.end <= pos || at.next >= end {
		c.out.emit(Sentence, end) // one character: nothing left to cut
		return
	}
	c.cut(pos, at.end, within(places, pos, at.end))
	c.cut(at.next, end, within(places, at.next, end))
}

// within returns the places that lie inside text[pos:end]; the result is never nil.
func within(places []place, pos, end int) []place {
	first := sort.Search(len(places), func(i int) bool { return places[i].end > pos })
	last := sort.Search(len(places), func(i int) bool { return places[i].next >= end })
	last = max(first, last)
	return places[first:last:last]
}

// bestPlace returns the best place in the middle half of text[pos:end], of two equal ones that nearer to the middle;
// if there is none, the white space that is nearest to the middle anywhere.
func bestPlace(places []place, pos, end int) (place, bool) {
	middle := pos + (end-pos)/2
	quarter := (end - pos) / 4
	var best [ranks + 1]place // the last one is for places outside the middle half
	var found [ranks + 1]bool
	for _, p := range places {
		if p.end <= pos || p.next >= end {
			continue
		}
		distance := abs(p.end - middle)
		i := p.rank
		if distance > quarter {
			i = ranks
		}
		if !found[i] || distance < abs(best[i].end-middle) {
			best[i], found[i] = p, true
		}
	}
	for i := range best {
		if found[i] {
			return best[i], true
		}
	}
	return place{}, false
}

func abs(n int) int {
	return max(n, -n)
}

// cutPlaces finds the places of s where it may be cut between words, in order. The result is not nil.
func cutPlaces(s string) []place {
	places := []place{}
	whole := spaced(s, 0)
	for i := 0; i < len(s); {
		if len(whole) > 0 && i > whole[0].Start { // code and tags stay in one piece
			i, whole = max(i, whole[0].End), whole[1:]
			continue
		}
		c, size := utf8.DecodeRuneInString(s[i:])
		end := i + size
		if isBlank(c) {
			next := skipBlank(s, i, len(s))
			if i > 0 && next < len(s) {
				places = append(places, place{end: i, next: next, rank: spaceRank(s[:i], s[next:])})
			}
			i = next
			continue
		}
		if r, ok := unspacedRank(c); ok {
			end = skipClosers(s, end, false, false)
			if end < len(s) {
				places = append(places, place{end: end, next: end, rank: r})
			}
		}
		i = end
	}
	return places
}

// spaceRank ranks white space by the characters around it.
func spaceRank(before, after string) rank {
	last := strings.TrimRight(before[max(0, len(before)-8):], "\"'”’»)]*_")
	c, _ := utf8.DecodeLastRuneInString(last)
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case c == '.' && len(last) > 1 && last[len(last)-2] >= '0' && last[len(last)-2] <= '9':
		return rankSpace // an ordinal number of many languages
	case strings.ContainsRune(".!?…", c) || isFullStop(c):
		return rankStop
	case strings.ContainsRune(";:؛", c):
		return rankClause
	case strings.ContainsRune(",،၊፣", c):
		return rankPhrase
	case unicode.Is(unicode.Pd, next) || unicode.Is(unicode.Ps, next):
		return rankPhrase
	}
	return rankSpace
}

// unspacedRank ranks characters after which a script that is written without spaces may be cut.
func unspacedRank(c rune) (rank, bool) {
	switch c {
	case '。', '！', '？', '｡':
		return rankStop, true
	case '；', '：':
		return rankClause, true
	case '，', '、', '､', '—', '…':
		return rankPhrase, true
	}
	return 0, false
}

// middleOf returns the boundary between user-perceived characters nearest to the middle of s, or between code points
// where s is only one such character (which has no limit of length). It is 0 for a single code point.
func middleOf(s string) int {
	middle := len(s) / 2
	best, pos, state := 0, 0, -1
	for rest := s; pos < middle && rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		pos += len(cluster)
		if pos < len(s) && abs(pos-middle) <= abs(best-middle) {
			best = pos
		}
	}
	if best > 0 {
		return best
	}
	for i := range s {
		if i <= max(middle, utf8.UTFMax) && i < len(s) {
			best = i
		}
	}
	return best
}
