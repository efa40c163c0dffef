package m2m100

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"
)

func TestUnusedModelsAreRemoved(t *testing.T) {
	parent, now := t.TempDir(), time.Now()
	make := func(name string, age time.Duration) string {
		dir := filepath.Join(parent, name)
		require.NoError(t, os.Mkdir(dir, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, manifestFile), nil, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, weightsFile), nil, 0o600))
		markUsed(dir, now.Add(-age))
		return dir
	}
	fresh, old := make("fresh", UnusedAfter-time.Hour), make("old", UnusedAfter+time.Hour)
	inUse, again := make("in use", 2*UnusedAfter), make("used again", 2*UnusedAfter)
	markUsed(again, now)
	killed, underWay := make(".prepare-killed-1", 2*UnusedAfter), make(".prepare-in use-1", 2*UnusedAfter)
	lock := flock.New(inUse + ".lock")
	require.NoError(t, lock.Lock())
	defer lock.Unlock()
	removeUnused(parent, now)
	require.NoDirExists(t, old)
	require.NoDirExists(t, killed)
	for _, kept := range []string{fresh, inUse, again, underWay} {
		require.FileExists(t, filepath.Join(kept, weightsFile))
	}
	require.NoFileExists(t, killed+".lock")
	require.NoFileExists(t, underWay+".lock")
}
