package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const letterText = `Dear Maria,

thank you for your kind letter, which I read with great pleasure on
the train. I did not know that you had moved to the coast; it must be
wonderful to see the water every morning. We will come and visit you
in the summer.

Yours
Tom
`

func TestWrappedParagraphsAreJoined(t *testing.T) {
	for _, end := range []string{"\n", "\r\n"} {
		s := strings.ReplaceAll(letterText, "\n", end)
		var sentences []string
		for _, p := range Split(s, "en") {
			if p.Kind == Sentence {
				flat, _ := Unwrap(p.Text)
				sentences = append(sentences, flat)
			}
		}
		require.Equal(t, []string{
			"Dear Maria,",
			"thank you for your kind letter, which I read with great pleasure on the train.",
			"I did not know that you had moved to the coast; it must be wonderful to see the water every morning.",
			"We will come and visit you in the summer.",
			"Yours", "Tom",
		}, sentences)
		require.Equal(t, s, joined(Split(s, "en")))
	}
}

// TestTwoLinesOfASentence are too few to look wrapped, but for what they say.
func TestTwoLinesOfASentence(t *testing.T) {
	const first = "We received all of the boxes on Tuesday, but seventeen of them were"
	for s, sentences := range map[string]int{
		first + "\ndamaged. Please look.":   2,
		first + "\n  damaged.\n\nYours":     2,
		first + "\r\ndamaged.\r\n":          1,
		first + "\nDamaged boxes":           2, // may be a heading
		first + ":\nboxes and more boxes":   2,
		first + ".\nboxes and more boxes":   2,
		"Some of them were\nbroken, I hear": 2,
		first + "\n- boxes and more":        2,
	} {
		count := 0
		for _, p := range Split(s, "en") {
			if p.Kind == Sentence {
				count++
			}
		}
		require.Equal(t, sentences, count, "%q", s)
		require.Equal(t, s, joined(Split(s, "en")))
	}
}

func joined(pieces []Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}

// TestRealBreaksStay has verse, addresses, lists, tables and code.
func TestRealBreaksStay(t *testing.T) {
	for _, s := range []string{
		"The rain is falling on the roof\nand all the birds are still\nI hear the horses by the hoof\nthat come across the hill",
		"Maria Schmidt\nLong Street Number Twelve, Second Floor\nD-12345 Some Town in the North\nGermany",
		"- the first thing that has to be done today\n- the second thing that has to be done now\n- the third thing that has to be done too",
		"int first_value = compute(the_first_argument);\nint second_value = compute(second_argument);\nint third_value = compute(third_argument_);",
		"one\ttwo\tthree\tfour\tfive\tsix\tseven and more\none\ttwo\tthree\tfour\tfive\tsix\tseven and more\none\ttwo\tthree",
		"The first line is a heading.\n\nThis is a paragraph of one line that is long enough.\n\nAnd another one.",
		"A first line of ordinary length, ended here.\nA second one which is longer than the first one by far.\nShort.",
	} {
		require.Equal(t, SplitLines(s, "en"), Split(s, "en"), s)
	}
}

// TestLinesTakeLinearTime has lists and paragraphs that turn out not to be wrapped late, which would take minutes
// otherwise.
func TestLinesTakeLinearTime(t *testing.T) {
	for _, line := range []func(i int) string{
		func(i int) string { return "This entry stands in a line of its own" + strings.Repeat(" word", i%9) },
		func(int) string { return "All of these lines are narrow" },
		func(i int) string {
			if i%1999 == 0 {
				return strings.Repeat("word ", 30)
			}
			return strings.Repeat("word ", 12)
		},
	} {
		var lines []string
		for i := range 100_000 {
			lines = append(lines, line(i))
		}
		s := strings.Join(lines, "\n")
		require.Equal(t, len(s), len(joined(Split(s, "en"))))
	}
}

func TestWrap(t *testing.T) {
	flat, breaks := Unwrap("one two three\r\n  four five six\r\n  seven")
	require.Equal(t, "one two three four five six seven", flat)
	require.Equal(t, "uno dos tres\r\n  cuatro cinco\r\n  seis siete", breaks.Wrap("uno dos tres cuatro cinco seis siete"))
	require.Equal(t, "uno\r\n  \r\n  ", breaks.Wrap("uno"))
	flat, breaks = Unwrap("trans-\nlation of Saint-\nMaur")
	require.Equal(t, "translation of Saint- Maur", flat)
	require.Equal(t, 2, strings.Count(breaks.Wrap("traducción de Saint-Maur"), "\n"))
	flat, breaks = Unwrap("plain")
	require.Equal(t, "plain", flat)
	require.Equal(t, "x y", breaks.Wrap("x y"))
}

func FuzzWrap(f *testing.F) {
	f.Add(letterText, "uno dos tres")
	f.Add("a\u2028b\xff\r\r\n", " ")
	f.Fuzz(func(t *testing.T, s, translated string) {
		require.Equal(t, s, joined(Split(s, "en")))
		flat, breaks := Unwrap(s)
		require.LessOrEqual(t, len(flat), len(s)+len(breaks.with))
		require.Equal(t, strings.Count(translated, " ")-min(strings.Count(translated, " "), len(breaks.at)), strings.Count(breaks.Wrap(translated), " ")-countSpaces(breaks))
	})
}

func countSpaces(b Breaks) (n int) {
	for _, w := range b.with {
		n += strings.Count(w, " ")
	}
	return n
}
