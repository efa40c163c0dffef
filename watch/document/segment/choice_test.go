package segment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/segment/segmenttest"
)

// upper is upper case but for what must stay.
func upper(text string) string {
	var b strings.Builder
	at := 0
	for _, found := range segment.InMessages.FindAllStringIndex(text, -1) {
		b.WriteString(strings.ToUpper(text[at:found[0]]) + text[found[0]:found[1]])
		at = found[1]
	}
	return b.String() + strings.ToUpper(text[at:])
}

func message(texts ...string) *segment.Segment {
	s := &segment.Segment{Protect: segment.InMessages}
	for i, text := range texts {
		s.Slots = append(s.Slots, segment.Slot{Text: text, Style: i})
	}
	return s
}

func TestTextsThatAreChosen(t *testing.T) {
	for in, want := range map[string]string{
		"now {n, plural, =0{no files} one {# file of {name}} other{{n} files}} here": "NOW {n, plural, =0{NO FILES} one {# FILE OF {name}} other{{n} FILES}} HERE",
		"{g, select, male{he {n, plural, other{has # cars}}} other{they}}":           "{g, select, male{HE {n, plural, other{HAS # CARS}}} other{THEY}}",
		"{0,choice,0#no files|1#one file|1<{0,number} files} left":                   "{0,choice,0#NO FILES|1#ONE FILE|1<{0,number} FILES} LEFT",
		"no cars | one car | {count} cars":                                           "NO CARS | ONE CAR | {count} CARS",
		"a {{ b | c }} d|e":                                                          "A {{ b | c }} D|E",
		"|":                                                                          "|",
		"{n, plural, one{a":                                                          "{n, plural, one{a",
		"{n, select, other{}}":                                                       "{n, select, other{}}",
	} {
		s := message(in)
		require.NoError(t, segment.Translate(t.Context(), []*segment.Segment{s}, segmenttest.ByLines(upper)))
		require.Equal(t, want, s.Target(), in)
	}
}

// Choices that are deep in others were written by nobody, and stay.
func TestDeepChoices(t *testing.T) {
	in := strings.Repeat("{n, plural, other {", 100_000) + "two words" + strings.Repeat("}}", 100_000)
	s := message(in)
	require.NoError(t, segment.Translate(t.Context(), []*segment.Segment{s}, segmenttest.ByLines(upper)))
	s.Complete([]string{"one", "other"}, nil)
	require.Equal(t, in, s.Target())
}

// Each text is asked for by itself, and markup in it stays where it is.
func TestChosenTextsWithMarkup(t *testing.T) {
	s := message("{n, plural, one {a ", "bold", " word} other {some words}}")
	var asked []string
	err := segment.Translate(t.Context(), []*segment.Segment{s}, segmenttest.ByLines(func(text string) string {
		asked = append(asked, text)
		return upper(text)
	}))
	require.NoError(t, err)
	require.Equal(t, []string{"a bold word", "", "some words"}, asked[:3])
	require.Equal(t, "{n, plural, one {A |BOLD| WORD} other {SOME WORDS}}", s.Slots[0].Out+"|"+s.Slots[1].Out+"|"+s.Slots[2].Out)
}

// A translation with a brace or a bar too many would be another message, and one with an
// apostrophe before a brace would show it.
func TestMarksOfChoicesStay(t *testing.T) {
	for says, want := range map[string]string{"x|y": "a {n} b|C", "x}": "a {n} b|C", "l'{n} x": "l’{n} x|C"} {
		s := message("a {n} b|c")
		require.NoError(t, segment.Translate(t.Context(), []*segment.Segment{s}, segmenttest.ByLines(func(text string) string {
			switch text {
			case "a {n} b":
				return says
			case "c":
				return "C"
			}
			return text
		})))
		require.Equal(t, want, s.Target(), says)
	}
}

func TestFormsThatOnlyTheTargetHas(t *testing.T) {
	for in, want := range map[string]string{
		"a {n, plural, =0{none} one{# file} other {# files}} b": "A {n, plural, =0{NONE} one{# FILE} few {# FILES} other {# FILES}} B",
		"{n, selectordinal,one{#st} other{#th}}":                "{n, selectordinal,one{#ST} many{#TH} other{#TH}}",
		"{g, select, a{b} other{c}}":                            "{g, select, a{B} other{C}}",
		"{n, plural, one{b}}":                                   "{n, plural, one{B}}",
		"{n,plural,other{b {n,plural,other{c}}}}":               "{n,plural,one{B {n,plural,other{C}}} few{B {n,plural,other{C}}} other{B {n,plural,other{C}}}}",
		"{n,plural,\n  one{b}\n  other{c}\n}":                   "{n,plural,\n  one{B}\n  few{C}\n  other{C}\n}",
	} {
		s := message(in)
		require.NoError(t, segment.Translate(t.Context(), []*segment.Segment{s}, segmenttest.ByLines(upper)))
		s.Complete([]string{"one", "few", "other"}, []string{"many", "other"})
		require.Equal(t, want, s.Target(), in)
		s.Reset()
		s.Complete([]string{"one", "few", "other"}, nil)
		require.Equal(t, in, s.Target(), "what was not translated stays")
	}
}
