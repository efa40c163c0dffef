//go:build unix

package power

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/internal/usertest"
)

func benchTree(b *testing.B) Sysfs {
	root := Sysfs(b.TempDir())
	for name, text := range map[string]string{
		"class/powercap/intel-rapl:0/name": "package-0", "class/powercap/intel-rapl:0/energy_uj": "1000000",
		"class/powercap/intel-rapl:0/max_energy_range_uj": "262143328850",
		"class/accel/accel0/device/vendor":                "0x8086", "class/accel/accel0/device/npu_busy_time_us": "5",
	} {
		path := root.path(name)
		require.NoError(b, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(b, os.WriteFile(path, []byte(text+"\n"), 0o644))
	}
	return root
}

func TestALaptopsMeters(t *testing.T) {
	s := laptop(t)
	energy, err := s.Energy()
	require.NoError(t, err)
	require.Len(t, energy, 1, "the package once, also where two drivers show it")
	require.Equal(t, ScopePackage, energy[0].Facts().Scope)
	drain, err := s.Drain()
	require.NoError(t, err)
	require.Len(t, drain, 2, "not the mouse's")
	require.InDelta(t, 3600e-6, drain[0].Facts().Step, 1e-12)
	require.InDelta(t, 3600e-6*11.4, drain[1].Facts().Step, 1e-12, "µAh at the nominal voltage")

	byUnit := map[Unit]Reading{}
	for _, r := range s.Now() {
		byUnit[r.Unit] = r
		require.NotEmpty(t, r.Source)
		require.Positive(t, r.Error.Resolution)
	}
	require.InDelta(t, 1.95e9, byUnit[Hertz].Value, 1)
	require.InDelta(t, 1<<20, byUnit[Byte].Value, 0)
	require.InDelta(t, 7.5+6, byUnit[Watt].Value, 1e-9, "power_now of one, current times voltage of the other")
	require.Equal(t, ScopeNPU, byUnit[Byte].Scope)
	require.Equal(t, ScopeBattery, byUnit[Watt].Scope)
}

func TestTheReasonWhyThereIsNoMeter(t *testing.T) {
	zone := map[string]string{"class/powercap/intel-rapl:0/name": "package-0", "class/powercap/intel-rapl:0/energy_uj": "text"}
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"a container":              {nil, "virtual or a container"},
		"a virtual machine":        {map[string]string{"class/dmi/id/sys_vendor": "QEMU"}, "virtual or a container"},
		"the module is not loaded": {map[string]string{"class/dmi/id/sys_vendor": "LENOVO"}, "sudo modprobe intel_rapl_msr"},
		"only a part":              {map[string]string{"class/dmi/id/sys_vendor": "LENOVO", "class/powercap/intel-rapl:0/name": "core"}, "none of the counters"},
		"no number":                {zone, "holds no number"},
		"a negative count":         {map[string]string{"class/powercap/intel-rapl:0/name": "psys", "class/powercap/intel-rapl:0/energy_uj": "-4"}, "not below 0"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := write(t, t.TempDir(), test.files).Energy()
			require.ErrorContains(t, err, test.want)
		})
	}
}

// TestThePlatformStandsInForPackages where only the platform can be read.
func TestThePlatformStandsInForPackages(t *testing.T) {
	s := laptop(t)
	require.NoError(t, os.Remove(s.path("class/powercap/intel-rapl:0/energy_uj")))
	energy, err := s.Energy()
	require.NoError(t, err)
	require.Len(t, energy, 1)
	require.Equal(t, ScopePlatform, energy[0].Facts().Scope)
}

func TestRightsAreExplained(t *testing.T) {
	s := laptop(t)
	for _, zone := range []string{"intel-rapl:0", "intel-rapl:1"} {
		require.NoError(t, os.Chmod(s.path("class/powercap", zone, "energy_uj"), 0))
	}
	usertest.Bind(t, s.path("."))
	_, err := s.Energy()
	require.ErrorContains(t, err, "udev")
	require.ErrorContains(t, err, "CVE-2020-8694")
}

