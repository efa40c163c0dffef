package power

import (
	"path/filepath"
	"strings"
)

// Heat is how the machine fights its heat now.
type Heat struct {
	// Events is how often packages were throttled since the machine started,
	// nil where it is not counted.
	Events *Reading
	// Cooling is how far the processor is slowed down to cool it, 0 to 1, nil
	// where it is not told.
	Cooling *Reading
}

// Throttled says whether the processor is slowed down now, or was since before.
func (h Heat) Throttled(before Heat) bool {
	if h.Cooling != nil && h.Cooling.Value > 0 {
		return true
	}
	return h.Events != nil && before.Events != nil && h.Events.Value > before.Events.Value
}

// Heat reads thermal_throttle of the processors and the cooling devices of type
// Processor (Documentation/driver-api/thermal/sysfs-api). Fans are no throttling,
// and intel_powerclamp idles for reasons of its own.
func (s Sysfs) Heat() Heat {
	var h Heat
	const cpus = "devices/system/cpu"
	packages := map[string]uint64{}
	for _, cpu := range s.entries(cpus, "cpu") {
		path := s.path(cpus, cpu, "thermal_throttle/package_throttle_count")
		if n, err := count(path); err == nil { // every processor of a package shows its package's count
			of := word(s.path(cpus, cpu, "topology/physical_package_id"))
			packages[of] = max(packages[of], n)
		}
	}
	if len(packages) > 0 {
		h.Events = &Reading{Unit: Times, Source: s.path(cpus, "cpu*/thermal_throttle/package_throttle_count"), Scope: ScopeMachine, Error: Error{Resolution: 1}}
		for _, n := range packages {
			h.Events.Value += float64(n)
		}
	}
	for _, name := range s.entries("class/thermal", "cooling_device") {
		device := s.path("class/thermal", name)
		if !strings.EqualFold(word(filepath.Join(device, "type")), "Processor") {
			continue
		}
		state, err := number(filepath.Join(device, "cur_state"))
		highest, err2 := number(filepath.Join(device, "max_state"))
		if err != nil || err2 != nil || highest <= 0 || state < 0 || state > highest {
			continue
		}
		r := Reading{
			Value: float64(state) / float64(highest), Unit: OfHighest, Source: filepath.Join(device, "cur_state"),
			Scope: ScopeMachine, Error: Error{Resolution: 1 / float64(highest)},
		}
		if h.Cooling == nil || r.Value > h.Cooling.Value {
			h.Cooling = &r
		}
	}
	return h
}
