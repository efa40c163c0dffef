package m2m100

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"
)

func TestUnfinishedModels(t *testing.T) {
	parent := t.TempDir()
	require.Empty(t, ListUnfinished(filepath.Join(parent, "none")))
	folder := func(name string, files ...string) string {
		dir := filepath.Join(parent, name)
		require.NoError(t, os.Mkdir(dir, 0o700))
		for _, file := range files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), make([]byte, 10), 0o600))
		}
		return dir
	}
	killed := folder(".prepare-a-1", weightsFile)
	killedLate := folder(".prepare-a-2", weightsFile, manifestFile)
	damaged := folder("b", weightsFile, encoderFile)
	underWay, whole := folder(".prepare-c-1", weightsFile), folder("d", weightsFile, manifestFile)
	lock := flock.New(filepath.Join(parent, "c.lock"))
	require.NoError(t, lock.Lock())
	defer lock.Unlock()

	require.Equal(t, []Unfinished{{killed, 10}, {killedLate, 20}, {damaged, 20}}, ListUnfinished(parent))
	for _, p := range ListPrepared(parent) {
		require.NotEqual(t, killedLate, p.Dir)
	}
	for _, u := range ListUnfinished(parent) {
		require.NoError(t, u.Remove())
		require.NoDirExists(t, u.Dir)
	}
	require.NoError(t, Unfinished{Dir: underWay}.Remove())
	for _, dir := range []string{underWay, whole} {
		require.DirExists(t, dir)
	}
}
