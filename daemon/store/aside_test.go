package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNoDatabaseIsSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	garbage := []byte(strings.Repeat("this is no database ", 500))
	require.NoError(t, os.WriteFile(path, garbage, 0o600))
	s := openAt(t, path)
	require.Contains(t, s.SetAside(), path+asideInfix)
	aside := beside(path, asideInfix)
	require.Len(t, aside, 1)
	kept, err := os.ReadFile(aside[0])
	require.NoError(t, err)
	require.Equal(t, garbage, kept)
	_, err = s.PutFolder(t.Context(), Folder{Path: "/in"})
	require.NoError(t, err, "the new one works")
	require.Greater(t, s.NextRevision(), uint64(1<<40), "no earlier run counted so far")
	require.NoError(t, s.Close())
	require.Empty(t, openAt(t, path).SetAside(), "told once")
}

// damage overwrites the middle pages of a table's leaves.
func damage(t *testing.T, path, table string) {
	t.Helper()
	db := raw(t, path)
	var page int64
	require.NoError(t, db.QueryRow("SELECT max(pageno) FROM dbstat WHERE name = ?", table).Scan(&page))
	require.NoError(t, db.Close())
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	_, err = f.WriteAt([]byte(strings.Repeat("damage", 600)), (page-1)*4096)
	require.NoError(t, err)
}

// killed makes the file look like after a kill: with a log.
func killed(t *testing.T, path string) {
	require.NoError(t, os.WriteFile(path+"-wal", []byte(strings.Repeat("x", 100)), 0o600))
}

func filled(t *testing.T, path string) (folder int64) {
	t.Helper()
	s := openAt(t, path)
	folder, err := s.PutFolder(t.Context(), Folder{Path: "/in", Settings: []byte(`{"a":1}`)})
	require.NoError(t, err)
	files := manyFiles(folder, 500)
	require.NoError(t, s.Accept(t.Context(), files))
	for i := range 10 {
		files[i].State = Done
		require.NoError(t, s.Finish(t.Context(), files[i]))
	}
	files[11].State, files[11].Place, files[11].Written = Moved, "/place", checksumOf("written")
	require.NoError(t, s.Finish(t.Context(), files[11]))
	files[12].State = Cancelled
	require.NoError(t, s.Finish(t.Context(), files[12]))
	for range 200 {
		_, err := s.AddHistory(t.Context(), HistoryEntry{Source: strings.Repeat("some words ", 20)})
		require.NoError(t, err)
	}
	s.revisions.last += 1 << 50 // as if it had counted on and on
	require.NoError(t, s.reserveBlock(t.Context()))
	require.NoError(t, s.Close())
	return folder
}

func TestTornLedgerIsFoundAfterAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	folder := filled(t, path)
	damage(t, path, "files")
	killed(t, path)
	s := openAt(t, path)
	require.Contains(t, s.SetAside(), "was damaged")
	require.Contains(t, s.SetAside(), "1 folder")
	folders, err := s.Folders(t.Context())
	require.NoError(t, err)
	require.Equal(t, []Folder{{ID: folder, Path: "/in", Settings: []byte(`{"a":1}`)}}, folders)
	counts, err := s.Counts(t.Context())
	require.NoError(t, err)
	saved := counts[folder].Pending
	require.Greater(t, saved, int64(300), "most of the ledger was read")
	require.Less(t, saved, int64(500))
	require.Equal(t, int64(1), counts[folder].Moved)
	require.Equal(t, int64(1), counts[folder].Cancelled)
	require.Zero(t, counts[folder].Done, "all is looked at again")
	f, err := s.File(t.Context(), folder, manyFiles(folder, 1)[0].Path, "es")
	require.NoError(t, err)
	require.Empty(t, f.SHA256)
	is, _, err := s.IsOutput(t.Context(), f.Output, "")
	require.NoError(t, err)
	require.True(t, is)
	sums, err := s.WrittenTo(t.Context(), "/place")
	require.NoError(t, err)
	require.Equal(t, []string{checksumOf("written")}, sums)
	inherited, known, err := s.Inherited(t.Context(), folder)
	require.NoError(t, err)
	require.True(t, inherited && known, "some outputs may be unknown by now")
}

func TestDamageFoundWhileRunningIsSetAsideByTheNextOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	filled(t, path)
	damage(t, path, "history")
	s := openAt(t, path)
	require.Empty(t, s.SetAside(), "a clean end is trusted")
	_, err := s.History(t.Context(), HistoryQuery{})
	require.ErrorIs(t, err, ErrCorrupt)
	require.ErrorContains(t, err, path)
	require.True(t, exists(path+damagedSuffix))
	require.ErrorIs(t, s.Remember(t.Context(), Scope{}, []Pair{{"a", "b"}}), ErrCorrupt)
	s.Close()

	s = openAt(t, path)
	require.Contains(t, s.SetAside(), "500 files", "the ledger was whole")
	require.False(t, exists(path+damagedSuffix))
	require.Greater(t, s.NextRevision(), uint64(1<<50), "revisions go on")
}

func TestLargeTablesAreCheckedInTheBackground(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	filled(t, path)
	damage(t, path, "history")
	killed(t, path)
	s := openAt(t, path)
	require.Empty(t, s.SetAside())
	s.tasks.Wait()
	require.True(t, s.damaged.Load())
	s.Close()
	require.NotEmpty(t, openAt(t, path).SetAside())
}

func TestFewFilesAreSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	for range 4 {
		require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("garbage", 1000)), 0o600))
		require.NoError(t, openAt(t, path).Close())
	}
	require.Len(t, beside(path, asideInfix), 2)
}
