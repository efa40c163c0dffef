package subtitle

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/segment/segmenttest"
)

func TestASS(t *testing.T) {
	const head = "[Script Info]\nTitle: x\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
	const at = "Dialogue: 0,0:00:01.00,0:00:02.00,Default,Bob,0,0,0,,"
	for name, c := range map[string]struct {
		body, want string
		translate  func(string) string
		o          segment.Options
	}{
		"commas":     {head + at + "a, b\r\n", head + at + "A, B\r\n", strings.ToUpper, segment.Options{}},
		"breaks":     {head + at + `one two\Nthree four` + "\n", head + at + `one two three\Nfour and so on` + "\n", func(s string) string { return s + " and so on" }, segment.Options{}},
		"overrides":  {head + at + `{\an8\c&HFF&}a {\i1}b{\i0} c`, head + at + `{\an8\c&HFF&}A {\i1}B{\i0} C`, strings.ToUpper, segment.Options{}},
		"drawing":    {head + at + `{\p1}m 0 0 l 1 1{\p0}a`, head + at + `{\p1}m 0 0 l 1 1{\p0}A`, strings.ToUpper, segment.Options{}},
		"position":   {head + at + `{\pos(1,2)}a`, head + at + `{\pos(1,2)}A`, strings.ToUpper, segment.Options{}},
		"hard space": {head + at + `a\hb`, head + at + `A\hB`, strings.ToUpper, segment.Options{}},
		"speakers":   {head + at + `- a\N- b`, head + at + `- A\N- B`, strings.ToUpper, segment.Options{}},
		"comments":   {head + "Comment: 0,0,0,D,,0,0,0,,a\n" + at + "{b}c", head + "Comment: 0,0,0,D,,0,0,0,,a\n" + at + "{b}C", strings.ToUpper, segment.Options{}},
		"no markup":  {head + at + "a", head + at + "(b) \\\u2060N c", func(string) string { return `{b} \N c` }, segment.Options{}},
		"bilingual":  {head + at + "a\n", head + at + `a\NA` + "\n", strings.ToUpper, segment.Options{Bilingual: true}},
		"version 4":  {"[Events]\nFormat: Marked, Start, Text\nDialogue: Marked=0,0,a, b\n", "[Events]\nFormat: Marked, Start, Text\nDialogue: Marked=0,0,A, B\n", strings.ToUpper, segment.Options{}},
		"cut off":    {head + "Dialogue: 0,0:00:01.00\nDialogue:", head + "Dialogue: 0,0:00:01.00\nDialogue:", strings.ToUpper, segment.Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, segmenttest.Translated(t, ReadASS, c.body, c.o, c.translate))
		})
	}
	_, err := ReadASS("no subtitles\n")
	require.ErrorContains(t, err, "no line of dialogue")
	_, err = ReadASS("[Events]\nFormat: Text, Start\n")
	require.ErrorContains(t, err, "not the last field")
	require.True(t, IsASS("; made by hand\n[script info]\n"))
	require.False(t, IsASS("[Script]\n"))
}
