package clip

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"Guten Tag":                       "Guten Tag",
		"Guten Tag\x00":                   "Guten Tag",
		"\xef\xbb\xbfGuten Tag":           "Guten Tag",
		"a\tb\r\nc":                       "a\tb\r\nc",
		"\x1b[31mred\x1b[0m\x7f":          "[31mred[0m",
		"Gr\xfcn ist die Farbe":           "Gr\ufffdn ist die Farbe",
		"one\x00two and more words":       "onetwo and more words",
		"\u202babc\u202c \u200fשלום":      "\u202babc\u202c \u200fשלום",
		"":                                "",
		"the real replacement: \ufffd \n": "the real replacement: \ufffd \n",
	} {
		got, ok := clean([]byte(in))
		require.True(t, ok, "%q", in)
		require.Equal(t, want, got)
	}
}

func TestCleanRefusesWhatIsNoText(t *testing.T) {
	var utf16le []byte
	for _, u := range utf16.Encode([]rune("Guten Tag, wie geht es?")) {
		utf16le = append(utf16le, byte(u), byte(u>>8))
	}
	for name, in := range map[string][]byte{
		"UTF-16": utf16le,
		"PNG":    []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x04\x00"),
		"noise":  []byte(strings.Repeat("\xff\xfe\x80a", 100)),
	} {
		_, ok := clean(in)
		require.False(t, ok, name)
	}
}

func FuzzClean(f *testing.F) {
	f.Add([]byte("Guten Tag\x00"))
	f.Add([]byte("\xff\xfeG\x00u\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, _ := clean(data)
		require.True(t, utf8.ValidString(text))
		require.NotContains(t, text, "\x00")
	})
}
