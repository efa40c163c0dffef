package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestCut(t *testing.T) {
	for _, test := range []struct {
		name, text string
		limit      int // in code points
		want       string
	}{
		{"fits", "Hello, world.", 20, "Hello, world."},
		{"semicolon before comma", "We went home, slept; then, rested well", 20, "We went home, slept;|then, rested well"},
		{"comma before space", "One two three, four five six seven", 25, "One two three,|four five six seven"},
		{"dash", "He came back – she had left", 20, "He came back|– she had left"},
		{"bracket", "He came back (she had left)", 20, "He came back|(she had left)"},
		{"no comma inside numbers", "about 1,000,000,000 people", 20, "about 1,000,000,000|people"},
		{"space nearest to the middle", "aaaa bbbb cccc dddd", 10, "aaaa bbbb|cccc dddd"},
		{"sentence left whole by Split", "so it was. and then, it went on", 20, "so it was.|and then, it went on"},
		{"space far from the middle", "a bbbbbbbbbbbbbbbbbb", 18, "a|bbbbbbbbbbbbbbbbbb"},
		{"inside a word", "abcdefghij", 5, "abcde|fghij"},
		{"Chinese comma", "今天天气很好，我们去公园玩", 8, "今天天气很好，|我们去公园玩"},
		{"Thai space", "สวัสดีครับ คุณสบายดี", 12, "สวัสดีครับ|คุณสบายดี"},
		{"Arabic comma", "ذهبنا إلى البيت، ثم نمنا", 18, "ذهبنا إلى البيت،|ثم نمنا"},
		{"clusters stay whole", "e\u0301e\u0301e\u0301e\u0301", 4, "e\u0301e\u0301|e\u0301e\u0301"},
		{"one long cluster", "e" + strings.Repeat("\u0301", 5), 3, "e\u0301\u0301|"},
		{"nothing fits", "ab c", 0, "a|b|c"},
		{"numbers stay", "1 2 3 4 5 6 7 8 words", 8, "words"},
		{"empty", "", 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			pieces := Cut(test.text, func(s string) bool { return utf8.RuneCountInString(s) <= test.limit })
			checkPieces(t, test.text, pieces)
			want := strings.TrimSuffix(test.want, "|")
			require.Equal(t, want, strings.Join(sentences(pieces), "|"))
		})
	}
}

func TestCutCallsAreBounded(t *testing.T) {
	for name, s := range map[string]string{
		"words":      strings.Repeat("word ", 20000) + "end",
		"one word":   strings.Repeat("x", 100000),
		"growing":    strings.Repeat("a ", 1000) + strings.Repeat("b", 100000) + strings.Repeat(" c", 1000),
		"phrases":    strings.Repeat("今天，", 10000),
		"invalid":    strings.Repeat("a\xff", 20000),
		"one letter": "a" + strings.Repeat("\u0301", 10000),
	} {
		t.Run(name, func(t *testing.T) {
			calls, bytes := 0, 0
			pieces := Cut(s, func(part string) bool {
				calls++
				bytes += len(part)
				return len(part) <= 100
			})
			checkPieces(t, s, pieces)
			require.LessOrEqual(t, calls, 2*len(sentences(pieces))+20)
			require.Less(t, bytes, 30*len(s))
		})
	}
}

func TestCutEndsWhenNothingFits(t *testing.T) {
	calls := 0
	pieces := Cut(strings.Repeat("ab ", 1000), func(string) bool { calls++; return false })
	require.Len(t, sentences(pieces), 2000)
	require.Less(t, calls, 4000)
}
