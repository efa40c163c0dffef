package tray

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
)

func TestShort(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want string // of at most 10 grapheme clusters
	}{
		"nothing":         {"", ""},
		"fits":            {"0123456789", "0123456789"},
		"cut":             {"0123456789a", "012345678…"},
		"lines":           {" a\r\n\tb \u2028 c ", "a b c"},
		"controls":        {"a\x00\x1b[31m\x7fb\u0085", "a [31m b"},
		"not UTF-8":       {"a\xff\xfeb", "a\uFFFDb"},
		"a family":        {strings.Repeat("👨‍👩‍👧", 12), strings.Repeat("👨‍👩‍👧", 9) + "…"},
		"Hebrew":          {"שלום", "\u2068שלום\u2069"},
		"Arabic in Latin": {"to مرحبا", "\u2068to مرحبا\u2069"},
		"overrides":       {"a\u202egpj.exe\u202c\u2066b", "agpj.exeb"},
		"a lone isolate":  {"\u2068\u05d0", "\u2068\u05d0\u2069"},
		"a byte order":    {"\ufeffa", "a"},
		"many marks":      {"a" + strings.Repeat("\u0301", 300), "a" + strings.Repeat("\u0301", 7) + "…"},
		"only space":      {strings.Repeat(" ", 10_000), "…"},
		"cut in a letter": {strings.Repeat("\u0301", 159) + "a" + "\u00e9x", strings.Repeat("\u0301", 8) + "a…"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, short(test.text, 10))
		})
	}
}

func TestShortOfAnEndlessTextIsFast(t *testing.T) {
	text := strings.Repeat("x", 50<<20)
	require.Less(t, testing.AllocsPerRun(5, func() { short(text, shortText) }), 50.0)
}

func FuzzShort(f *testing.F) {
	f.Add("a\xff\u202e\u05d0👩‍👩‍👧\x00")
	f.Add(strings.Repeat("\u0301\u05d0", 400))
	f.Fuzz(func(t *testing.T, text string) {
		got := short(text, 10)
		require.True(t, utf8.ValidString(got))
		bare := strings.TrimSuffix(strings.TrimPrefix(got, firstStrong), popDirection)
		require.Equal(t, strings.HasPrefix(got, firstStrong), strings.HasSuffix(got, popDirection))
		require.LessOrEqual(t, uniseg.GraphemeClusterCount(bare), 10)
		require.LessOrEqual(t, utf8.RuneCountInString(bare), 10*maxCluster)
		for _, r := range bare {
			require.False(t, unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r), "%U", r)
		}
	})
}
