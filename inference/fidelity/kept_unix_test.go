//go:build unix

package fidelity

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/internal/usertest"
)

func TestCheckKeptWhereNothingMayBeWritten(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o555))
	usertest.Bind(t, dir)
	err := CheckKept(dir)
	require.ErrorIs(t, err, os.ErrPermission)
	require.ErrorContains(t, err, "cannot be written")
}
