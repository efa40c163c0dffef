//go:build unix

package agent

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSettingsThatCouldNotBeReachedAreGoodAgain(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "dragoman")
	require.NoError(t, os.Mkdir(folder, 0o700))
	path := filepath.Join(folder, "config.toml")
	require.NoError(t, os.WriteFile(path, []byte("tray.battery_pause = true\n"), 0o600))
	s := openSettings(path)
	_, problem := s.refresh()
	require.NoError(t, problem)

	require.NoError(t, os.Rename(folder, folder+".away"))
	require.NoError(t, os.WriteFile(folder, nil, 0o600))
	_, problem = s.refresh()
	require.Error(t, problem)
	require.NoError(t, os.Remove(folder))
	require.NoError(t, os.Rename(folder+".away", folder))
	now, problem := s.refresh()
	require.NoError(t, problem)
	require.True(t, now.Tray.BatteryPause)
}
