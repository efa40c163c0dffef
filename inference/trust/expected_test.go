package trust

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExpectedIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "devices")
	want := Expected{{{1, 2.5}, {-3}}, {{0, 4, 5}, {}}}
	_, ok := LoadExpected(dir, "a model")
	require.False(t, ok)
	require.NoError(t, want.Save(dir, "a model"))
	got, ok := LoadExpected(dir, "a model")
	require.True(t, ok)
	require.Equal(t, want, got)
	_, ok = LoadExpected(dir, "another model")
	require.False(t, ok)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestExpectedThatIsDamaged(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Expected{{{1, 2}}}.Save(dir, "a model"))
	path := expectedFile(dir, "a model")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for n := range whole {
		require.NoError(t, os.WriteFile(path, whole[:n], 0o600))
		_, ok := LoadExpected(dir, "a model")
		require.False(t, ok)
		spoiled := append([]byte(nil), whole...)
		spoiled[n] ^= 1
		require.NoError(t, os.WriteFile(path, spoiled, 0o600))
		_, ok = LoadExpected(dir, "a model")
		require.False(t, ok)
	}
}
