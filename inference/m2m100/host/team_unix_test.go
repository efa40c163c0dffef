//go:build unix

package host

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/mapped"
)

// TestAFileThatIsCutShortEndsTheStepOnly takes a mapped file away under a team at
// work, in one member and one phase after the other.
func TestAFileThatIsCutShortEndsTheStepOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "weights")
	require.NoError(t, os.WriteFile(path, make([]byte, 1<<16), 0o600))
	m, err := mapped.Open(path)
	require.NoError(t, err)
	defer m.Close()
	require.NoError(t, os.Truncate(path, 0))
	var broken, phase, worked atomic.Int64
	broken.Store(-1)
	var members *team
	members = startTeam(3, func(member int) {
		for p := range int64(3) {
			if int64(member) == broken.Load() && p == phase.Load() {
				worked.Add(int64(m.Bytes()[1<<15]))
			}
			members.barrier()
		}
		worked.Add(1)
	})
	defer members.stop()
	for member := range int64(3) {
		for p := range int64(3) {
			broken.Store(member)
			phase.Store(p)
			require.ErrorIs(t, members.run(), ErrUnreadable)
			broken.Store(-1)
			worked.Store(0)
			require.NoError(t, members.run(), "the next step works")
			require.EqualValues(t, 3, worked.Load())
		}
	}
}
