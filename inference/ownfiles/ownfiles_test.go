package ownfiles

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

var format = Format[string]{Extensions: []string{".txt"}, Own: "own.txt", Parse: func(_ string, r io.Reader) ([]string, error) {
	data, err := io.ReadAll(DropMark(r))
	if string(data) == "bad" {
		return nil, errors.New("bad file")
	}
	return []string{string(data)}, err
}}

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b")
	f := New(dir, format, func(all []string) string { return strings.Join(all, " ") })
	write := func(name, content string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	got, err := f.Current()
	require.NoError(t, err, "it may be missing")
	require.Empty(t, got)
	require.NoError(t, os.Mkdir(dir, 0o700))
	write("own.txt", "\ufeffown")
	write("z.TXT", "last")
	write("a.txt", "first")
	write("b.txt", "bad")
	write("c.md", "other")
	got, err = f.Current()
	require.ErrorContains(t, err, "bad file")
	require.Equal(t, "first last own", got)
	got, err = f.Current()
	require.NoError(t, err, "it is said once")
	require.Equal(t, "first last own", got)
	files, err := f.Files()
	require.NoError(t, err)
	require.Len(t, files, 4)
	write("b.txt", "mended")
	got, err = f.Current()
	require.NoError(t, err)
	require.Equal(t, "first mended last own", got)

	one := New(filepath.Join(dir, "a.txt"), format, func(all []string) string { return strings.Join(all, " ") })
	got, err = one.Current()
	require.NoError(t, err)
	require.Equal(t, "first", got, "of a single file")
	write("a.txt", "changed")
	got, err = one.Current()
	require.NoError(t, err)
	require.Equal(t, "changed", got)
}

// TestALargeFileKeepsNobodyWaiting has a file whose reading takes a minute.
func TestALargeFileKeepsNobodyWaiting(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		slow := Format[string]{Extensions: []string{".txt"}, Parse: func(_ string, r io.Reader) ([]string, error) {
			time.Sleep(time.Minute)
			data, err := io.ReadAll(r)
			return []string{string(data)}, errors.Join(err, errors.New("told once"))
		}}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("large"), 0o600))
		f := New(dir, slow, func(all []string) string { return strings.Join(all, " ") })
		start := time.Now()
		for range 3 {
			got, err := f.Within(time.Second)
			require.NoError(t, err)
			require.Empty(t, got)
		}
		require.Equal(t, 3*time.Second, time.Since(start))
		got, err := f.Current()
		require.ErrorContains(t, err, "told once")
		require.Equal(t, "large", got)
		require.Equal(t, time.Minute, time.Since(start), "it is read once")
		got, err = f.Within(time.Second)
		require.NoError(t, err)
		require.Equal(t, "large", got)
	})
}
