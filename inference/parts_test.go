package inference

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/language"
)

// TestALetterInSeveralLanguages answers a German letter in English, for a reader
// of Spanish, and quotes what nobody here reads.
func TestALetterInSeveralLanguages(t *testing.T) {
	tr := open(t, Options{})
	parts := []language.Part{
		{Text: "The house is big. The dog is small.\n\n", Language: "en"},
		{Text: "Das Haus ist groß.\n\n", Language: "de"},
		{Text: "Спасибо за письмо.\n\n", Language: ""},
		{Text: "El perro es pequeño.\n", Language: "es"},
	}
	var text strings.Builder
	for _, p := range parts {
		text.WriteString(p.Text)
	}
	var told []Progress
	memories := map[string]notes{}
	r, err := tr.TranslateParts(t.Context(), Request{
		Text: text.String(), From: "en", To: "es", Explain: true, Progress: func(p Progress) { told = append(told, p) },
	}, parts, func(from string) Memory {
		memories[from] = notes{}
		return memories[from]
	})
	require.NoError(t, err)
	require.Equal(t, "La casa es grande. El perro es pequeño.\n\nLa casa es grande.\n\nСпасибо за письмо.\n\nEl perro es pequeño.\n", r.Text)
	require.Equal(t, 3, r.Stats.Sentences)
	require.Empty(t, r.Untouched)
	joined := ""
	for i, p := range told {
		joined += p.Text
		require.LessOrEqual(t, p.Done, p.Total)
		if i > 0 {
			require.GreaterOrEqual(t, p.Done, told[i-1].Done)
		}
	}
	require.Equal(t, r.Text, joined)
	require.Equal(t, 3, told[len(told)-1].Done)
	require.Contains(t, memories["de"], "Das Haus ist groß.")
	require.NotContains(t, memories["en"], "Das Haus ist groß.")
}

func TestPartsCountTheirSentencesOn(t *testing.T) {
	var r Result
	r.join(Result{Untouched: Nothing}, 0)
	r.join(Result{Doubts: []Doubt{{Sentence: 1}}, Notes: []Note{{Sentence: 0}}}, 4)
	require.Equal(t, 5, r.Doubts[0].Sentence)
	require.Equal(t, 4, r.Notes[0].Sentence)
}

// TestStatsOfPartsAreWhole: each number is joined.
func TestStatsOfPartsAreWhole(t *testing.T) {
	var one, sum Stats
	v := reflect.ValueOf(&one).Elem()
	for i := range v.NumField() {
		v.Field(i).SetInt(7)
	}
	sum.join(one)
	require.Equal(t, one, sum)
	sum.join(one)
	require.Equal(t, 14, sum.Sentences)
	require.Equal(t, 14, sum.Doubtful)
	require.EqualValues(t, 14, sum.Total)
	require.EqualValues(t, 7, sum.FirstToken)
}
