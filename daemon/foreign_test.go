package daemon_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

const (
	dutch   = "Ik ben daar nog nooit geweest, want het is te ver."
	russian = "Я никогда там не был и не хочу туда."
)

func TestForeignTexts(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	for text, language := range map[string]string{dutch: "Dutch (nl)", russian: "Russian (ru)"} {
		_, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{text}, From: api.Auto, To: "de"})
		require.ErrorIs(t, err, api.ErrForeign)
		require.ErrorContains(t, err, language)
		require.ErrorContains(t, err, "English (en)")
		var p *api.Problem
		require.True(t, errors.As(err, &p))
		require.Equal(t, 422, p.Status)
		_, err = s.TranslateStream(t.Context(), api.TranslateRequest{Texts: []string{text}, From: api.Auto, To: "de"}, func(api.Piece) error { return nil })
		require.ErrorIs(t, err, api.ErrForeign)
	}
	require.Empty(t, s.jobs(api.JobQuery{}), "nothing was accepted")

	// Beside others it comes back as it was.
	r, err := s.Translate(t.Context(), api.TranslateRequest{
		Texts: []string{"Where is the nearest train station?", dutch, "12:30"}, From: api.Auto, To: "de",
	})
	require.NoError(t, err)
	require.Contains(t, r.Translations[0].Text, "Bahnhof")
	require.Equal(t, "en", r.Translations[0].From)
	require.Greater(t, r.Translations[0].Confidence, 0.5)
	require.False(t, r.Translations[0].Unsure)
	require.Empty(t, r.Translations[0].Warning)
	require.Equal(t, dutch, r.Translations[1].Text)
	require.Empty(t, r.Translations[1].From)
	require.Equal(t, "nl", r.Translations[1].Foreign)
	require.Contains(t, r.Translations[1].Warning, "Dutch (nl)")
	require.Equal(t, "12:30", r.Translations[2].Text)
	require.Empty(t, r.Translations[2].Warning)
	kept, err := s.History(t.Context(), api.HistoryQuery{})
	require.NoError(t, err)
	require.Len(t, kept.Entries, 1, "what was not translated is not kept")

	// Whoever names the language has it so.
	require.NotEqual(t, dutch, s.translate("de", "en", dutch).Text)
	unsure := s.translate(api.Auto, "en", "casa")
	require.True(t, unsure.Unsure)
	require.NotEmpty(t, unsure.Alternatives)
	require.Contains(t, unsure.Hint, "--from")
	partly := s.translate(api.Auto, "de", "This is what she told me on the phone yesterday evening:\n"+russian)
	require.Equal(t, "ru", partly.Foreign)
	require.Contains(t, partly.Warning, "Russian (ru)")
	require.Contains(t, partly.Text, russian)

	found, err := s.Detect(t.Context(), api.DetectRequest{Texts: []string{dutch, "casa", "Guten Morgen, meine Freunde!"}})
	require.NoError(t, err)
	require.Equal(t, api.Detection{Foreign: "nl"}, found.Detections[0])
	require.True(t, found.Detections[1].Unsure)
	require.Equal(t, "de", found.Detections[2].Language)
	require.False(t, found.Detections[2].Unsure)
}

func TestForeignPartOfAFileIsTold(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	s.put(api.Auto, "letter.txt", "This is what she told me on the phone yesterday evening:\n"+russian+"\n")
	now := s.until(func(now api.Snapshot) bool { return now.Totals.Files == 1 })
	require.Len(t, now.Notices, 1)
	require.Contains(t, now.Notices[0].Message, "letter.txt")
	require.Contains(t, now.Notices[0].Message, "Russian (ru)")
}

func TestForeignFileFails(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	f := s.put(api.Auto, "brief.txt", strings.Repeat(dutch+"\n", 3))
	now := s.until(func(now api.Snapshot) bool { return now.Totals.Failed == 1 })
	jobs := s.jobs(api.JobQuery{Folder: f.ID, State: api.JobFailed})
	require.Len(t, jobs, 1)
	require.Contains(t, jobs[0].Error, "Dutch (nl)")
	require.Contains(t, jobs[0].Error, "--from")
	require.NotEmpty(t, now.Notices)
	require.Contains(t, now.Notices[0].Message, "Dutch (nl)")
	require.Contains(t, now.Notices[0].Message, "brief.txt")
}
