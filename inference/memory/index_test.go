package memory

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// largeFile writes a file that is indexed on the disk.
func largeFile(t *testing.T, dir string) {
	t.Helper()
	var units []Unit
	for i := range 5000 {
		units = append(units, unit(fmt.Sprintf("The item number %d of the list is on page %d.", i, i/7), fmt.Sprintf("Nummer %d", i)))
	}
	var b strings.Builder
	require.NoError(t, WriteTMX(&b, slices.Values(units)))
	require.Greater(t, b.Len(), smallFile)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "large.tmx"), []byte(b.String()), 0o600))
}

func indexesIn(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	return found
}

func TestLargeFilesAreIndexedOnce(t *testing.T) {
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	largeFile(t, dir)
	check := func() {
		t.Helper()
		m, err := NewFolder(dir, cache).Current()
		require.NoError(t, err)
		got, found := m.Exact("en", "de", "The item number 4711 of the list is on page 673.")
		require.True(t, found)
		require.Equal(t, "Nummer 4711", got)
		similar := m.Similar("en", "de", "The item number 4711 of our list is on page 673.", 60, 1)
		require.Equal(t, 90, similar[0].Percent)
		require.Equal(t, filepath.Join(dir, "large.tmx"), similar[0].Unit.File)
		require.Equal(t, 4711+5, similar[0].Unit.Line, "behind four lines of head")
		require.Len(t, slices.Collect(m.Units()), 5000)
	}
	check()
	made := indexesIn(t, cache)
	require.Len(t, made, 1)
	before, err := os.Stat(made[0])
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), before.Mode().Perm(), "it holds texts")
	check()
	after, err := os.Stat(made[0])
	require.NoError(t, err)
	require.True(t, os.SameFile(before, after), "it is not made again")
	n, err := Count(filepath.Join(dir, "large.tmx"), cache)
	require.NoError(t, err)
	require.Equal(t, 5000, n)

	// What is damaged is made anew.
	for name, damage := range map[string]func(data []byte) []byte{
		"cut":     func(data []byte) []byte { return data[:len(data)/2] },
		"changed": func(data []byte) []byte { data[len(data)/3] ^= 1; return data },
		"empty":   func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(made[0])
			require.NoError(t, err)
			require.NoError(t, os.Remove(made[0])) // maps of it go on
			require.NoError(t, os.WriteFile(made[0], damage(data), 0o600))
			check()
		})
	}
}

func TestIndexesGoWithTheirFiles(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	largeFile(t, dir)
	f := NewFolder(dir, cache)
	_, err := f.Current()
	require.NoError(t, err)
	require.Len(t, indexesIn(t, cache), 1)
	NewFolder(dir, cache)
	require.Len(t, indexesIn(t, cache), 1, "not before the folder was looked at")
	require.NoError(t, os.Remove(filepath.Join(dir, "large.tmx")))
	m, err := f.Current()
	require.NoError(t, err)
	require.Empty(t, indexesIn(t, cache))
	_, found := m.Exact("en", "de", "The item number 4711 of the list is on page 673.")
	require.False(t, found)
}

func TestAMemoryWithoutRoomForAnIndex(t *testing.T) {
	dir := t.TempDir()
	largeFile(t, dir)
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	m, err := NewFolder(dir, filepath.Join(file, "cache")).Current()
	require.NoError(t, err)
	_, found := m.Exact("en", "de", "The item number 4711 of the list is on page 673.")
	require.True(t, found)
}

func TestSeveralSegments(t *testing.T) {
	var b builder
	require.False(t, b.full())
	b.texts = make([]byte, 32<<20)
	require.True(t, b.full())
	m := &Memory{}
	for _, target := range []string{"first", "second"} {
		m.indexes = append(m.indexes, New([]Unit{unit("House", target), unit(target, "x")}).indexes...)
	}
	m.indexes[0].segments = append(m.indexes[0].segments, m.indexes[1].segments...)
	m.indexes = m.indexes[:1]
	got, found := m.Exact("en", "de", "House")
	require.True(t, found)
	require.Equal(t, "second", got, "the later one counts")
	got, found = m.Exact("en", "de", "first")
	require.True(t, found)
	require.Equal(t, "x", got)
	require.Equal(t, "second", m.Similar("en", "de", "House", 60, 2)[0].Target)
}

// FuzzSegment reads bytes that are no segment: whatever they are, nothing
// crashes.
func FuzzSegment(f *testing.F) {
	var b builder
	b.add(unit("The house is big.", "Das Haus ist groß."))
	f.Add(b.bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := newSegment(data)
		if err != nil {
			return
		}
		m := &Memory{indexes: []*index{{segments: []segment{s}}}}
		m.Exact("en", "de", "The house is big.")
		m.Similar("en", "de", "The house is big.", 1, 3)
		if s.count() < 100 {
			require.LessOrEqual(t, len(slices.Collect(m.Units())), 100)
		}
	})
}
