//go:build unix

package desktop

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnBattery(t *testing.T) {
	type supply map[string]string
	mains := func(online string) supply { return supply{"type": "Mains", "online": online} }
	battery := func(status string) supply { return supply{"type": "Battery", "status": status, "scope": "System"} }
	mouse := supply{"type": "Battery", "status": "Discharging", "scope": "Device"}
	for name, c := range map[string]struct {
		supplies map[string]supply
		want     bool
	}{
		"none":                 {nil, false},
		"a desktop's mouse":    {map[string]supply{"hid": mouse}, false},
		"plugged in":           {map[string]supply{"AC": mains("1"), "BAT0": battery("Charging")}, false},
		"plugged in, too weak": {map[string]supply{"AC": mains("1"), "BAT0": battery("Discharging")}, false},
		"unplugged":            {map[string]supply{"AC": mains("0"), "BAT0": battery("Discharging"), "BAT1": battery("Full")}, true},
		"unplugged, full":      {map[string]supply{"AC": mains("0"), "BAT0": battery("Full")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			powerSupplies = t.TempDir()
			for name, s := range c.supplies {
				folder := filepath.Join(powerSupplies, name)
				require.NoError(t, os.Mkdir(folder, 0o755))
				for key, value := range s {
					require.NoError(t, os.WriteFile(filepath.Join(folder, key), []byte(value+"\n"), 0o644))
				}
			}
			got, err := OnBattery()
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
	powerSupplies = filepath.Join(t.TempDir(), "none")
	got, err := OnBattery()
	require.NoError(t, err)
	require.False(t, got)
}

func TestOpen(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	require.ErrorContains(t, Open(t.Context(), "/x"), "xdg-utils")

	script := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(bin, "xdg-open"), []byte("#!/bin/sh\n"+text), 0o755))
	}
	out := filepath.Join(t.TempDir(), "out")
	script(`printf %s "$1" > ` + out)
	require.NoError(t, Open(t.Context(), "/a b/c"))
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, "/a b/c", string(text))

	script("exit 3")
	require.ErrorContains(t, Open(t.Context(), "/x"), "open it by hand")
	script("exit 2")
	require.ErrorContains(t, Open(t.Context(), "/x"), "does not exist")
}
