package inference

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/language"
)

func search(t *testing.T, beams, alternatives int) *Search {
	t.Helper()
	s, err := NewSearch(beams, nil, alternatives)
	require.NoError(t, err)
	return s
}

func TestAlternatives(t *testing.T) {
	tr := open(t, Options{})
	const first, second = "Where is the nearest train station?", "I have lost my ticket."
	one := Request{Text: first, From: "en", To: "de", Search: search(t, 4, 3)}
	got, err := tr.Translate(t.Context(), one)
	require.NoError(t, err)
	require.NotEmpty(t, got.Alternatives)
	require.LessOrEqual(t, len(got.Alternatives), 3)
	require.NotContains(t, got.Alternatives, got.Text)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(got.Alternatives))), len(got.Alternatives))
	require.Equal(t, 1, got.Stats.Sentences, "the model runs once")

	// Whole texts, with what is between the sentences.
	both := one
	both.Text = first + " 12\n\n" + second + "\n"
	whole, err := tr.Translate(t.Context(), both)
	require.NoError(t, err)
	require.Equal(t, 2, whole.Stats.Sentences)
	for i, a := range whole.Alternatives {
		require.Equal(t, strings.Count(whole.Text, "\n"), strings.Count(a, "\n"))
		require.Contains(t, a, " 12\n\n")
		require.True(t, strings.HasPrefix(a, got.Alternatives[i]))
	}
	// What is remembered has no alternatives, so the model is asked.
	memory := notes{first: "Bahnhof?"}
	one.Memory = memory
	again, err := tr.Translate(t.Context(), one)
	require.NoError(t, err)
	require.Equal(t, got.Alternatives, again.Alternatives)
	require.Equal(t, got.Text, memory[first])
	// In parts of several languages, and with nothing to translate.
	parts := []language.Part{{Text: first + "\n", Language: "en"}, {Text: "zzz\n"}, {Text: second, Language: "en"}}
	one.Text, one.Memory = first+"\nzzz\n"+second, nil
	mixed, err := tr.TranslateParts(t.Context(), one, parts, nil)
	require.NoError(t, err)
	require.NotEmpty(t, mixed.Alternatives)
	for _, a := range mixed.Alternatives {
		require.Contains(t, a, "\nzzz\n")
		require.NotEqual(t, mixed.Text, a)
	}
	one.Text = "12.5"
	none, err := tr.Translate(t.Context(), one)
	require.NoError(t, err)
	require.Empty(t, none.Alternatives)
}

func TestSearchKeys(t *testing.T) {
	require.Empty(t, (*Search)(nil).Key())
	half := 0.5
	other, err := NewSearch(4, &half, 0)
	require.NoError(t, err)
	require.NotEqual(t, search(t, 4, 0).Key(), other.Key())
	require.NotEqual(t, search(t, 4, 0).Key(), search(t, 5, 0).Key())
	require.Equal(t, search(t, 4, 0).Key(), search(t, 4, 3).Key(), "alternatives change no translation")
	require.Equal(t, 6, search(t, 0, 5).Beams)
	nothing, err := NewSearch(0, nil, 0)
	require.NoError(t, err)
	require.Nil(t, nothing)
}
