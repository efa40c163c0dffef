package page

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/tray/message"
)

// check is what every page must be.
func check(t *testing.T, page []byte, language string) string {
	t.Helper()
	text := string(page)
	require.True(t, strings.HasPrefix(text, "<!DOCTYPE html>\n<html lang=\""+language+"\">"), text[:60])
	for _, never := range []string{"<script", "<img", "<link", "http://", "https://", "url(", "@import", "ZgotmplZ", "history_", "help_", "{{"} {
		require.NotContains(t, text, never)
	}
	require.Contains(t, text, "prefers-color-scheme: dark")
	require.Contains(t, text, "default-src 'none'")
	require.True(t, strings.HasSuffix(text, "</html>\n"))
	return text
}

func TestHistory(t *testing.T) {
	hostile := api.HistoryEntry{
		Time: time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC), From: `en" onclick="x`, To: "de",
		Source: "<script>alert(1)</script>\nline & more", Target: `</strong><img src=http://example.org/>`,
	}
	page, err := History(message.New("en"), api.HistoryResponse{Enabled: true, Entries: []api.HistoryEntry{
		{Time: hostile.Time, From: "en", To: "es", Source: "The house is big.", Target: "La casa es grande."}, hostile,
	}}, true)
	require.NoError(t, err)
	text := string(page)
	require.Contains(t, text, `<p dir="auto" lang="en">The house is big.</p>`)
	require.Contains(t, text, `lang="es"><strong>La casa es grande.</strong>`)
	require.Contains(t, text, "English → Spanish")
	require.Contains(t, text, "&lt;script&gt;alert(1)&lt;/script&gt;\nline &amp; more")
	require.NotContains(t, text, "<script")
	require.NotContains(t, text, "<img")
	require.NotContains(t, text, `" onclick="`)
	require.Contains(t, text, "dragoman history")
	require.NotContains(t, text, "not kept")

	page, err = History(message.New("de-AT"), api.HistoryResponse{}, false)
	require.NoError(t, err)
	text = check(t, page, "de")
	require.Contains(t, text, "history.enabled ist aus")
	require.Contains(t, text, "<h1>Verlauf</h1>")
	require.NotContains(t, text, "<article>")
	require.NotContains(t, text, "dragoman history")
}

func TestHelp(t *testing.T) {
	for _, tag := range message.Languages {
		page, err := Help(message.New(tag.String()), HelpFacts{Extension: "AppIndicator and KStatusNotifierItem Support"})
		require.NoError(t, err)
		text := check(t, page, tag.String())
		for _, part := range []string{"tray.hotkey", "clipboard.exclude", "dragoman clip", "AppIndicator and K", "Wayland"} {
			require.Contains(t, text, part, tag)
		}
		page, err = Help(message.New(tag.String()), HelpFacts{Hotkey: "Ctrl+Alt+<T>"})
		require.NoError(t, err)
		text = check(t, page, tag.String())
		require.Contains(t, text, "Ctrl&#43;Alt&#43;&lt;T&gt;", tag)
		require.NotContains(t, text, "tray.hotkey", tag)
	}
}

func TestFiles(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "run", "pages")
	f, err := OpenFiles(folder)
	require.NoError(t, err)
	require.NoDirExists(t, folder, "nothing is left where nothing was shown")
	for _, content := range []string{"a", "b"} {
		path, err := f.Write("history", []byte(content))
		require.NoError(t, err)
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, content, string(got))
		if runtime.GOOS != "windows" {
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
			info, err = os.Stat(folder)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
		}
	}
	_, err = OpenFiles(folder) // after a kill
	require.NoError(t, err)
	require.NoDirExists(t, folder)
	_, err = f.Write("help", nil)
	require.NoError(t, err)
	require.NoError(t, f.Remove())
	require.NoDirExists(t, folder)
}
