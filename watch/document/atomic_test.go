package document

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var found []string
	for _, e := range entries {
		found = append(found, e.Name())
	}
	return found
}

func TestWriteAtomicReplacesAndLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.txt")
	for _, content := range []string{"first", "second", ""} {
		require.NoError(t, WriteAtomic(path, []byte(content), 0o644))
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, content, string(got))
	}
	require.Equal(t, []string{"out.txt"}, names(t, dir))
}

// A reader sees one of the whole contents at every moment, whoever writes.
func TestWriteAtomicIsNeverHalf(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.txt")
	whole := map[string]bool{}
	content := func(i int) []byte {
		b := make([]byte, 200_000)
		for j := range b {
			b[j] = byte('a' + i)
		}
		return b
	}
	for i := range 4 {
		whole[string(content(i))] = true
	}
	require.NoError(t, WriteAtomic(path, content(0), 0o644))
	var writers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() {
			for range 10 {
				if err := WriteAtomic(path, content(i), 0o644); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, whole[string(got)], "a mixture or a part")
	}
	require.Equal(t, []string{"out.txt"}, names(t, dir))
}

// F25: one error a caller can tell once for the folder, nothing left behind.
func TestWriteAtomicTellsTheFolder(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	require.NoError(t, os.MkdirAll(filepath.Join(taken, "sub"), 0o755))
	err := WriteAtomic(taken, []byte("x"), 0o644)
	var write *WriteError
	require.ErrorAs(t, err, &write)
	require.Equal(t, dir, write.Dir)
	require.Equal(t, []string{"taken"}, names(t, dir))

	err = WriteAtomic(filepath.Join(dir, "missing", "out.txt"), nil, 0o644)
	require.ErrorAs(t, err, &write)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, &WriteError{Dir: "d", Err: os.ErrPermission}, "make the folder writable")
}

func TestMakeFolders(t *testing.T) {
	root := t.TempDir()
	base := filepath.Join(root, "translated")
	require.NoError(t, MakeFolders(base, "a.txt"))
	require.NoError(t, MakeFolders(base, "s/t/a.txt"))
	require.NoError(t, MakeFolders(base, "s/t/a.txt"))
	require.DirExists(t, filepath.Join(base, "s", "t"))

	// A root that was taken away is not made anew.
	gone := filepath.Join(root, "gone", "translated")
	require.ErrorIs(t, MakeFolders(gone, "a.txt"), os.ErrNotExist)
	require.NoDirExists(t, filepath.Dir(gone))

	file := filepath.Join(root, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	err := MakeFolders(file, "a.txt")
	var write *WriteError
	require.True(t, errors.As(err, &write))
	require.ErrorContains(t, err, "in the way")
}

func TestCleanTempsTakesOrphansOnly(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "sub")
	require.NoError(t, os.Mkdir(sub, 0o755))
	held, err := createTemp(sub)
	require.NoError(t, err)
	defer held.Close()
	pid, ok := tempOwner(filepath.Base(held.Name()))
	require.True(t, ok)
	require.Equal(t, os.Getpid(), pid)

	const dead = 999999999 // above the highest process id of Linux and, in practice, Windows
	orphan := fmt.Sprintf(".dragoman-%d-0123456789abcdef.tmp", dead)
	keep := []string{
		"a.tmp", ".dragoman.es.jsonl", ".dragoman-x-0123456789abcdef.tmp", ".dragoman-1-short.tmp",
		fmt.Sprintf(".dragoman-%d-0123456789abcdef.txt", dead),
	}
	for _, name := range append(keep, orphan) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(sub, orphan), nil, 0o600))

	n, err := CleanTemps(dir)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.ElementsMatch(t, append(keep, "sub"), names(t, dir))
	require.FileExists(t, held.Name())

	n, err = CleanTemps(filepath.Join(dir, "missing"))
	require.NoError(t, err)
	require.Zero(t, n)
}
