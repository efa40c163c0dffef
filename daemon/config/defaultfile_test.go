package config_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dragoman/daemon/config"

	"github.com/stretchr/testify/require"
)

func unset(string) string { return "" }

func TestDefaultFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	text := string(config.DefaultFile())
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	asIs, err := config.Read(path, unset)
	require.NoError(t, err)
	require.Equal(t, config.Default(), asIs.Config)
	for _, k := range config.Keys() {
		require.Equal(t, config.SourceDefault, asIs.Source(k.Name), k.Name)
		require.Contains(t, text, k.Env())
	}

	uncommented := regexp.MustCompile(`(?m)^#(\S)`).ReplaceAllString(text, "$1")
	require.NoError(t, os.WriteFile(path, []byte(uncommented), 0o600))
	filled, err := config.Read(path, unset)
	require.NoError(t, err)
	require.Equal(t, config.Default(), filled.Config)
	for _, k := range config.Keys() {
		require.Equal(t, config.SourceFile, filled.Source(k.Name), k.Name)
	}

	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len(line), 89+1, line)
	}
}
