package daemon_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
)

func TestTextsAreTranslatedRememberedAndKept(t *testing.T) {
	s := start(t, newPaths(t)) // not warm: the text waits for the model
	first := s.translate("en", "de", "Where is the nearest train station?")
	require.Contains(t, first.Text, "Bahnhof")
	require.Equal(t, 1, first.Stats.Sentences)

	again := s.translate(api.Auto, "de", "Where is the nearest train station?")
	require.Equal(t, first.Text, again.Text)
	require.Equal(t, "en", again.From)
	require.Equal(t, 1, again.Stats.Remembered)
	require.Zero(t, again.Stats.Sentences, "no model call")

	require.Eventually(t, func() bool {
		kept, err := s.History(t.Context(), api.HistoryQuery{Search: "bahnhof nearest"})
		require.NoError(t, err)
		return len(kept.Entries) == 2
	}, patience, 10*time.Millisecond)
	now := s.until(func(now api.Snapshot) bool { return now.Totals.Texts == 2 })
	require.Equal(t, api.StateReady, now.State)
	require.Equal(t, int64(1), now.Totals.Sentences)
	require.Equal(t, int64(1), now.Totals.Remembered)
	require.Len(t, now.Recent, 2)
}

func TestDropFolder(t *testing.T) {
	paths := newPaths(t)
	s := start(t, paths)
	dir := t.TempDir()
	put := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	put("before.txt", "The house is big.\n")
	f, err := s.AddFolder(t.Context(), api.FolderSettings{Path: dir, From: "en", To: []string{"es", "fr"}})
	require.NoError(t, err)
	put("after.txt", "The dog is small.\n")
	s.until(func(now api.Snapshot) bool { return now.Totals.Files == 4 })
	for name, word := range map[string]string{"before.es.txt": "casa", "before.fr.txt": "maison", "after.es.txt": "perro", "after.fr.txt": "chien"} {
		text, err := os.ReadFile(filepath.Join(dir, "translated", name))
		require.NoError(t, err)
		require.Contains(t, strings.ToLower(string(text)), word)
	}
	jobs, err := s.Jobs(t.Context(), api.JobQuery{Folder: f.ID, State: api.JobDone})
	require.NoError(t, err)
	require.Len(t, jobs.Jobs, 4)
	one, err := s.Job(t.Context(), jobs.Jobs[0].ID)
	require.NoError(t, err)
	require.Equal(t, jobs.Jobs[0], one)

	// What was done is known after a restart, and what came meanwhile is found.
	require.NoError(t, s.stop())
	put("meanwhile.txt", "The cat is black.\n")
	s = start(t, paths)
	s.until(func(now api.Snapshot) bool { return now.Totals.Files == 2 })
	folders, err := s.Folders(t.Context())
	require.NoError(t, err)
	require.Len(t, folders.Folders, 1)
	require.Equal(t, int64(6), folders.Folders[0].Status.Done)
	require.NoError(t, s.RemoveFolder(t.Context(), f.ID))
	_, err = s.Folder(t.Context(), f.ID)
	require.ErrorIs(t, err, api.ErrNotFound)
}

// TestFileInWorkIsSeen looks at a file while it is translated.
func TestFileInWorkIsSeen(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "long.txt"), []byte(long(endless)), 0o644))
	f, err := s.AddFolder(t.Context(), api.FolderSettings{Path: dir, From: "en", To: []string{"es"}})
	require.NoError(t, err)
	now := s.catch(func(now api.Snapshot) bool {
		c := now.Folders[0].Status.Current
		return c != nil && c.Done > 0
	})
	current := now.Folders[0].Status.Current
	require.Equal(t, "long.txt", current.Path)
	require.Equal(t, "es", current.To)
	require.Less(t, current.Done, current.Total)
	require.Equal(t, endless, current.Total)
	require.NoError(t, s.CancelJob(t.Context(), current.Job))
	s.until(func(now api.Snapshot) bool { return now.Folders[0].Status.Current == nil })
	require.NoError(t, s.RemoveFolder(t.Context(), f.ID))
}

