package daemon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// Another model takes over while a document is in the middle: it is translated anew,
// as a whole by the new one, and once.
func TestModelChangesInTheMiddleOfADocument(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	dir := t.TempDir()
	folder, err := s.AddFolder(t.Context(), api.FolderSettings{Path: dir, From: "en", To: []string{"de"}, Original: api.OriginalDone})
	require.NoError(t, err)
	const paragraphs = 400
	var source strings.Builder
	for n := range paragraphs {
		fmt.Fprintf(&source, "<p>The house number %d is <b>very big</b> and <i>old</i>.</p>\n", n)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.html"), []byte(source.String()), 0o600))
	s.catch(func(now api.Snapshot) bool {
		i := slices.IndexFunc(now.Folders, func(f api.Folder) bool { return f.ID == folder.ID })
		return i >= 0 && now.Folders[i].Status.Current != nil && now.Folders[i].Status.Current.Done > 0
	})
	_, err = s.Pause(t.Context(), api.PauseRequest{})
	require.NoError(t, err)
	weights := `"f32"`
	_, err = s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"inference.weights": &weights}})
	require.NoError(t, err)
	s.until(func(now api.Snapshot) bool { return now.Model.Weights == "f32" && now.Model.Warming == "" })
	_, err = s.Resume(t.Context())
	require.NoError(t, err)
	now := s.until(func(now api.Snapshot) bool { return now.Totals.Files > 0 })
	require.True(t, slices.ContainsFunc(now.Notices, func(n api.Notice) bool {
		return strings.Contains(n.Message, "a.html is translated anew: another model has taken over in the middle of it")
	}), "%+v", now.Notices)
	out, err := os.ReadFile(filepath.Join(dir, "translated", "a.de.html"))
	require.NoError(t, err)
	require.Equal(t, paragraphs, strings.Count(string(out), "<p>"))
	require.Equal(t, paragraphs, strings.Count(string(out), "<b>"))
	require.EqualValues(t, 1, now.Totals.Files)
}
