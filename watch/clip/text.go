package clip

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// garbledShare is the share of bytes, one in so many, that may be no text
// before the whole is taken for something else, such as UTF-16 or an image.
const garbledShare = 50

// clean makes a text of what an owner gave as UTF-8. A few invalid sequences
// become U+FFFD, a byte order mark and control characters but for tab and line
// breaks go, as do NUL bytes, with which C programs end their texts. It reports
// false if too much is wrong for a text. Marks of writing direction stay: they
// belong to the text.
func clean(data []byte) (string, bool) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	data = bytes.TrimRight(data, "\x00")
	wrong := 0
	var b strings.Builder
	b.Grow(len(data))
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		i += size
		switch {
		case r == utf8.RuneError && size == 1:
			wrong++
			b.WriteRune(utf8.RuneError)
		case r == 0:
			wrong++
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == 0x7f:
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), wrong*garbledShare <= len(data) || wrong == 1 && len(data) > 4
}
