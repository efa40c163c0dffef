package daemon_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/internal/transcript"
)

// While another model takes the place of the one that serves, texts come from
// several clients and files wait: each is translated, once.
func TestNoTextIsLostWhenModelsChange(t *testing.T) {
	paths := newPaths(t)
	s := start(t, paths).warm()
	dir := t.TempDir()
	for n := range 12 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.txt", n)), fmt.Appendf(nil, "The house number %d is big.\n", n), 0o600))
	}
	_, err := s.AddFolder(t.Context(), api.FolderSettings{Path: dir, From: "en", To: []string{"de"}})
	require.NoError(t, err)
	const clients = 4
	changed := make(chan struct{})
	var group sync.WaitGroup
	var asked [clients]int
	var failed [clients]error
	for c := range clients {
		group.Go(func() {
			for last := false; !last; {
				select {
				case <-changed:
					last = true // one more, of the new model
				default:
				}
				asked[c]++
				got, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{fmt.Sprintf("My brother %d has %d small dogs.", c, asked[c])}, From: "en", To: "de"})
				if err == nil && (len(got.Translations) != 1 || got.Translations[0].Text == "") {
					err = fmt.Errorf("text %d of client %d has no translation", asked[c], c)
				}
				if err != nil {
					failed[c] = err
					return
				}
			}
		})
	}
	for _, encoder := range []string{"CPU-static", "CPU"} {
		value := fmt.Sprintf("%q", encoder)
		_, err := s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"inference.encoder": &value}})
		require.NoError(t, err)
		s.until(func(now api.Snapshot) bool { return now.Model.Encoder == encoder && now.Model.Warming == "" })
	}
	close(changed)
	group.Wait()
	for c := range clients {
		require.NoError(t, failed[c])
		require.Greater(t, asked[c], 1)
	}
	s.until(func(now api.Snapshot) bool { return now.Totals.Files >= 12 })
	for n := range 12 {
		text, err := os.ReadFile(filepath.Join(dir, "translated", fmt.Sprintf("f%d.de.txt", n)))
		require.NoError(t, err)
		require.Contains(t, string(text), fmt.Sprint(n))
	}
}

// Who changes his mind faster than a model is loaded gets the last one, and the
// others are not loaded beside it.
func TestOvertakenModelsAreNotLoaded(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	log, before := &transcript.Transcript{}, slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	const changes = 20
	var last string
	for n := range changes {
		last = []string{"CPU-static", "CPU"}[n%2]
		value := fmt.Sprintf("%q", last)
		_, err := s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"inference.encoder": &value}})
		require.NoError(t, err)
	}
	s.until(func(now api.Snapshot) bool { return now.Model.Encoder == last && now.Model.Warming == "" })
	said := log.String()
	require.Contains(t, said, "Model is loaded")
	require.Less(t, strings.Count(said, "Model is loaded"), changes/2)
	require.NotContains(t, said, "Model could not be loaded")
	require.NotEmpty(t, s.translate("en", "de", "The house is big.").Text)
}