func TestTheReasonWhyNothingIsKnownOfAnNPU(t *testing.T) {
	_, err := Sysfs(t.TempDir()).NPUBusy()
	require.ErrorContains(t, err, "no NPU that Linux shows")
	_, err = write(t, t.TempDir(), map[string]string{"class/accel/accel0/device/vendor": "0x1da3"}).NPUBusy()
	require.ErrorContains(t, err, "no NPU", "another maker's accelerator")
	old := write(t, t.TempDir(), map[string]string{"class/accel/accel0/device/vendor": "0x8086"})
	_, err = old.NPUBusy()
	require.ErrorContains(t, err, "from 6.11 on")
	require.Empty(t, old.NPUState())
	asleep := write(t, t.TempDir(), map[string]string{
		"class/accel/accel0/device/vendor": "0x8086", "class/accel/accel0/device/npu_current_frequency_mhz": "0",
	})
	require.Empty(t, asleep.NPUState(), "an NPU that is suspended has no clock")
}

func TestABatteryThatCannotTell(t *testing.T) {
	_, err := Sysfs(t.TempDir()).Drain()
	require.ErrorContains(t, err, "no battery")
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"none":         {nil, "no battery"},
		"plugged in":   {map[string]string{"status": "Charging", "power_now": "7"}, "its status is Charging"},
		"no status":    {map[string]string{"power_now": "7"}, "its status is not known"},
		"no gauge":     {map[string]string{"status": "Discharging"}, "does not exist"},
		"no voltage":   {map[string]string{"status": "Discharging", "current_now": "7"}, "does not exist"},
		"nothing":      {map[string]string{"status": "Discharging", "power_now": "0"}, "cannot be"},
		"far too much": {map[string]string{"status": "Discharging", "power_now": "9000000000"}, "cannot be"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for file, text := range test.files {
				files["class/power_supply/BAT0/type"] = "Battery"
				files["class/power_supply/BAT0/"+file] = text
			}
			_, err := write(t, t.TempDir(), files).BatteryPower()
			require.ErrorContains(t, err, test.want)
		})
	}
	charging := write(t, t.TempDir(), map[string]string{
		"class/power_supply/BAT0/type": "Battery", "class/power_supply/BAT0/status": "Charging", "class/power_supply/BAT0/energy_now": "5",
	})
	_, err = charging.Drain()
	require.ErrorContains(t, err, "its status is Charging")
}

func TestSupply(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  Supply
	}{
		"a desktop":       {nil, Supply{}},
		"on battery":      {map[string]string{"class/power_supply/BAT0/type": "Battery", "class/power_supply/BAT0/status": "Discharging"}, Supply{OnBattery: true}},
		"a mouse's":       {map[string]string{"class/power_supply/hid/type": "Battery", "class/power_supply/hid/scope": "Device", "class/power_supply/hid/status": "Discharging"}, Supply{}},
		"a weak charger":  {map[string]string{"class/power_supply/BAT0/type": "Battery", "class/power_supply/BAT0/status": "Discharging", "class/power_supply/usb/type": "USB", "class/power_supply/usb/online": "1"}, Supply{}},
		"balanced":        {map[string]string{"firmware/acpi/platform_profile": "balanced"}, Supply{}},
		"low-power":       {map[string]string{"firmware/acpi/platform_profile": "low-power"}, Supply{Saver: true}},
		"by the hint":     {map[string]string{"devices/system/cpu/cpufreq/policy0/energy_performance_preference": "power"}, Supply{Saver: true}},
		"no saver's hint": {map[string]string{"devices/system/cpu/cpufreq/policy0/energy_performance_preference": "balance_power"}, Supply{}},
	} {
		t.Run(name, func(t *testing.T) {
			got := write(t, t.TempDir(), test.files).Supply()
			require.Equal(t, got.Saver, got.Why != "")
			got.Why = ""
			require.Equal(t, test.want, got)
		})
	}
}

