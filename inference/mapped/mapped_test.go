package mapped

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBytesSurviveRelease(t *testing.T) {
	want := make([]byte, 3<<20)
	for i := range want {
		want[i] = byte(i * 7)
	}
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, want, 0o600))
	f, err := Open(path)
	require.NoError(t, err)
	require.Equal(t, want, f.Bytes())
	f.Release()
	require.Equal(t, want, f.Bytes())
	require.NoError(t, f.Close())
}

func TestEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	f, err := Open(path)
	require.NoError(t, err)
	require.Empty(t, f.Bytes())
	f.Release()
	require.NoError(t, f.Close())
}

func TestMissingFile(t *testing.T) {
	_, err := Open(filepath.Join(t.TempDir(), "missing"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
