//go:build unix

package model

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Only possible where a mapped file can be cut: the process must live on.
func TestFileCutShortAfterOpenIsAnError(t *testing.T) {
	dir := newFolder(t)
	n := 100_000
	path := write(t, dir, "model.safetensors", safetensorsOf(t, map[string]matrix{"a": {[]int{n}, ramp(n, 0)}}))
	c := open(t, dir)
	a, err := c.Tensor("a")
	require.NoError(t, err)
	require.NoError(t, os.Truncate(path, 200))
	err = a.Float32(make([]float32, n), 0)
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "cut short")
	_, err = c.ContentKey(t.Context())
	require.ErrorContains(t, err, "cut short")
}

// Opening a pipe would wait for a writer.
func TestPipeIsRefused(t *testing.T) {
	dir := newFolder(t)
	require.NoError(t, unix.Mkfifo(filepath.Join(dir, "model.safetensors"), 0o600))
	_, err := Open(dir)
	require.ErrorContains(t, err, "not a regular file")
}

// Model stores keep a folder of links to files that are named by their hash.
func TestLinkedFiles(t *testing.T) {
	dir, store := newFolder(t), t.TempDir()
	blob := write(t, store, "0123", safetensorsOf(t, map[string]matrix{"a": {[]int{3}, ramp(3, 0)}}))
	require.NoError(t, os.Symlink(blob, filepath.Join(dir, "model.safetensors")))
	require.Equal(t, ramp(3, 0), values(t, open(t, dir), "a"))
}