func TestHeat(t *testing.T) {
	require.Equal(t, Heat{}, Sysfs(t.TempDir()).Heat())
	files := map[string]string{
		"devices/system/cpu/cpu0/thermal_throttle/package_throttle_count": "5", "devices/system/cpu/cpu0/topology/physical_package_id": "0",
		"devices/system/cpu/cpu1/thermal_throttle/package_throttle_count": "5", "devices/system/cpu/cpu1/topology/physical_package_id": "0",
		"devices/system/cpu/cpu2/thermal_throttle/package_throttle_count": "2", "devices/system/cpu/cpu2/topology/physical_package_id": "1",
		"class/thermal/cooling_device0/type": "Processor", "class/thermal/cooling_device0/cur_state": "0", "class/thermal/cooling_device0/max_state": "10",
		"class/thermal/cooling_device1/type": "Fan", "class/thermal/cooling_device1/cur_state": "3", "class/thermal/cooling_device1/max_state": "3",
		"class/thermal/cooling_device2/type": "intel_powerclamp", "class/thermal/cooling_device2/cur_state": "-1", "class/thermal/cooling_device2/max_state": "50",
		"class/thermal/cooling_device3/type": "Processor", "class/thermal/cooling_device3/cur_state": "99", "class/thermal/cooling_device3/max_state": "10",
	}
	s := write(t, t.TempDir(), files)
	before := s.Heat()
	require.InDelta(t, 7, before.Events.Value, 0, "each package once")
	require.Zero(t, before.Cooling.Value)
	require.False(t, before.Throttled(before))

	write(t, string(s), map[string]string{"devices/system/cpu/cpu2/thermal_throttle/package_throttle_count": "3"})
	require.True(t, s.Heat().Throttled(before))
	require.False(t, s.Heat().Throttled(s.Heat()))

	write(t, string(s), map[string]string{"class/thermal/cooling_device0/cur_state": "4"})
	now := s.Heat()
	require.InDelta(t, 0.4, now.Cooling.Value, 1e-9)
	require.True(t, now.Throttled(now))
	require.True(t, now.Throttled(Heat{}))
}

func TestPackagesAreSummed(t *testing.T) {
	s := write(t, t.TempDir(), map[string]string{
		"class/powercap/intel-rapl:0/name": "package-0", "class/powercap/intel-rapl:0/energy_uj": "0", "class/powercap/intel-rapl:0/max_energy_range_uj": "65532610987",
		"class/powercap/intel-rapl:1/name": "package-1", "class/powercap/intel-rapl:1/energy_uj": "0", "class/powercap/intel-rapl:1/max_energy_range_uj": "65532610987",
	})
	counters, err := s.Energy()
	require.NoError(t, err)
	c := &testClock{}
	g := &Gauge{counters, c.now}
	require.Equal(t, ScopePackage, g.Scope())
	require.Contains(t, g.Source(), "package-0")
	require.Contains(t, g.Source(), " + RAPL package-1")
	span := g.Begin()
	write(t, string(s), map[string]string{
		"class/powercap/intel-rapl:0/energy_uj": "3000000", "class/powercap/intel-rapl:1/energy_uj": "4000000",
	})
	c.pass(time.Second)
	d, err := span.End()
	require.NoError(t, err)
	require.InDelta(t, 7, d.Value, 1e-9)
	require.InDelta(t, 2e-3+7e-3, d.Bound, 1e-9, "two resolutions, and a millisecond at 7 W")

	_, err = (&Gauge{nil, c.now}).Begin().End()
	require.ErrorContains(t, err, "no meter")
}

func TestRAPLBoundsWhatAPackageDraws(t *testing.T) {
	for name, test := range map[string]struct {
		limits map[string]string
		want   float64
	}{
		"none":        {nil, 1000},
		"a laptop's":  {map[string]string{"constraint_0_max_power_uw": "28000000", "constraint_1_power_limit_uw": "64000000"}, 256},
		"a tablet's":  {map[string]string{"constraint_0_power_limit_uw": "7000000"}, 50},
		"no limit":    {map[string]string{"constraint_0_power_limit_uw": "4095875000"}, 1000},
		"only broken": {map[string]string{"constraint_0_power_limit_uw": "-1"}, 1000},
	} {
		t.Run(name, func(t *testing.T) {
			require.InDelta(t, test.want, raplMost(string(write(t, t.TempDir(), test.limits))), 1e-9)
		})
	}
}

// BenchmarkSpan is what measuring adds to a text: two readings of a package and
// an NPU.
func BenchmarkSpan(b *testing.B) {
	s := benchTree(b)
	a := NewAccumulator(s)
	a.started.Awake -= 1000 * time.Hour // it can afford all
	for b.Loop() {
		a.Begin()
		a.End(Work{Texts: 1, Tokens: 20})
	}
}
