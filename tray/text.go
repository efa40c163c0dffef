package tray

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/bidi"
)

// Bounds of texts of others in a menu, in grapheme clusters.
const (
	shortText = 40
	shortLine = 80
)

// maxCluster bounds the runes of one grapheme cluster: a letter can carry any
// number of marks.
const maxCluster = 8

// Isolates of UAX #9: between them text has a direction of its own and cannot
// move what stands around it.
const (
	firstStrong  = "\u2068"
	popDirection = "\u2069"
)

// short returns the beginning of a text of somebody else as one line that is
// safe to show: at most limit grapheme clusters, the last an ellipsis where
// something was left out; no control characters and nothing that changes the
// direction of other text.
func short(text string, limit int) string {
	const reach = 32 // bytes looked at for each cluster; the text may have megabytes
	more := len(text) > limit*reach
	if more {
		end := limit * reach
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	text = plain(text)
	var b strings.Builder
	for n, state := 0, -1; text != ""; n++ {
		var cluster, rest string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(text, state)
		if n == limit-1 && (rest != "" || more) {
			more = true
			break
		}
		for i, r := range []rune(cluster) {
			if i < maxCluster {
				b.WriteRune(r)
			}
		}
		text = rest
	}
	if more {
		b.WriteString("…")
	}
	return isolate(b.String())
}

// plain makes text one line of valid UTF-8 without control characters.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Bidi_Control, r), r == '\uFEFF':
			return -1
		case unicode.IsControl(r), unicode.IsSpace(r):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}

// isolate keeps text that runs from right to left from reordering a label.
func isolate(text string) string {
	for i := 0; i < len(text); {
		p, size := bidi.LookupString(text[i:])
		if c := p.Class(); c == bidi.R || c == bidi.AL || c == bidi.AN {
			return firstStrong + text + popDirection
		}
		i += max(size, 1)
	}
	return text
}

// tooltip cuts a text at a grapheme cluster so that it has at most MaxTooltip
// UTF-16 units.
func tooltip(text string) string {
	units := func(s string) int { return len(utf16.Encode([]rune(s))) }
	if units(text) <= MaxTooltip {
		return text
	}
	var b strings.Builder
	left, state := MaxTooltip-1, -1
	for text != "" {
		var cluster string
		cluster, text, _, state = uniseg.FirstGraphemeClusterInString(text, state)
		if left -= units(cluster); left < 0 {
			break
		}
		b.WriteString(cluster)
	}
	return b.String() + "…"
}
