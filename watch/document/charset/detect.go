package charset

import (
	"bytes"
	"regexp"

	"github.com/wlynxg/chardet"
)

// What it takes to believe in an encoding that a text does not say.
const (
	enough     = 20       // bytes beyond ASCII
	confidence = 0.75     // of the detector; it gives Latin encodings less, and mistakes them
	looked     = 64 << 10 // bytes
	head       = 4 << 10  // bytes in which a text says its encoding
)

// declared is where kinds of texts say their encoding: XML's declaration, HTML's meta,
// the header of a gettext catalogue, and the marks that Emacs and Vim read.
var declared = regexp.MustCompile(`(?i)(?:<\?xml[^>]{1,100}?encoding\s*=\s*["']|<meta[^>]{1,200}?charset\s*=\s*["']?|"Content-Type:[^"\n]{0,100}?charset=|-\*-[^\n]{0,100}?coding:\s*|\bvim?:[^\n]{0,100}?encoding=)([\w.:-]{2,40})`)

// western are the bytes of windows-1252 that the languages of Western Europe have in
// their texts. The letters of others in like encodings are not among them, so that a long
// text with no other byte is none of theirs.
var western = func() (set [256]bool) {
	for _, c := range []byte("\x80\x82\x84\x85\x8c\x91\x92\x93\x94\x95\x96\x97\x9c\xa0\xa1\xa3\xa7\xa9\xaa\xab\xae\xb0\xb7\xba\xbb\xbf" +
		"\xc0\xc1\xc2\xc4\xc5\xc6\xc7\xc8\xc9\xca\xcb\xcd\xce\xcf\xd1\xd3\xd4\xd6\xd8\xd9\xda\xdb\xdc\xdf" +
		"\xe0\xe1\xe2\xe4\xe5\xe6\xe7\xe8\xe9\xea\xeb\xec\xed\xee\xef\xf1\xf2\xf3\xf4\xf6\xf8\xf9\xfa\xfb\xfc") {
		set[c] = true
	}
	return set
}()

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
func Detect(raw []byte) (Charset, bool) {
	label, _, _ := Declared(string(raw[:min(len(raw), head)]))
	if said, ok := Named(label); ok && said != UTF8 {
		for _, set := range []Charset{said, said.whole()} { // Windows' programs say the lesser and write the larger
			if _, err := set.Decode(raw); err == nil {
				return set, true
			}
		}
		return said, false
	}
	if bytes.IndexByte(raw, 0) >= 0 {
		return UTF8, false
	}
	high, other := 0, 0
	for _, c := range raw {
		if c >= 0x80 {
			high++
			if !western[c] {
				other++
			}
		}
	}
	if high < enough {
		return UTF8, false
	}
	guess := chardet.Detect(raw[:min(len(raw), looked)])
	set, ok := Named(guess.Encoding)
	set = set.whole()
	switch {
	case !ok || set == UTF8:
		return UTF8, false
	case guess.Confidence >= confidence && set.name != "windows-1252" && set.name != "windows-1254" && set.name != "iso-8859-15":
	case other == 0 && guess.Confidence >= 0.7 && set.name == "windows-1252":
	default:
		return UTF8, false
	}
	_, err := set.Decode(raw)
	return set, err == nil
}
