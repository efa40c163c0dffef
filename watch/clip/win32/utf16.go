package win32

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"dragoman/watch/clip/selection"
)

// fromUTF16 returns units up to the NUL that ends them as UTF-8, or a TooLong
// without having looked at more than limit of them: each becomes a byte or more.
func fromUTF16(units []uint16, limit int) ([]byte, error) {
	end := slices.Index(units[:min(len(units), limit+1)], 0)
	switch {
	case end >= 0:
	case len(units) > limit:
		return nil, selection.TooLong{Size: len(units) - 1}
	default:
		end = len(units)
	}
	text := make([]byte, 0, end+end/8)
	for at := 0; at < end; at++ {
		r := rune(units[at])
		if utf16.IsSurrogate(r) {
			next := rune(0)
			if at+1 < end {
				next = rune(units[at+1])
			}
			if r = utf16.DecodeRune(r, next); r != utf8.RuneError {
				at++
			}
		}
		text = utf8.AppendRune(text, r)
	}
	if len(text) > limit {
		return nil, selection.TooLong{Size: len(text)}
	}
	return text, nil
}

// toUTF16 returns text as CF_UNICODETEXT has it: lines end with CR LF, the whole
// with NUL, which therefore cannot be in it.
func toUTF16(text string) []uint16 {
	text = strings.NewReplacer("\r\n", "\r\n", "\n", "\r\n", "\x00", "").Replace(text)
	return append(utf16.Encode([]rune(text)), 0)
}
