package power

import "path/filepath"

// Supply is what the machine runs on and what its user asked of it.
type Supply struct {
	OnBattery bool
	Saver     bool   // the power-saver profile is on
	Why       string // Saver's source, "" where it is off
}

// Supply reads whether no plug is in and a battery discharges, and whether the
// power-saver profile is on: by the platform's profile, or by the hint that
// power-profiles-daemon and TLP give the processor where a platform has none.
// These files are read instead of asking over D-Bus, since a service of the
// system has no user's bus and they cost a few microseconds.
func (s Sysfs) Supply() Supply {
	p := Supply{OnBattery: s.onBattery()}
	for _, f := range []struct{ path, saver string }{
		{"firmware/acpi/platform_profile", "low-power"},
		{"devices/system/cpu/cpufreq/policy0/energy_performance_preference", "power"},
	} {
		if word(s.path(f.path)) == f.saver {
			p.Saver, p.Why = true, s.path(f.path)+" is "+f.saver
			break
		}
	}
	return p
}

func (s Sysfs) onBattery() bool {
	for _, name := range s.entries("class/power_supply", "") {
		folder := s.path("class/power_supply", name)
		kind := word(filepath.Join(folder, "type"))
		if (kind == "Mains" || kind == "USB") && word(filepath.Join(folder, "online")) == "1" {
			return false
		}
	}
	for _, folder := range s.batteries() {
		if word(filepath.Join(folder, "status")) == "Discharging" {
			return true
		}
	}
	return false
}
