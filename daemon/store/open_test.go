package store

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var quiet = Options{Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Busy: 200 * time.Millisecond}

func openAt(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, quiet)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func openNew(t testing.TB) *Store {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "state.db"))
}

// raw opens the file past the store.
func raw(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

func run(t testing.TB, db *sql.DB, statement string, args ...any) {
	t.Helper()
	_, err := db.Exec(statement, args...)
	require.NoError(t, err)
}

func TestOpenMakesAPrivateFile(t *testing.T) {
	// What a URI would take for something else is part of the name.
	path := filepath.Join(t.TempDir(), "a folder 100%", "state#1.db")
	if runtime.GOOS != "windows" {
		path = filepath.Join(t.TempDir(), "a?folder \xff", "state#?mode=ro.db")
	}
	s := openAt(t, path)
	require.Empty(t, s.SetAside())
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		require.NoError(t, err)
		if runtime.GOOS != "windows" {
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
		}
	}
	if runtime.GOOS != "windows" {
		info, err := os.Stat(filepath.Dir(path))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	}
	require.NoError(t, s.Close())
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1, "one file holds everything after Close")
	require.NoError(t, s.Close(), "again")
	_, err = s.AddHistory(t.Context(), HistoryEntry{})
	require.ErrorIs(t, err, ErrClosed)
}

func TestOthersPermissionsAreTaken(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has access control lists, which the profile's folder sets")
	}
	path := filepath.Join(t.TempDir(), "state.db")
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	openAt(t, path)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestConnectionsAreSafe(t *testing.T) {
	s := openNew(t)
	for pragma, want := range map[string]int{"foreign_keys": 1, "secure_delete": 1, "temp_store": 2, "busy_timeout": 200} {
		var got int
		require.NoError(t, s.readers.QueryRow("PRAGMA "+pragma).Scan(&got))
		require.Equal(t, want, got, pragma)
		require.NoError(t, s.writer.outside(t.Context(), func(c *conn) error { return c.row("PRAGMA "+pragma, nil, &got) }))
		require.Equal(t, want, got, pragma)
	}
	mode := func() (journal string, synchronous int) {
		require.NoError(t, s.writer.outside(t.Context(), func(c *conn) error {
			if err := c.row("PRAGMA journal_mode", nil, &journal); err != nil {
				return err
			}
			return c.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&synchronous)
		}))
		return journal, synchronous
	}
	const full, normal = 2, 1
	nothing := func(c *conn) error { return nil }
	for _, step := range []struct {
		write func() error
		want  int
	}{
		{func() error { return s.writer.durable(t.Context(), nothing) }, full},
		{func() error { return s.writer.lazy(t.Context(), nothing) }, normal},
		{func() error { return s.writer.durable(t.Context(), nothing) }, full},
	} {
		require.NoError(t, step.write())
		journal, synchronous := mode()
		require.Equal(t, "wal", journal)
		require.Equal(t, step.want, synchronous)
	}
}

func TestNewerFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	require.NoError(t, openAt(t, path).Close())
	db := raw(t, path)
	run(t, db, "PRAGMA user_version=99")
	db.Close()
	before, err := os.ReadFile(path)
	require.NoError(t, err)

	_, err = Open(t.Context(), path, quiet)
	require.ErrorIs(t, err, ErrNewer)
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "version 99")
	require.ErrorContains(t, err, "update dragoman")

	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after, "it is left as it was")
}

func TestForeignDatabaseIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	db := raw(t, path)
	run(t, db, "CREATE TABLE theirs (a)")
	db.Close()
	_, err := Open(t.Context(), path, quiet)
	require.ErrorIs(t, err, ErrForeign)
	require.NotErrorIs(t, err, ErrCorrupt)
}

func TestLockedByAnotherProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := openAt(t, path)
	db := raw(t, path)
	run(t, db, "BEGIN IMMEDIATE")
	_, err := s.AddHistory(t.Context(), HistoryEntry{Source: "a"})
	require.ErrorIs(t, err, ErrBusy)
	require.ErrorContains(t, err, path)
	_, err = s.History(t.Context(), HistoryQuery{})
	require.NoError(t, err, "reading goes on")
	run(t, db, "ROLLBACK")
	_, err = s.AddHistory(t.Context(), HistoryEntry{Source: "a"})
	require.NoError(t, err)
	require.NoError(t, s.Close())

	run(t, db, "PRAGMA locking_mode=EXCLUSIVE")
	run(t, db, "BEGIN EXCLUSIVE")
	_, err = Open(t.Context(), path, quiet)
	require.ErrorIs(t, err, ErrBusy)
	require.ErrorContains(t, err, path)
}

// Neither who gives up nor Close waits as long for another program as others do.
func TestLockedWhileClosing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s, err := Open(t.Context(), path, Options{Log: quiet.Log, Busy: time.Hour})
	require.NoError(t, err)
	folder := newFolder(t, s, "/in")
	remember(t, s, "a", "b")
	other := raw(t, path)
	run(t, other, "BEGIN IMMEDIATE")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	for range 3 {
		go func() { ended <- s.Accept(ctx, manyFiles(folder, 1)) }()
	}
	cancel()
	for range 3 {
		require.ErrorIs(t, <-ended, context.Canceled)
	}
	require.ErrorIs(t, s.Close(), context.DeadlineExceeded)
	run(t, other, "ROLLBACK")
	counts, err := openAt(t, path).Counts(t.Context())
	require.NoError(t, err)
	require.Zero(t, counts[folder].Pending, "what was given up is not done later")
}

