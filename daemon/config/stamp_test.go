package config

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestStampsTellVersionsApart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	stamp := func() Stamp {
		t.Helper()
		s, err := StampOf(path)
		require.NoError(t, err)
		return s
	}
	seen := []Stamp{stamp()}
	next := func(what string) {
		t.Helper()
		now := stamp()
		for _, earlier := range seen {
			require.False(t, now.Same(earlier), what)
		}
		require.True(t, now.Same(stamp()))
		seen = append(seen, now)
	}
	day := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	write := func(text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		require.NoError(t, os.Chtimes(path, day, day))
	}
	write("a = 1")
	next("there is one now")
	write("a = 11")
	next("another size")
	require.NoError(t, os.Chtimes(path, day, day.Add(time.Millisecond)))
	next("another time")
	other := path + ".new"
	require.NoError(t, os.WriteFile(other, []byte("b = 11"), 0o600))
	require.NoError(t, os.Chtimes(other, day, day.Add(time.Millisecond)))
	require.NoError(t, os.Rename(other, path))
	next("another file")
	require.NoError(t, os.Remove(path))
	require.True(t, stamp().Same(Stamp{}))
}

func TestFilesSettle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	day := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	require.NoError(t, os.Chtimes(path, day, day))
	s, err := StampOf(path)
	require.NoError(t, err)
	require.False(t, s.Settled(day.Add(settle/2)))
	require.True(t, s.Settled(day.Add(settle)))
	require.True(t, s.Settled(day.Add(-time.Hour)), "a clock that was put back")
	require.True(t, Stamp{}.Settled(day))
}
