package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
	"dragoman/inference/power"
)

// TestBenchEnergyOnAPlayedMeter runs the real model beside a package's counter
// that a goroutine turns.
func TestBenchEnergyOnAPlayedMeter(t *testing.T) {
	t.Setenv("DRAGOMAN_OPENVINO", ovtest.Library(t).Library)
	t.Setenv("DRAGOMAN_MODEL", filepath.Join(ovtest.Root(), "assets", "starter"))
	t.Setenv("DRAGOMAN_CACHE", t.TempDir())
	t.Setenv("DRAGOMAN_CONFIG", filepath.Join(t.TempDir(), "config.toml"))
	zone := filepath.Join(t.TempDir(), "class/powercap/intel-rapl:0")
	require.NoError(t, os.MkdirAll(zone, 0o755))
	energy, err := os.Create(filepath.Join(zone, "energy_uj"))
	require.NoError(t, err)
	defer energy.Close()
	const watts = 10
	start, stop := time.Now(), make(chan struct{})
	turn := func() {
		text := strconv.FormatInt(1_000_000_000+time.Since(start).Microseconds()*watts, 10) + "\n"
		_, _ = energy.WriteAt([]byte(text), 0)
	}
	turn()
	require.NoError(t, os.WriteFile(filepath.Join(zone, "name"), []byte("package-0\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(zone, "max_energy_range_uj"), []byte("262143328850\n"), 0o644))
	turned := make(chan struct{})
	go func() {
		defer close(turned)
		for {
			select {
			case <-time.After(time.Millisecond):
				turn()
			case <-stop:
				return
			}
		}
	}()
	defer func() { close(stop); <-turned }()

	c := &cobra.Command{}
	c.SetContext(t.Context())
	e := energyBench{to: "es", rounds: 3, span: time.Second, machine: power.Sysfs(filepath.Dir(filepath.Dir(filepath.Dir(zone))))}
	gauge, err := e.meter()
	require.NoError(t, err)
	require.Contains(t, gauge.Source(), "RAPL package-0")
	cpu, err := e.device(c, options{}, "CPU", gauge, nil)
	require.NoError(t, err)
	require.Positive(t, cpu.Texts)
	require.InDelta(t, watts, cpu.IdleWatts.Value, watts/2)
	// The played machine draws no more with work than without.
	require.True(t, cpu.Unknown != "" || cpu.JoulesPerText.Low > 0, "never a figure that may be nothing")
}
