package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever knows the id of something that is gone must not find something else
// under it, also when the database was damaged in between. A folder that is
// added again is the same one: its ledger was kept.
func TestIDsAreGivenOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := openAt(t, path)
	first, second, third := newFolder(t, s, "/1"), newFolder(t, s, "/2"), newFolder(t, s, "/3")
	files := manyFiles(first, 3)
	require.NoError(t, s.Accept(t.Context(), files))
	require.NoError(t, s.Forget(t.Context(), first, files[2].Path))
	require.NoError(t, s.DeleteFolder(t.Context(), second, true))
	require.NoError(t, s.DeleteFolder(t.Context(), third, false))
	fourth := newFolder(t, s, "/4")
	require.NotContains(t, []int64{first, second, third}, fourth)
	require.NoError(t, s.DeleteFolder(t.Context(), fourth, false))
	require.Equal(t, second, newFolder(t, s, "/2"))

	require.NoError(t, s.Close())
	require.NoError(t, os.WriteFile(path+damagedSuffix, nil, 0o600))
	s = openAt(t, path)
	require.NotEmpty(t, s.SetAside())
	require.Greater(t, newFolder(t, s, "/5"), fourth)
	more := manyFiles(first, 4)[3:]
	require.NoError(t, s.Accept(t.Context(), more))
	require.Greater(t, more[0].ID, files[2].ID)
}