func TestMigrateFromVersion1(t *testing.T) {
	s := openFixture(t, 1)
	folders, err := s.Folders(t.Context())
	require.NoError(t, err)
	require.Equal(t, []Folder{{ID: 3, Path: "/in", Settings: []byte(`{"to":["es"]}`)}}, folders)
	f, err := s.File(t.Context(), 3, "a.txt", "es")
	require.NoError(t, err)
	require.Equal(t, File{ID: 7, Folder: 3, Path: "a.txt", Lang: "es", Size: 5, MTime: 6, SHA256: "ab", Output: "/in/translated/a.es.txt",
		Recipe: "r", State: Done, Attempts: 1, Accepted: time.Unix(0, 8).UTC(), Finished: time.Unix(0, 9).UTC()}, f)
	is, _, err := s.IsOutput(t.Context(), "/in/translated/A.es.txt", "")
	require.NoError(t, err)
	require.True(t, is)
	found, err := s.History(t.Context(), HistoryQuery{Search: "hola"})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, uint64(1048577), s.NextRevision())
	counts, err := s.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[int64]Counts{3: {Done: 1, LastPath: "a.txt", LastFinished: time.Unix(0, 9).UTC()}}, counts)
	fresh := openNew(t)
	require.Equal(t, tables(t, fresh), tables(t, s), "an old file and a new one end the same")
}

func TestMigrateFromVersion2(t *testing.T) {
	s := openFixture(t, 2)
	counts, err := s.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[int64]Counts{3: {Done: 1, Failed: 1, Cancelled: 1, LastPath: "a.txt", LastFinished: time.Unix(0, 9).UTC()}}, counts)
	for name, want := range map[string]FileState{"a.txt": Done, "bad.txt": Failed, "not.txt": Cancelled} {
		f, err := s.File(t.Context(), 3, name, "es")
		require.NoError(t, err)
		require.Equal(t, want, f.State, name)
		require.Empty(t, f.Tried)
	}
	require.Equal(t, tables(t, openNew(t)), tables(t, s), "an old file and a new one end the same")
}

func TestMigrateFromVersion3(t *testing.T) {
	s := openFixture(t, 3)
	f, err := s.File(t.Context(), 3, "bad.txt", "es")
	require.NoError(t, err)
	require.Equal(t, "en r ef", f.Tried)
	_, known, err := s.Inherited(t.Context(), 3)
	require.NoError(t, err)
	require.False(t, known)
	claimed, written, err := s.IsOutput(t.Context(), "/in/translated/a.es.txt", "/in/translated/a.es.txt")
	require.NoError(t, err)
	require.True(t, claimed)
	require.False(t, written)
	require.Equal(t, tables(t, openNew(t)), tables(t, s), "an old file and a new one end the same")
	require.Len(t, schema, 4, "each version has a fixture")
}

// openFixture opens what an earlier version wrote. The files are frozen: the first
// holds a whole database, each other one what its version did to the one before.
func openFixture(t *testing.T, version int) *Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.db")
	db := raw(t, path)
	for v := range version {
		step, err := os.ReadFile(filepath.Join("testdata", fmt.Sprintf("v%d.sql", v+1)))
		require.NoError(t, err)
		run(t, db, string(step))
	}
	require.NoError(t, db.Close())
	return openAt(t, path)
}

func tables(t *testing.T, s *Store) (all []string) {
	require.NoError(t, s.each(t.Context(), func(rows *sql.Rows) error {
		var text string
		err := rows.Scan(&text)
		all = append(all, text)
		return err
	}, "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name"))
	require.NotEmpty(t, all)
	return all
}

func TestMigrationsAreWhole(t *testing.T) {
	s := openNew(t)
	version := func() (v int) {
		require.NoError(t, s.readers.QueryRow("PRAGMA user_version").Scan(&v))
		return v
	}
	steps := func(more ...string) error {
		return s.writer.outside(t.Context(), func(c *conn) error { return migrate(t.Context(), c, append(schema[:len(schema):len(schema)], more...)) })
	}
	now := len(schema)
	require.ErrorContains(t, steps("CREATE TABLE a (x)", "CREATE TABLE b (x); CREATE TABLE a (x)"), "a already exists")
	require.Equal(t, now+1, version(), "the step that failed left nothing")
	require.NoError(t, steps("CREATE TABLE a (x)", "CREATE TABLE b (x)"))
	require.Equal(t, now+2, version())
}

func TestNextRevisionGrowsAcrossRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	last := uint64(0)
	for range 3 {
		s := openAt(t, path)
		for range 100 {
			next := s.NextRevision()
			require.Greater(t, next, last)
			last = next
		}
		s.revisions.last = s.revisions.reserved - 1 // near the end of the block
		for range 3 {
			next := s.NextRevision()
			require.Greater(t, next, last)
			last = next
		}
		require.NoError(t, s.Close())
	}
}
