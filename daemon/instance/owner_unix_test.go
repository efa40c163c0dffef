//go:build unix

package instance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// An administrator who takes another user's place, as with sudo, reads whose
// process is in the way.
func TestTheHolderMayBeAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be another user")
	}
	dir := t.TempDir()
	other(t, dir)
	_, err := Take(dir, Info{})
	require.NotContains(t, err.Error(), "of user", "it is this one's")
	require.NoError(t, os.Chown(filepath.Join(dir, infoFile), 4_000_001, -1)) // as that user's daemon writes it
	_, err = Take(dir, Info{})
	require.ErrorIs(t, err, ErrHeld)
	require.ErrorContains(t, err, " of user 4000001 since ")
}
