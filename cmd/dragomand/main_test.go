package main

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/assets"
	"dragoman/daemon/config"
)

func TestWrongCommandLinesAreNotTriedAgain(t *testing.T) {
	for _, args := range [][]string{{"--unknown"}, {"run", "--unknown"}, {"nonsense"}, {"run", "nonsense"}, {"--state", "relative"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Setenv(config.EnvState, "") // put back what the flag sets
			root := newRoot(nil)
			root.SetArgs(args)
			err := root.ExecuteContext(t.Context())
			var usage usageError
			require.True(t, errors.As(err, &usage), "%v", err)
		})
	}
	for _, unit := range []string{assets.UserUnit, assets.SystemUnit} {
		require.Contains(t, unit, "RestartPreventExitStatus=64\n")
		require.Equal(t, 64, exitUsage)
	}
}

func TestVersion(t *testing.T) {
	var out strings.Builder
	root := newRoot(nil)
	root.SetOut(&out)
	root.SetArgs([]string{"version"})
	require.NoError(t, root.ExecuteContext(t.Context()))
	require.Regexp(t, `^dragomand development.*, go\S+ \w+/\w+\n$`, out.String())
}

// The system unit sets what the daemon reads.
func TestUnitSetsKnownVariables(t *testing.T) {
	known := []string{config.EnvConfig, config.EnvState, config.EnvData, config.EnvCache, config.EnvRuntime}
	for _, variable := range known {
		require.Contains(t, assets.SystemUnit, "\nEnvironment="+variable+"=/")
	}
	for line := range strings.Lines(assets.SystemUnit) {
		setting, found := strings.CutPrefix(line, "Environment=")
		if !found {
			continue
		}
		variable, value, _ := strings.Cut(strings.TrimSpace(setting), "=")
		require.True(t, strings.HasPrefix(variable, "DRAGOMAN_") || variable == "GLIBC_TUNABLES", variable)
		t.Setenv(variable, value)
	}
	paths, err := config.NewPaths(config.Host())
	require.NoError(t, err)
	require.Equal(t, "/run/dragoman", paths.RuntimeDir)
	require.Equal(t, "/var/lib/dragoman", paths.StateDir)
	settings, err := config.Load(filepath.Join(t.TempDir(), "config.toml")) // not there
	require.NoError(t, err)
	require.Equal(t, "dragoman", settings.API.Group)
}
