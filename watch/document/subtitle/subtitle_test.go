package subtitle

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/segment/segmenttest"
)

func TestSRT(t *testing.T) {
	longer := func(s string) string { return s + " and so on" }
	for name, c := range map[string]struct {
		body, want string
		translate  func(string) string
		o          segment.Options
	}{
		"numbers and times": {"1\n00:00:01,000 --> 00:00:02,000\na\n\n4\n00:00:03,000 --> 00:00:04,000 X1:5\nb\n", "1\n00:00:01,000 --> 00:00:02,000\nA\n\n4\n00:00:03,000 --> 00:00:04,000 X1:5\nB\n", strings.ToUpper, segment.Options{}},
		"lines":             {"1\r\n00:00:01,000 --> 00:00:02,000\r\none two\r\nthree four\r\n\r\n", "1\r\n00:00:01,000 --> 00:00:02,000\r\none two three\r\nfour and so on\r\n\r\n", longer, segment.Options{}},
		"speakers":          {"1\n00:00:01,000 --> 00:00:02,000\n- a\n- b\n", "1\n00:00:01,000 --> 00:00:02,000\n- A\n- B\n", strings.ToUpper, segment.Options{}},
		"tags":              {"1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<i>a b\nc</i> d\n", "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<i>A B\nC</i> D\n", strings.ToUpper, segment.Options{}},
		"no empty line":     {"1\n00:00:01,000 --> 00:00:02,000\na\n2\n00:00:03,000 --> 00:00:04,000\nb", "1\n00:00:01,000 --> 00:00:02,000\nA\n2\n00:00:03,000 --> 00:00:04,000\nB", strings.ToUpper, segment.Options{}},
		"bilingual":         {"1\n00:00:01,000 --> 00:00:02,000\na\n\n", "1\n00:00:01,000 --> 00:00:02,000\na\nA\n\n", strings.ToUpper, segment.Options{Bilingual: true}},
		"Chinese":           {"1\n00:00:01,000 --> 00:00:02,000\nabcd\nefgh\n", "1\n00:00:01,000 --> 00:00:02,000\n中文中\n文中文\n", func(string) string { return "中文中文中文" }, segment.Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, segmenttest.Translated(t, ReadSRT, c.body, c.o, c.translate))
		})
	}
	_, err := ReadSRT("no subtitles\n")
	require.ErrorContains(t, err, "no line of times")
}

func TestVTT(t *testing.T) {
	body := "WEBVTT - a title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE a note\nof two lines\n\nintro\n00:01.000 --> 00:02.000 align:start line:0\n<v Fred>one &amp; <c.loud>two</c>\n<00:01.500>three\n\n01:00:01.000 --> 01:00:02.000\n- a\n- b\n\n2:04.08 --> 2:07\nc"
	want := "WEBVTT - a title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE a note\nof two lines\n\nintro\n00:01.000 --> 00:02.000 align:start line:0\n<v Fred>ONE &amp; <c.loud>TWO</c>\n<00:01.500>THREE\n\n01:00:01.000 --> 01:00:02.000\n- A\n- B\n\n2:04.08 --> 2:07\nC"
	require.Equal(t, want, segmenttest.Translated(t, ReadVTT, body, segment.Options{}, strings.ToUpper))
	_, err := ReadVTT("WEBVTTx")
	require.ErrorContains(t, err, "does not begin with WEBVTT")
	out := segmenttest.Translated(t, ReadVTT, "WEBVTT\n\n00:01.000 --> 00:02.000\na\n", segment.Options{}, func(string) string { return "b --> c\n\nd" })
	require.Equal(t, "WEBVTT\n\n00:01.000 --> 00:02.000\nb --&gt; c d\n", out, "no time is made up")
}
