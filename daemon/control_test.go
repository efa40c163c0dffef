package daemon_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

func TestPauseHoldsBatchWorkOnly(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	_, err := s.Pause(t.Context(), api.PauseRequest{})
	require.NoError(t, err)
	batch := make(chan error, 1)
	go func() {
		_, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{"The house is big."}, From: "en", To: "de", Lane: api.LaneBatch})
		batch <- err
	}()
	s.until(func(now api.Snapshot) bool { return now.State == api.StatePaused && now.Queue.Batch == 1 })
	require.Contains(t, s.translate("en", "es", "The house is big.").Text, "casa")
	require.Empty(t, batch)
	_, err = s.Resume(t.Context())
	require.NoError(t, err)
	require.NoError(t, <-batch)

	// A pause ends by itself.
	now, err := s.Pause(t.Context(), api.PauseRequest{Seconds: 1})
	require.NoError(t, err)
	require.Equal(t, api.StatePaused, now.State)
	require.WithinDuration(t, time.Now(), now.PausedUntil, time.Second)
	s.until(func(now api.Snapshot) bool { return now.State == api.StateReady })
}

func TestSettingsChangeWhileRunning(t *testing.T) {
	paths := newPaths(t)
	s := start(t, paths).warm()
	off := "false"
	r, err := s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"history.enabled": &off, "memory.enabled": &off}})
	require.NoError(t, err)
	require.Equal(t, paths.ConfigFile, r.File)
	for _, setting := range r.Settings {
		if setting.Key == "history.enabled" {
			require.Equal(t, "false", setting.Value)
			require.Equal(t, "file", setting.Source)
		}
		if setting.Key == "cache.quota_mb" {
			require.Equal(t, "default", setting.Source)
			require.Equal(t, setting.Default, setting.Value)
		}
	}
	s.translate("en", "de", "The house is big.")
	again := s.translate("en", "de", "The house is big.")
	require.Equal(t, 1, again.Stats.Sentences, "nothing is remembered")
	kept, err := s.History(t.Context(), api.HistoryQuery{})
	require.NoError(t, err)
	require.False(t, kept.Enabled)
	require.Empty(t, kept.Entries)

	// A file that is wrong changes nothing, and is told with its line.
	require.NoError(t, os.WriteFile(paths.ConfigFile, []byte("[history]\nenabeld = true\n"), 0o600))
	_, err = s.Reload(t.Context())
	require.ErrorContains(t, err, paths.ConfigFile+":2")
	require.ErrorContains(t, err, "history.enabled")
	now, err := s.Status(t.Context())
	require.NoError(t, err)
	require.False(t, now.History, "the old settings stay in force")
	require.Contains(t, now.Notices[0].Message, "history.enabled")

	// By the service manager's signal too.
	require.NoError(t, os.WriteFile(paths.ConfigFile, []byte("[history]\nenabled = true\n"), 0o600))
	s.reload <- struct{}{}
	s.until(func(now api.Snapshot) bool { return now.History })
}

func TestAnotherModelWhileRunning(t *testing.T) {
	paths := newPaths(t)
	s := start(t, paths).warm()
	before := s.translate("en", "de", "The house is big.")
	static := `"CPU-static"`
	_, err := s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"inference.encoder": &static}})
	require.NoError(t, err)
	now := s.until(func(now api.Snapshot) bool { return now.Model.Encoder == "CPU-static" })
	require.Equal(t, api.StateReady, now.State)
	again := s.translate("en", "de", "The house is big. The dog is small.")
	require.Contains(t, again.Text, before.Text)

	// A model that is not there: the one that serves goes on, and it is told.
	missing := `"/nowhere/at/all"`
	_, err = s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"inference.runtime": &missing}})
	require.NoError(t, err)
	require.NotEmpty(t, s.translate("en", "es", "The house is big.").Text)
}

func TestWithoutAModelTheServiceRunsAndSaysWhy(t *testing.T) {
	paths := newPaths(t)
	paths.Model = filepath.Join(t.TempDir(), "no model here")
	s := start(t, paths)
	s.until(func(now api.Snapshot) bool {
		return now.State == api.StateFault && strings.Contains(now.Message, "no model here")
	})
	_, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{"The house is big."}, From: "en", To: "de"})
	require.ErrorIs(t, err, api.ErrNoModel)
	require.ErrorContains(t, err, "no model here")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("The house is big.\n"), 0o600))
	f, err := s.AddFolder(t.Context(), api.FolderSettings{Path: dir, From: "en", To: []string{"de"}})
	require.NoError(t, err)
	s.until(func(now api.Snapshot) bool {
		if len(now.Folders) == 0 || now.Folders[0].Status.Waiting == 0 || now.Folders[0].Status.Message == "" {
			return false
		}
		require.Contains(t, now.Folders[0].Status.Message, "no model here")
		require.NotContains(t, now.Folders[0].Status.Message, string(api.CodeNoModel))
		return true
	})
	require.NoError(t, s.stop())

	// With a model the file is done, and nothing had to be told again.
	paths.Model = newPaths(t).Model
	s = start(t, paths)
	s.until(func(now api.Snapshot) bool { return now.Totals.Files == 1 })
	require.FileExists(t, filepath.Join(dir, "translated", "a.de.txt"))
	got, err := s.Folder(t.Context(), f.ID)
	require.NoError(t, err)
	require.Zero(t, got.Status.Failed)
}

func TestOneServiceAUser(t *testing.T) {
	paths := newPaths(t)
	start(t, paths)
	err := run(t, paths)
	require.ErrorContains(t, err, "another dragomand is running: process ")
}
