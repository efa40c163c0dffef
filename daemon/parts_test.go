package daemon_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// TestAMixedTextIsTranslatedByParts: an English letter above the German one that
// it answers.
func TestAMixedTextIsTranslatedByParts(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	const letter = "The meeting starts at ten and the big house is open.\n\nDas große Haus ist heute leider nicht offen, aber der kleine Laden.\n"
	r, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{letter}, From: api.Auto, To: "es", Explain: true})
	require.NoError(t, err)
	auto := r.Translations[0]
	require.Equal(t, "de", auto.From, "the language of most of it")
	require.Contains(t, auto.Text, "a las diez")
	require.Contains(t, auto.Text, "La casa grande")
	var notes []string
	for _, n := range auto.Notes {
		notes = append(notes, n.What)
	}
	require.Contains(t, notes, "from here on in German (de)")

	named := s.translate("en", "es", letter)
	require.NotEqual(t, auto.Text, named.Text, "who names a language gets it")
	into := s.translate(api.Auto, "de", letter)
	require.Contains(t, into.Text, "\n\nDas große Haus ist heute leider nicht offen, aber der kleine Laden.\n", "what is in the target language stays")
}
