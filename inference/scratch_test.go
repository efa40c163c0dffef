package inference

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What killed programs left is told, removed by the next one that needs such a
// folder, and by Prune; what lives stays.
func TestLeftoversOfKilledPrograms(t *testing.T) {
	c := Cache{Dir: filepath.Join(t.TempDir(), "cache")}
	living, remove, err := c.Scratch()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(living.Dir, "weights"), make([]byte, 5), 0o600))
	require.Zero(t, c.List().Left)

	leave := func(names ...string) (dirs []string) {
		for _, name := range names {
			dir := filepath.Join(c.Dir, name)
			require.NoError(t, os.MkdirAll(dir, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "weights.bin"), make([]byte, 7), 0o600))
			dirs = append(dirs, dir)
		}
		return dirs
	}
	killed := leave(scratchMark+"1", graphsFolder+"/.prepare-x-1", graphsFolder+"/damaged")
	require.NoError(t, os.WriteFile(killed[0]+scratchLock, nil, 0o600))
	content := c.List()
	require.Equal(t, 3, content.Left)
	require.Equal(t, int64(21), content.Bytes())
	require.Len(t, c.Prune("", false, true), 3)
	require.DirExists(t, killed[0])
	for _, r := range c.Prune("", false, false) {
		require.NoError(t, r.Err)
		require.Equal(t, int64(7), r.Bytes)
	}
	for _, dir := range killed {
		require.NoDirExists(t, dir)
	}
	require.NoFileExists(t, killed[0]+scratchLock)
	require.FileExists(t, filepath.Join(living.Dir, "weights"))
	require.Zero(t, c.List().Left)

	killed = leave(scratchMark + "2")
	_, removeOther, err := c.Scratch()
	require.NoError(t, err)
	require.NoDirExists(t, killed[0])
	require.DirExists(t, living.Dir)
	require.NoError(t, remove())
	require.NoError(t, removeOther())
	left, err := filepath.Glob(filepath.Join(c.Dir, scratchMark+"*"))
	require.NoError(t, err)
	require.Empty(t, left)
}
