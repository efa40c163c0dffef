package win32

import (
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"dragoman/watch/clip/selection"
)

func TestFromUTF16(t *testing.T) {
	units := func(s string, more ...uint16) []uint16 { return append(utf16.Encode([]rune(s)), more...) }
	for name, c := range map[string]struct {
		units []uint16
		limit int
		text  string
		size  int // of TooLong
	}{
		"nothing":                      {units: nil, limit: 9},
		"an empty text":                {units: units("", 0), limit: 9},
		"a text":                       {units: units("Grüße, 学习 😀", 0), limit: 99, text: "Grüße, 学习 😀"},
		"what follows its end":         {units: units("Tag", 0, 'x', 0), limit: 3, text: "Tag"},
		"without its end":              {units: units("Tag"), limit: 3, text: "Tag"},
		"half a character":             {units: units("a", 0xd83d, 'b', 0xde00, 0), limit: 99, text: "a\ufffdb\ufffd"},
		"half a character, cut":        {units: units("a", 0xd83d), limit: 99, text: "a\ufffd"},
		"too long":                     {units: units("Guten Tag", 0), limit: 8, size: 9},
		"too long as UTF-8":            {units: units("Grüße", 0), limit: 6, size: 7},
		"too long without its end":     {units: units("Guten Tag"), limit: 8, size: 8},
		"a small text in a large room": {units: append(units("Tag", 0), make([]uint16, 1000)...), limit: 3, text: "Tag"},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := fromUTF16(c.units, c.limit)
			if c.size > 0 {
				require.Equal(t, selection.TooLong{Size: c.size}, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.text, string(text))
		})
	}
}

func TestToUTF16(t *testing.T) {
	for in, want := range map[string]string{
		"":                  "\x00",
		"one\ntwo\r\nend":   "one\r\ntwo\r\nend\x00",
		"\n\n":              "\r\n\r\n\x00",
		"not\x00the end":    "notthe end\x00",
		"Grüße, 学习 😀":       "Grüße, 学习 😀\x00",
		"old Mac\rcarriage": "old Mac\rcarriage\x00",
	} {
		require.Equal(t, utf16.Encode([]rune(want)), toUTF16(in), "%q", in)
	}
}
