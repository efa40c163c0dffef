package daemon_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/inference"
)

// TestBeamSearchOfTheService: a search is not answered with what the fastest way has
// left in the memory, nor the other way round.
func TestBeamSearchOfTheService(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	require.Equal(t, inference.MostBeams, api.MaxBeams)
	require.Equal(t, inference.DefaultBeams, api.DefaultBeams)
	request := api.TranslateRequest{Texts: []string{"Where is the nearest train station?"}, From: "en", To: "fr"}
	ask := func(change func(r *api.TranslateRequest)) api.Translation {
		r := request
		change(&r)
		got, err := s.Translate(t.Context(), r)
		require.NoError(t, err)
		require.Len(t, got.Translations, 1)
		return got.Translations[0]
	}
	plain := func(*api.TranslateRequest) {}
	beams := func(r *api.TranslateRequest) { r.Beams = 4 }
	others := func(r *api.TranslateRequest) { r.Others = 3 }
	short := func(r *api.TranslateRequest) { penalty := -2.0; r.Beams, r.LengthPenalty = 4, &penalty }
	for _, want := range []struct {
		change                func(*api.TranslateRequest)
		sentences, remembered int
	}{{plain, 1, 0}, {plain, 0, 1}, {beams, 1, 0}, {beams, 0, 1}, {short, 1, 0}, {others, 1, 0}, {others, 1, 0}, {plain, 0, 1}} {
		got := ask(want.change)
		require.Equal(t, want.sentences, got.Stats.Sentences)
		require.Equal(t, want.remembered, got.Stats.Remembered)
	}
	found := ask(others)
	require.NotEmpty(t, found.Others)
	require.LessOrEqual(t, len(found.Others), 3)
	require.Equal(t, ask(beams).Text, found.Text)

	request.Beams = 9
	_, err := s.Translate(t.Context(), request)
	require.ErrorContains(t, err, "9 beams: 1 to 8 are possible")
}
