package charset

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/wlynxg/chardet"
)

// What it takes to believe in an encoding that a text does not say.
const (
	enough     = 20       // bytes beyond ASCII
	confidence = 0.7      // of the detector
	looked     = 64 << 10 // bytes
	head       = 4 << 10  // bytes in which a text says its encoding
)

// declared is where kinds of texts say their encoding: XML's declaration, HTML's meta,
// the header of a gettext catalogue, and the marks that Emacs and Vim read.
var declared = regexp.MustCompile(`(?i)(?:<\?xml[^>]+?encoding\s*=\s*["']|<meta[^>]+?charset\s*=\s*["']?|"Content-Type:[^"\n]*?charset=|-\*-[^\n]*?coding:\s*|\bvim?:[^\n]*?encoding=)([\w.:-]{2,40})`)

// Declared is the label of the encoding that a text says it has, and where the label is;
// "" where it says none.
func Declared(text string) (label string, start, end int) {
	found := declared.FindStringSubmatchIndex(text[:min(len(text), head)])
	if found == nil {
		return "", 0, 0
	}
	return text[found[2]:found[3]], found[2], found[3]
}

// Detect finds out in which encoding a text is that is no UTF-8: what it says itself
// counts, and else what its bytes are like, where they tell for certain. False where
// they do not.
func Detect(raw []byte) (Charset, bool) { return DetectIn(raw, "") }

// DetectIn is Detect for a text of which it is known, or "", which language it is in, as a
// code of ISO 639-1.
func DetectIn(raw []byte, language string) (Charset, bool) {
	label, _, _ := Declared(string(raw[:min(len(raw), head)]))
	if said, ok := Named(label); ok && said != UTF8 {
		for _, set := range []Charset{said, said.Whole()} { // Windows' programs say the lesser and write the larger
			if _, err := set.Decode(raw); err == nil {
				return set, true
			}
		}
		return said, false
	}
	if bytes.IndexByte(raw, 0) >= 0 {
		return UTF8, false
	}
	piece := lookedAt(raw)
	if set, ok := detectLatin(piece, language); ok {
		_, err := set.Decode(raw)
		return set, err == nil
	}
	high := 0
	for _, c := range piece {
		if c >= 0x80 {
			high++
		}
	}
	if high < enough {
		return UTF8, false
	}
	guess := chardet.Detect(piece)
	set, ok := Named(guess.Encoding)
	set = set.Whole()
	if !ok || set == UTF8 || guess.Confidence < confidence {
		return UTF8, false
	}
	text, err := set.Decode(raw)
	return set, err == nil && set.frequent(text)
}

// lookedAt is what is looked at of a long text: around its first byte beyond ASCII, for the
// others say nothing.
func lookedAt(raw []byte) []byte {
	first := slices.IndexFunc(raw, func(c byte) bool { return c >= 0x80 })
	from := max(0, first-looked/2)
	return raw[from:min(len(raw), from+looked)]
}
