package daemon_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/inference/power"
)

// TestOnBatteryBatchWorkWaits lets a text of each lane come while the machine
// runs on its battery.
func TestOnBatteryBatchWorkWaits(t *testing.T) {
	tree := t.TempDir()
	supply := filepath.Join(tree, "class/power_supply/BAT0")
	require.NoError(t, os.MkdirAll(supply, 0o755))
	set := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(supply, name), []byte(text), 0o644))
	}
	set("type", "Battery")
	set("status", "Discharging")
	paths := newPaths(t)
	require.NoError(t, os.WriteFile(paths.ConfigFile, []byte("[power]\non_battery = \"wait\"\n"), 0o644))
	s := startOn(t, paths, power.Sysfs(tree))
	waiting := s.until(func(now api.Snapshot) bool { return now.State == api.StatePaused })
	require.Equal(t, api.PaceWait, waiting.Power.Batch)
	require.Equal(t, waiting.Power.Why, waiting.Message)
	require.True(t, waiting.Power.OnBattery)

	done := make(chan error, 1)
	go func() {
		_, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{"The cat sleeps."}, From: "en", To: "es", Lane: api.LaneBatch})
		done <- err
	}()
	s.until(func(now api.Snapshot) bool { return now.Queue.Batch == 1 })
	_, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{"The dog runs."}, From: "en", To: "es"})
	require.NoError(t, err, "interactive work goes on")
	require.Empty(t, done)

	set("status", "Charging")
	require.NoError(t, <-done)
	s.until(func(now api.Snapshot) bool { return now.State == api.StateReady && now.Power.Batch == api.PaceRun })

	_, err = s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"power.on_battery": new(`"slow"`)}})
	require.NoError(t, err)
	set("status", "Discharging")
	slow := s.until(func(now api.Snapshot) bool { return now.Power.Batch == api.PaceSlow })
	require.Equal(t, api.StateReady, slow.State)
	_, err = s.Translate(t.Context(), api.TranslateRequest{
		Texts: []string{"The bird sings. The fish swims. The horse stands."}, From: "en", To: "es", Lane: api.LaneBatch,
	})
	require.NoError(t, err, "slowly, but to the end")
}
