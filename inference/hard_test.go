package inference

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"dragoman/inference/check"
	"dragoman/inference/language"
	"dragoman/inference/text"
	"dragoman/inference/text/span"
)

// hardInput is one line of testdata/hard.tsv.
type hardInput struct {
	line           int
	source         string // of the report
	from, to, text string
	properties     []string
}

func hardInputs(t *testing.T) (all []hardInput) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "hard.tsv"))
	require.NoError(t, err)
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		require.Len(t, f, 5, "line %d", i+1)
		in := hardInput{line: i + 1, source: f[0], from: f[1], to: f[2], properties: strings.Fields(f[3])}
		require.NoError(t, json.Unmarshal([]byte(f[4]), &in.text), "line %d", i+1)
		require.Regexp(t, `^[\w.-]+/[\w.-]+#\d+$`, in.source)
		all = append(all, in)
	}
	require.GreaterOrEqual(t, len(all), 300)
	return all
}

// TestHardInputs has what other translators were reported to break. Short runs
// take every fourth of those that need the model.
func TestHardInputs(t *testing.T) {
	tr := open(t, Options{})
	models := 0
	for _, in := range hardInputs(t) {
		if name, value, _ := strings.Cut(in.properties[0], "="); name == "pieces" || name == "detect" {
			in.checkWithoutModel(t, name, value)
			continue
		}
		if in.properties[0] != "same" {
			if models++; testing.Short() && models%4 != 0 {
				continue
			}
		}
		r := translate(t, tr, in.from, in.to, in.text)
		for _, p := range in.properties {
			name, value, _ := strings.Cut(p, "=")
			if !in.holds(name, value, r) {
				t.Errorf("line %d (%s): %s does not hold of %q, which became %q", in.line, in.source, p, in.text, r.Text)
			}
		}
	}
}

func (in hardInput) checkWithoutModel(t *testing.T, name, value string) {
	t.Helper()
	if name == "detect" {
		found := language.Detect(in.text, strings.Fields("ar de en es fr he hi it ja ko nl pt ru zh")).Language
		require.Equal(t, strings.Trim(value, "-"), found, "line %d", in.line)
		return
	}
	var sentences []string
	for _, p := range text.Split(in.text, in.from) {
		if p.Kind == text.Sentence {
			sentences = append(sentences, p.Text)
		}
	}
	want, err := strconv.Atoi(value)
	require.NoError(t, err)
	require.Len(t, sentences, want, "line %d: %q", in.line, sentences)
}

// holds tells whether a property holds of a translation.
func (in hardInput) holds(property, value string, r Result) bool {
	switch property {
	case "same": // it is returned unchanged, and no model was asked
		return r.Text == in.text && r.Stats.Sentences == 0 && r.Untouched != ""
	case "keep": // all spans are there as often as before, and no others
		return slices.Equal(strictSpans(in.text), strictSpans(r.Text))
	case "has":
		return strings.Contains(r.Text, value)
	case "ends": // it is no longer than a translation may be
		return strings.TrimSpace(r.Text) != "" && utf8.RuneCountInString(r.Text) < 3*utf8.RuneCountInString(in.text)+20
	case "noloop": // words do not repeat more than before, or it is marked
		return !slices.Contains(check.Sentence(in.text, r.Text, in.from, in.to), check.Repetition) || len(r.Doubts) > 0
	case "nostop": // there is no full stop that the source does not have
		return !strings.HasSuffix(strings.TrimSpace(r.Text), ".")
	case "upper": // it is in capitals, what must stay aside
		for _, s := range strictSpans(r.Text) {
			r.Text = strings.ReplaceAll(r.Text, s, "")
		}
		return !strings.ContainsFunc(r.Text, unicode.IsLower)
	case "lines": // line ends and the white space at both ends are the same
		return slices.Equal(lineEnds(in.text), lineEnds(r.Text)) && edge(in.text, strings.TrimLeftFunc) == edge(r.Text, strings.TrimLeftFunc) && edge(in.text, strings.TrimRightFunc) == edge(r.Text, strings.TrimRightFunc)
	}
	return false
}

// edge is the white space that trim takes away.
func edge(s string, trim func(string, func(rune) bool) string) string {
	trimmed := trim(s, unicode.IsSpace)
	if strings.HasSuffix(s, trimmed) {
		return strings.TrimSuffix(s, trimmed)
	}
	return strings.TrimPrefix(s, trimmed)
}

func lineEnds(s string) (ends []string) {
	for _, c := range s {
		if c == '\n' || c == '\r' || c == '\u2028' {
			ends = append(ends, string(c))
		}
	}
	return ends
}

func strictSpans(s string) (spans []string) {
	for _, f := range span.Find(s) {
		if f.Kind.Strict() {
			spans = append(spans, s[f.Start:f.End])
		}
	}
	slices.Sort(spans)
	return spans
}
