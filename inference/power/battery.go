package power

import (
	"math"
	"path/filepath"
	"time"
)

// Facts of batteries. Their gauges tell whole tens of mWh at best, and are asked
// by the firmware once in up to a minute (WMI's BatteryStatus is renewed each 30
// to 60 s, ACPI 10.2.2.6 leaves it open).
const (
	batteryUpdate     = time.Minute
	batteryResolution = 36 // J: 10 mWh
	// batteryMost bounds the watts: USB Power Delivery 3.1 carries 240.
	batteryMost = 300
)

// battery is one of Linux' power supplies that feeds the whole machine.
type battery struct {
	folder string
	charge bool // counts charge (µAh), not energy (µWh)
	volt   float64
}

// batteries are those that feed the machine, not its mouse.
func (s Sysfs) batteries() []string {
	var folders []string
	for _, name := range s.entries("class/power_supply", "") {
		folder := s.path("class/power_supply", name)
		if word(filepath.Join(folder, "type")) == "Battery" && word(filepath.Join(folder, "scope")) != "Device" {
			folders = append(folders, folder)
		}
	}
	return folders
}

// Batteries are the counters of what is left in each.
func (s Sysfs) Batteries() []Counter {
	var found []Counter
	for _, folder := range s.batteries() {
		b := battery{folder: folder}
		if _, err := count(filepath.Join(folder, "energy_now")); err != nil {
			// The nominal voltage is what the maker takes to turn Ah into Wh.
			volt, err := count(filepath.Join(folder, "voltage_min_design"))
			if err != nil || volt == 0 {
				continue
			}
			b.charge, b.volt = true, float64(volt)*1e-6
		}
		found = append(found, b)
	}
	return found
}

func (b battery) Facts() Facts {
	step := 3600e-6 // J of a µWh
	if b.charge {
		step *= b.volt
	}
	return batteryFacts("battery ("+b.folder+")", step)
}

func batteryFacts(source string, step float64) Facts {
	return Facts{
		Source: source, Scope: ScopeBattery, Unit: Joule, Step: step, Most: batteryMost, Falls: true,
		Error: Error{Resolution: batteryResolution, Update: batteryUpdate},
	}
}

func (b battery) Count() (uint64, error) {
	if status := word(filepath.Join(b.folder, "status")); status != "Discharging" {
		return 0, notDischarging(status)
	}
	if b.charge {
		return count(filepath.Join(b.folder, "charge_now"))
	}
	return count(filepath.Join(b.folder, "energy_now"))
}

func notDischarging(status string) error {
	if status == "" {
		status = "not known"
	}
	return unknown("a battery measures the machine only while that runs on it, and its status is %s", status)
}

// BatteryPower is what leaves the batteries now, all together.
func (s Sysfs) BatteryPower() (Reading, error) {
	folders := s.batteries()
	if len(folders) == 0 {
		return Reading{}, unknown("this machine has no battery")
	}
	r := Reading{Unit: Watt, Scope: ScopeBattery, Error: Error{Resolution: 0.001, Update: batteryUpdate}}
	used := false
	for _, folder := range folders {
		if word(filepath.Join(folder, "status")) != "Discharging" {
			continue // one of two rests while the other is used
		}
		watts, source, err := batteryWatts(folder)
		if err != nil {
			return Reading{}, err
		}
		r.Value, used = r.Value+watts, true
		if r.Source != "" {
			r.Source += ", "
		}
		r.Source += source
	}
	if !used {
		return Reading{}, notDischarging(word(filepath.Join(folders[0], "status")))
	}
	if r.Value == 0 || r.Value > batteryMost {
		return Reading{}, unknown("%s shows %s W, which cannot be", r.Source, digits(r.Value))
	}
	return r, nil
}

// batteryWatts reads power, or current times voltage; a driver has one of them.
// Some drivers show a discharge below 0.
func batteryWatts(folder string) (watts float64, source string, err error) {
	path := filepath.Join(folder, "power_now")
	if power, err := number(path); err == nil {
		return math.Abs(float64(power)) * 1e-6, path, nil
	}
	path = filepath.Join(folder, "current_now")
	current, err := number(path)
	if err != nil {
		return 0, "", err
	}
	voltage, err := number(filepath.Join(folder, "voltage_now"))
	return math.Abs(float64(current)) * 1e-6 * float64(voltage) * 1e-6, path + " × voltage_now", err
}
