package daemon

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/inference/power"
)

// machineTree is a laptop's sysfs.
type machineTree string

func (m machineTree) set(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(string(m), name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text+"\n"), 0o644))
}

// What a laptop's tree says.
const (
	battery = "class/power_supply/BAT0/status"
	profile = "firmware/acpi/platform_profile"
	heat    = "devices/system/cpu/cpu0/thermal_throttle/package_throttle_count"
)

func laptop(t *testing.T) (*Daemon, machineTree) {
	d := pausing(t, filepath.Join(t.TempDir(), "state.db"))
	m := machineTree(t.TempDir())
	m.set(t, "class/power_supply/BAT0/type", "Battery")
	m.set(t, battery, "Charging")
	m.set(t, profile, "balanced")
	m.set(t, heat, "7")
	d.supply = newSupply(power.Sysfs(m))
	d.lookAtPower()
	return d, m
}

func TestTheSupplySetsThePace(t *testing.T) {
	type step struct{ name, text string }
	for name, test := range map[string]struct {
		steps  []step
		change func(*config.Config)
		want   api.Pace
		why    string
	}{
		"plugged in":                {nil, nil, api.PaceRun, ""},
		"on battery":                {[]step{{battery, "Discharging"}}, nil, api.PaceSlow, "`dragoman config set power.on_battery run`"},
		"on battery, to wait":       {[]step{{battery, "Discharging"}}, func(c *config.Config) { c.Power.OnBattery = "wait" }, api.PaceWait, "the machine runs on its battery"},
		"by the tray's old setting": {[]step{{battery, "Discharging"}}, func(c *config.Config) { c.Tray.BatteryPause = true }, api.PaceWait, "the machine runs on its battery"},
		"on battery, to run":        {[]step{{battery, "Discharging"}}, func(c *config.Config) { c.Power.OnBattery = "run" }, api.PaceRun, ""},
		"saving":                    {[]step{{profile, "low-power"}}, nil, api.PaceSlow, "power-saver"},
		"the strictest counts": {[]step{{battery, "Discharging"}, {profile, "low-power"}}, func(c *config.Config) { c.Power.Saver = "wait" },
			api.PaceWait, "power.saver"},
		"hot":         {[]step{{heat, "8"}}, nil, api.PaceSlow, "slowed down to cool it"},
		"hot, to run": {[]step{{heat, "8"}}, func(c *config.Config) { c.Power.Hot = "run" }, api.PaceRun, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d, m := laptop(t)
			c := config.Default()
			if test.change != nil {
				test.change(&c)
			}
			d.current.Store(&config.Settings{Config: c})
			for _, s := range test.steps {
				m.set(t, s.name, s.text)
			}
			d.lookAtPower()
			now := d.powerNow()
			require.Equal(t, test.want, now.Batch)
			if test.want == api.PaceRun {
				require.Empty(t, now.Why)
			} else {
				require.Contains(t, now.Why, test.why)
			}
			require.Equal(t, test.want == api.PaceWait, d.queue.Paused())
			require.Equal(t, test.want == api.PaceSlow, d.supply.slow())
		})
	}
}

func TestThePersonOverrulesTheSupply(t *testing.T) {
	d, m := laptop(t)
	c := config.Default()
	c.Power.OnBattery = "wait"
	d.current.Store(&config.Settings{Config: c})
	m.set(t, battery, "Discharging")
	d.lookAtPower()
	require.True(t, d.queue.Paused())
	d.resume()
	d.lookAtPower()
	require.False(t, d.queue.Paused(), "until the plug is back")
	require.Equal(t, api.PaceRun, d.powerNow().Batch)

	m.set(t, battery, "Charging")
	d.lookAtPower()
	m.set(t, battery, "Discharging")
	d.lookAtPower()
	require.True(t, d.queue.Paused(), "out again")
}

// TestOnlyWhatHoldsIsOverruled ends an ordinary pause, which says nothing about
// what the machine may meet later.
func TestOnlyWhatHoldsIsOverruled(t *testing.T) {
	d, m := laptop(t)
	d.pause(0)
	d.resume()
	m.set(t, heat, "8")
	d.lookAtPower()
	require.Equal(t, api.PaceSlow, d.powerNow().Batch)
	d.resume()
	require.Equal(t, api.PaceRun, d.powerNow().Batch)
}

// TestTheLastPaceIsApplied lets a person's request overtake a look between its
// decision and what follows from it.
func TestTheLastPaceIsApplied(t *testing.T) {
	d, _ := laptop(t)
	c := config.Default()
	c.Power.OnBattery = "wait"
	d.supply.mu.Lock()
	d.supply.now.OnBattery = true
	require.True(t, d.supply.decide(c))
	d.supply.mu.Unlock()
	d.resume()
	d.holdForSupply()
	require.False(t, d.queue.Paused())
}

func TestAPauseAndABatteryHoldTogether(t *testing.T) {
	d, m := laptop(t)
	c := config.Default()
	c.Power.OnBattery = "wait"
	d.current.Store(&config.Settings{Config: c})
	d.pause(0)
	m.set(t, battery, "Discharging")
	d.lookAtPower()
	m.set(t, battery, "Charging")
	d.lookAtPower()
	require.True(t, d.queue.Paused(), "the person's pause goes on")
	m.set(t, battery, "Discharging")
	d.lookAtPower()
	d.setPause(false, noDeadline) // as its timer does
	require.True(t, d.queue.Paused(), "the battery's holds on")
	paused, _ := d.pauses.now()
	require.True(t, paused)
	m.set(t, battery, "Charging")
	d.lookAtPower()
	require.False(t, d.queue.Paused())
}

func TestPowerIsUnknownWithAReason(t *testing.T) {
	d, _ := laptop(t)
	now := d.powerNow()
	require.Contains(t, now.Unknown, "shows no energy counters")
	require.Contains(t, now.NPUUnknown, "no NPU")
	require.Nil(t, now.JoulesPerText)
	require.Nil(t, now.NPUShare)

	c := config.Default()
	c.Power.Measure = false
	d.current.Store(&config.Settings{Config: c})
	require.Contains(t, d.powerNow().Unknown, "power.measure")
	require.True(t, strings.HasPrefix(d.powerNow().NPUUnknown, "measuring is off"))
}
