package protect

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"dragoman/inference/text/protect/spantest"
	"dragoman/inference/text/span"
)

var marks = regexp.MustCompile(letter + `\d+`)

// fakes are models that do to stand-ins what real ones do.
var fakes = map[string]func(*rand.Rand, string) string{
	"keeps":   func(_ *rand.Rand, s string) string { return "Le " + s },
	"drops":   func(_ *rand.Rand, s string) string { return marks.ReplaceAllString(s, "") },
	"doubles": func(_ *rand.Rand, s string) string { return marks.ReplaceAllString(s, "$0 $0") },
	"spaces": func(_ *rand.Rand, s string) string {
		return marks.ReplaceAllStringFunc(s, func(m string) string { return m[:1] + " " + m[1:] })
	},
	"lowers": func(_ *rand.Rand, s string) string { return strings.ToLower(s) },
	"glues":  func(_ *rand.Rand, s string) string { return marks.ReplaceAllString(s, "${0}er") },
	"turns round": func(_ *rand.Rand, s string) string {
		words := strings.Fields(s)
		for i, j := 0, len(words)-1; i < j; i, j = i+1, j-1 {
			words[i], words[j] = words[j], words[i]
		}
		return strings.Join(words, " ")
	},
	"invents":      func(_ *rand.Rand, s string) string { return s + " {0} %s https://example.net" },
	"mixes up":     func(_ *rand.Rand, s string) string { return marks.ReplaceAllString(s, letter+"1") },
	"says nothing": func(*rand.Rand, string) string { return "" },
	"shuffles bytes": func(r *rand.Rand, s string) string {
		b := []byte(s)
		r.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
		return string(b)
	},
	"loops": func(_ *rand.Rand, s string) string { return strings.Repeat(s+" ", 5) },
}

// TestSpansAreKept has a thousand generated sentences for each way in which a
// model can fail.
func TestSpansAreKept(t *testing.T) {
	for name, fake := range fakes {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			ways := map[Way]int{}
			for _, language := range spantest.Languages {
				for _, s := range spantest.Make(language, 200, 7) {
					out, report, err := Translate(s.Text, Spans(s.Text), func(in string) (string, error) { return fake(r, in), nil })
					require.NoError(t, err)
					require.Empty(t, s.Broken(out), "%q became %q (%s)", s.Text, out, report.Way)
					require.False(t, inventive(s.Text, out), "%q became %q", s.Text, out)
					ways[report.Way]++
				}
			}
			t.Log(ways)
			require.NotZero(t, ways[Only])
			require.NotZero(t, ways[StandIn]+ways[Cut])
		})
	}
}

// TestGeneratedSpansAreFound holds the generator to what it is for.
func TestGeneratedSpansAreFound(t *testing.T) {
	for _, language := range spantest.Languages {
		for _, s := range spantest.Make(language, 300, 3) {
			for _, want := range s.Spans {
				at := strings.Index(s.Text, want)
				inside := false
				for _, f := range span.Find(s.Text) {
					inside = inside || f.Kind != span.Number && f.Start <= at && f.End >= at+len(want)
				}
				require.True(t, inside, "%q in %q", want, s.Text)
			}
		}
	}
}

// upper stands for a translation: what changed is in capitals.
func upper(s string) (string, error) {
	return marks.ReplaceAllStringFunc(strings.Map(unicode.ToUpper, s), func(m string) string { return m }), nil
}

func TestSpacesAroundSpans(t *testing.T) {
	for in, want := range map[string]string{
		"Click <b>Save</b> now.":           "CLICK <b>SAVE</b> NOW.",
		"<b>Save</b>":                      "<b>SAVE</b>",
		"Great job 👍":                      "GREAT JOB 👍",
		"{0}'s house":                      "{0}'S HOUSE",
		"open {0}/{1} now":                 "OPEN {0}/{1} NOW",
		"a<br/>b":                          "A<br/>B",
		" \"{name}\" is here.":             " \"{name}\" IS HERE.",
		"{0}":                              "{0}",
		"{0} - {1} (%s)":                   "{0} - {1} (%s)",
		"%s %s %s %s %s %s %s %s %s %s hi": "%s %s %s %s %s %s %s %s %s %s hI",
		"X1 has {0} friends":               "x1 HAS {0} FRIENDS",
	} {
		got, _, err := Translate(in, Spans(in), upper)
		require.NoError(t, err)
		require.Equal(t, strings.ToLower(want), strings.ToLower(got))
	}
}

