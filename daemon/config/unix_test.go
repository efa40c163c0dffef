//go:build unix

package config_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/config"
)

func TestLoadOfAPipeDoesNotWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	_, err := config.Load(path)
	require.ErrorContains(t, err, path+" is no file")
}
