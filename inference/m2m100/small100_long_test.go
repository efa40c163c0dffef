//go:build long

package m2m100

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSmall100ReferenceIsCurrent writes the reference anew. With
// DRAGOMAN_TEST_UPDATE it puts it where the other test reads it.
func TestSmall100ReferenceIsCurrent(t *testing.T) {
	python := referencePython(t)
	got, err := exec.Command(python, filepath.Join("testdata", "small100.py"), starterDir(), small100(t)).Output()
	require.NoError(t, err)
	if os.Getenv("DRAGOMAN_TEST_UPDATE") != "" {
		require.NoError(t, os.WriteFile(small100File, got, 0o644))
	}
	want, err := os.ReadFile(small100File)
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(got))
}