func TestPartsAreNoSentences(t *testing.T) {
	model := func(s string) (string, error) {
		if strings.Contains(s, letter) {
			return "", nil
		}
		return map[string]string{"delete the file": "Borrar el archivo.", "now?": "¿Ahora?"}[s], nil
	}
	got, report, err := Translate("{0} delete the file {1}, now?", Spans("{0} delete the file {1}, now?"), model)
	require.NoError(t, err)
	require.Equal(t, "{0} borrar el archivo {1}, ¿Ahora?", got)
	require.Equal(t, Cut, report.Way)
}

func TestTermsAreReplaced(t *testing.T) {
	s := "The house is big."
	got, _, err := Translate(s, []Span{{Span: span.Span{Start: 4, End: 9, Kind: span.Term}, Into: "vivienda"}}, upper)
	require.NoError(t, err)
	require.Equal(t, "THE vivienda IS BIG.", got)
}

func TestErrorsOfTheModel(t *testing.T) {
	enough := errors.New("enough")
	for _, s := range []string{"plain", "with {0} in it"} {
		_, _, err := Translate(s, Spans(s), func(string) (string, error) { return "", enough })
		require.ErrorIs(t, err, enough)
	}
}

func TestKeepNumbers(t *testing.T) {
	for _, c := range [][3]string{
		{"It costs 1,234.50 euros.", "Es kostet 1.234,50 Euro.", "Es kostet 1,234.50 Euro."},
		{"At 10:30 on 3/4/2026.", "Um 10.30 am 3.4.2026.", "Um 10:30 am 3/4/2026."},
		{"In 1,000,000 cases", "En 1.000.000 casos", "En 1,000,000 casos"},
		{"It costs 1,234.50 euros at 10:30.", "Il coûte 1\u00a0234,50 EUR à 10h30.", "Il coûte 1,234.50 EUR à 10:30."},
		{"In 1,234,567 cases of 5", "Dans 1 234 567 cas de 5", "Dans 1,234,567 cas de 5"},
		{"In 12 100 cases", "Dans 12 100 cas", "Dans 12 100 cas"},
		{"5 houses", "fünf Häuser", "fünf Häuser"},
		{"5 houses", "6 Häuser", "6 Häuser"},
		{"no number", "7", "7"},
	} {
		require.Equal(t, c[2], KeepNumbers(c[0], c[1]))
	}
}

func FuzzTranslate(f *testing.F) {
	for _, s := range []string{"Hello {0}, <b>you</b>", "X1 X2 {0}", "\xff{0}\x00", "👍👍 a", "%s%s"} {
		f.Add(s, "X1 und X2")
	}
	f.Fuzz(func(t *testing.T, s, answer string) {
		for _, model := range []func(string) (string, error){
			func(string) (string, error) { return answer, nil },
			func(in string) (string, error) { return in, nil },
		} {
			out, report, err := Translate(s, Spans(s), model)
			require.NoError(t, err)
			if report.Way == None {
				continue
			}
			for _, kept := range report.Spans {
				require.Equal(t, strings.Count(s, kept), strings.Count(out, kept), "%q in %q of %q", kept, out, s)
			}
		}
	})
}

// TestManySpansTakeLinearTime would take minutes otherwise.
func TestManySpansTakeLinearTime(t *testing.T) {
	var b strings.Builder
	for i := range 30_000 {
		b.WriteString("{" + strings.Repeat("a", i%50) + strconv.Itoa(i) + "} 7 ")
	}
	s := b.String() + "word"
	out, report, err := Translate(s, Merge(Spans(s), NumberSpans(s)), func(in string) (string, error) { return in, nil })
	require.NoError(t, err)
	require.Equal(t, s, out)
	require.Len(t, report.Spans, 60_000)
}

func TestMerge(t *testing.T) {
	at := func(start, end int) Span { return Span{Span: span.Span{Start: start, End: end}} }
	require.Equal(t, []Span{at(0, 2), at(3, 5), at(6, 9)}, Merge([]Span{at(3, 5)}, []Span{at(0, 2), at(4, 6), at(6, 9)}))
	require.Equal(t, []Span{at(3, 5)}, Merge([]Span{at(3, 5)}, []Span{at(2, 6)}))
}
