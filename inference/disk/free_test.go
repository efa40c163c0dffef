package disk

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFree(t *testing.T) {
	dir := t.TempDir()
	free, err := Free(dir)
	require.NoError(t, err)
	require.NotZero(t, free) // this test needed a folder
	_, err = Free(filepath.Join(dir, "none"))
	require.ErrorContains(t, err, "none")
}
