package document

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func original(t *testing.T, root, rel, content string) Stamp {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(rel))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o640))
	stamp, err := StampOf(path)
	require.NoError(t, err)
	return stamp
}

func TestMoveDone(t *testing.T) {
	root := t.TempDir()
	for i, want := range []string{"a.txt", "a (2).txt", "a (3).txt"} {
		stamp := original(t, root, "s/a.txt", string(rune('x'+i)))
		to, err := MoveDone(root, "s/a.txt", stamp)
		require.NoError(t, err)
		require.Equal(t, filepath.Join(root, "done", "s", want), to)
		now, err := StampOf(to)
		require.NoError(t, err)
		require.Equal(t, stamp, now, "the time too")
		require.NoFileExists(t, filepath.Join(root, "s", "a.txt"))
	}
	marks, err := filepath.Glob(filepath.Join(root, "done", ".dragoman*"))
	require.NoError(t, err)
	require.Len(t, marks, 1, "no watch takes it for input")

	to, err := MoveDone(root, "s/a.txt", Stamp{})
	require.NoError(t, err)
	require.Empty(t, to, "it has gone")
}

func TestMoveDoneOnlyWhatWasTranslated(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "a.txt")
	stamp := original(t, root, "a.txt", "one")
	require.NoError(t, os.WriteFile(path, []byte("two"), 0o644))
	require.NoError(t, os.Chtimes(path, stamp.ModTime, stamp.ModTime)) // the content decides
	_, err := MoveDone(root, "a.txt", stamp)
	require.ErrorIs(t, err, ErrChanged)
	require.ErrorIs(t, MoveToBin(path, stamp), ErrChanged)
	require.FileExists(t, path)

	if os.Symlink("a.txt", filepath.Join(root, "link.txt")) == nil && isLink(filepath.Join(root, "link.txt")) {
		to, err := MoveDone(root, "link.txt", stamp)
		require.NoError(t, err)
		require.Empty(t, to)
		_, err = os.Lstat(filepath.Join(root, "link.txt"))
		require.NoError(t, err, "a link stays")
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "done"), nil, 0o644))
	now, err := StampOf(path)
	require.NoError(t, err)
	_, err = MoveDone(root, "a.txt", now)
	var write *WriteError
	require.ErrorAs(t, err, &write)
	require.FileExists(t, path)
}

// Of many who want a name at once one gets it and nobody's file is lost.
func TestWriteNewIsTakenOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() { errs[i] = WriteNew(path, []byte{byte('0' + i)}, 0o600) })
	}
	wg.Wait()
	won := -1
	for i, err := range errs {
		if err == nil {
			require.Equal(t, -1, won)
			won = i
			continue
		}
		require.ErrorIs(t, err, fs.ErrExist)
	}
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, []byte{byte('0' + won)}, content)
	require.ErrorIs(t, WriteNew(path, nil, 0o600), fs.ErrExist)
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1, "no temporary file is left")
	var write *WriteError
	require.ErrorAs(t, WriteNew(filepath.Join(path, "x"), nil, 0o600), &write)
}

// Written to between the look and the move.
func TestMoveIsTakenBack(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "a.txt")
	stamp := original(t, root, "a.txt", "one")
	was, err := os.Lstat(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte("one and more"), 0o644))
	_, err = moveUnique(path, filepath.Join(root, "b.txt"), was, stamp)
	require.ErrorIs(t, err, ErrChanged)
	require.FileExists(t, path)
	require.NoFileExists(t, filepath.Join(root, "b.txt"))
}

func TestCopyAway(t *testing.T) {
	root := t.TempDir()
	from, to := filepath.Join(root, "a.txt"), filepath.Join(root, "b.txt")
	stamp := original(t, root, "a.txt", "one")
	old := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	require.NoError(t, os.Chtimes(from, old, old))
	require.ErrorIs(t, copyAway(from, to, Stamp{SHA256: "other"}), ErrChanged)
	require.FileExists(t, from)
	require.NoFileExists(t, to)
	require.NoError(t, copyAway(from, to, stamp))
	require.NoFileExists(t, from)
	info, err := os.Stat(to)
	require.NoError(t, err)
	require.True(t, info.ModTime().Equal(old))
	original(t, root, "a.txt", "one")
	require.ErrorIs(t, copyAway(from, to, stamp), fs.ErrExist)
	require.FileExists(t, from)
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	require.Len(t, entries, 2, "no temporary file is left")
}

func TestCleanFolderTemps(t *testing.T) {
	dir := t.TempDir()
	const name = ".dragoman-1999999999-0123456789abcdef.tmp"
	original(t, dir, name, "half")
	original(t, dir, "s/"+name, "not asked for")
	original(t, dir, ".dragoman.es.lock", "")
	n, err := CleanFolderTemps(dir)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.FileExists(t, filepath.Join(dir, "s", name))
	n, err = CleanFolderTemps(filepath.Join(dir, "missing"))
	require.NoError(t, err)
	require.Zero(t, n)
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}