// TestTextOfAFileIsCancelledByAnother: whoever gives up a text that a file has
// too does not give up the file.
func TestTextOfAFileIsCancelledByAnother(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	text := long(900) // seconds, in which the file settles
	answered := make(chan error, 1)
	go func() {
		_, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{text}, From: "en", To: "es", Lane: api.LaneBatch})
		answered <- err
	}()
	var job int64
	s.catch(func(api.Snapshot) bool {
		jobs, err := s.Jobs(t.Context(), api.JobQuery{State: api.JobRunning})
		require.NoError(t, err)
		for _, j := range jobs.Jobs {
			job = j.ID
		}
		return job != 0
	})
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "same.txt"), []byte(text), 0o644))
	_, err := s.AddFolder(t.Context(), api.FolderSettings{Path: dir, From: "en", To: []string{"es"}})
	require.NoError(t, err)
	s.catch(func(now api.Snapshot) bool { return now.Folders[0].Status.Current != nil })
	require.NoError(t, s.CancelJob(t.Context(), job))
	require.ErrorContains(t, <-answered, "cancelled")
	now := s.until(func(now api.Snapshot) bool { return now.Folders[0].Status.Done+now.Folders[0].Status.Failed > 0 })
	require.Equal(t, int64(1), now.Folders[0].Status.Done)
}

// TestFoldersThatCannotBeLoaded are there to be seen, changed and removed.
func TestFoldersThatCannotBeLoaded(t *testing.T) {
	paths := newPaths(t)
	dir := t.TempDir()
	put := func(name, kept string) int64 {
		db, err := store.Open(t.Context(), paths.StateFile(), store.Options{})
		require.NoError(t, err)
		id, err := db.PutFolder(t.Context(), store.Folder{Path: filepath.Join(dir, name), Settings: []byte(kept)})
		require.NoError(t, err)
		require.NoError(t, db.Close())
		return id
	}
	unread, refused := put("unread", "{"), put("refused", `{"path":"relative"}`)
	s := start(t, paths)
	folders, err := s.Folders(t.Context())
	require.NoError(t, err)
	require.Len(t, folders.Folders, 2)
	for _, f := range folders.Folders {
		require.Equal(t, api.FolderFailed, f.Status.State)
		require.NotEmpty(t, f.Status.Message)
	}
	now, err := s.Status(t.Context())
	require.NoError(t, err)
	require.Len(t, now.Notices, 2)
	_, err = s.PauseFolder(t.Context(), unread)
	require.ErrorIs(t, err, api.ErrConflict)
	require.Error(t, s.RescanFolder(t.Context(), refused))
	require.NoError(t, s.RemoveFolder(t.Context(), refused))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "unread"), 0o755))
	set, err := s.SetFolder(t.Context(), unread, api.FolderSettings{Path: filepath.Join(dir, "unread"), From: "en", To: []string{"es"}})
	require.NoError(t, err)
	require.NotEqual(t, api.FolderFailed, set.Status.State)
	now, err = s.Status(t.Context())
	require.NoError(t, err)
	require.Empty(t, now.Notices)
	require.NoError(t, s.stop())
	folders, err = start(t, paths).Folders(t.Context())
	require.NoError(t, err)
	require.Len(t, folders.Folders, 1)
	require.NotEqual(t, api.FolderFailed, folders.Folders[0].Status.State)
}

// TestRefusedFoldersLeaveNothing asks for what cannot be, which must not be
// there at the next start.
func TestRefusedFoldersLeaveNothing(t *testing.T) {
	paths := newPaths(t)
	s := start(t, paths)
	dir, other := t.TempDir(), t.TempDir()
	sub := filepath.Join(dir, "sub")
	require.NoError(t, os.Mkdir(sub, 0o755))
	errs := make(chan error, 2)
	for _, path := range []string{dir, sub} {
		go func() {
			_, err := s.AddFolder(t.Context(), api.FolderSettings{Path: path, From: "en", To: []string{"es"}, Recursive: true})
			errs <- err
		}()
	}
	refused := 0
	for range 2 {
		if err := <-errs; err != nil {
			require.ErrorIs(t, err, api.ErrConflict)
			refused++
		}
	}
	require.Equal(t, 1, refused, "one of two that overlap")
	before, err := s.Folders(t.Context())
	require.NoError(t, err)
	require.Len(t, before.Folders, 1)
	changed := before.Folders[0].Settings
	changed.Path = other
	_, err = s.SetFolder(t.Context(), before.Folders[0].ID, changed)
	require.ErrorContains(t, err, "cannot become another")
	require.NoError(t, s.stop())

	after, err := start(t, paths).Folders(t.Context())
	require.NoError(t, err)
	require.Len(t, after.Folders, 1)
	require.Equal(t, before.Folders[0].Settings, after.Folders[0].Settings)
}
