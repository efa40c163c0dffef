package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func noFolders() []Folder { return nil }

// mend lets a store that has something to mend do so.
func mend(t *testing.T, s *Store, known func() []Folder) Mended {
	t.Helper()
	m, err := s.Mend(t.Context(), known)
	require.NoError(t, err)
	again, err := s.Mend(t.Context(), known)
	require.NoError(t, err)
	require.Zero(t, again, "all is well then")
	return m
}

// works uses all of a store.
func works(t *testing.T, s *Store, folder int64) {
	t.Helper()
	files := []File{{Folder: folder, Path: "works.txt", Lang: "es", Output: "/in/works.es.txt"}}
	require.NoError(t, s.Accept(t.Context(), files))
	files[0].State = Done
	require.NoError(t, s.Finish(t.Context(), files[0]))
	got, err := s.File(t.Context(), folder, "works.txt", "es")
	require.NoError(t, err)
	require.Equal(t, Done, got.State)
	add(t, s, "works", "")
	require.Len(t, search(t, s, HistoryQuery{Search: "works"}), 1)
	remember(t, s, "works", "fine")
	require.NoError(t, s.FlushMemory(t.Context()))
	target, ok := recall(t, s, scope, "works")
	require.True(t, ok)
	require.Equal(t, "fine", target)
	checkIndex(t, s)
	var verdict string
	require.NoError(t, s.readers.QueryRow("PRAGMA integrity_check").Scan(&verdict))
	require.Equal(t, "ok", verdict)
}

func TestDamageIsMendedWhileRunning(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	folder := filled(t, path)
	damage(t, path, "history")
	s := openAt(t, path)
	last := s.NextRevision()
	m, err := s.Mend(t.Context(), noFolders)
	require.NoError(t, err)
	require.Zero(t, m, "not found yet")
	_, err = s.History(t.Context(), HistoryQuery{})
	require.ErrorIs(t, err, ErrCorrupt)
	require.Len(t, s.Trouble(), 1, "to be mended at once")

	m = mend(t, s, noFolders)
	require.True(t, m.Begun)
	require.Contains(t, m.Message, path+asideInfix)
	require.Contains(t, m.Message, "1 folder and the names of 500 files")
	folders, err := s.Folders(t.Context())
	require.NoError(t, err)
	require.Equal(t, []Folder{{ID: folder, Path: "/in", Settings: []byte(`{"a":1}`)}}, folders)
	counts, err := s.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(498), counts[folder].Pending)
	require.Empty(t, search(t, s, HistoryQuery{}))
	works(t, s, folder)
	for range 2 * unreservedBlock {
		require.Greater(t, s.NextRevision(), last)
	}
	require.NoError(t, s.Close())
	s = openAt(t, path)
	require.Empty(t, s.SetAside(), "done already")
	require.Greater(t, s.NextRevision(), last)
}

// TestFoldersAreKeptThatCannotBeRead damages all of the file.
func TestFoldersAreKeptThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	folder := filled(t, path)
	s := openAt(t, path)
	info, err := os.Stat(path)
	require.NoError(t, err)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = f.WriteAt([]byte(strings.Repeat("damage", int(info.Size()-4096)/6)), 4096)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = s.History(t.Context(), HistoryQuery{})
	require.ErrorIs(t, err, ErrCorrupt)
	m := mend(t, s, func() []Folder { return []Folder{{ID: folder, Path: "/in", Settings: []byte(`{"b":2}`)}} })
	require.Contains(t, m.Message, "1 folder")
	folders, err := s.Folders(t.Context())
	require.NoError(t, err)
	require.Equal(t, []Folder{{ID: folder, Path: "/in", Settings: []byte(`{"b":2}`)}}, folders)
	works(t, s, folder)
}

func TestAMendThatFailsIsTriedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	folder := filled(t, path)
	damage(t, path, "history")
	s := openAt(t, path)
	_, err := s.History(t.Context(), HistoryQuery{})
	require.ErrorIs(t, err, ErrCorrupt)
	steps := schema
	schema = []string{"nonsense"} // the new file cannot be made
	_, err = s.Mend(t.Context(), noFolders)
	schema = steps
	require.ErrorContains(t, err, path)
	require.ErrorIs(t, s.Accept(t.Context(), manyFiles(folder, 1)), ErrCorrupt, "until then nothing is taken on")
	_, err = s.AddHistory(t.Context(), HistoryEntry{Source: "a"})
	require.ErrorIs(t, err, ErrCorrupt)
	m := mend(t, s, noFolders)
	require.Contains(t, m.Message, "1 folder and the names of 500 files")
	works(t, s, folder)
}

// TestReadsGoOnWhileAFileIsExchanged reads all the time.
func TestReadsGoOnWhileAFileIsExchanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	folder := filled(t, path)
	s := openAt(t, path)
	stop, ended := make(chan struct{}), make(chan error, 4)
	for range 4 {
		go func() {
			for {
				select {
				case <-stop:
					ended <- nil
					return
				default:
				}
				if _, err := s.File(t.Context(), folder, "0.txt", "es"); err != nil && !strings.Contains(err.Error(), "not found") {
					ended <- err
					return
				}
				if _, err := s.Counts(t.Context()); err != nil {
					ended <- err
					return
				}
			}
		}()
	}
	for range 5 {
		s.damaged.Store(true)
		_, err := s.Mend(t.Context(), noFolders)
		require.NoError(t, err)
	}
	close(stop)
	for range 4 {
		require.NoError(t, <-ended)
	}
	counts, err := s.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(498), counts[folder].Pending)
}
