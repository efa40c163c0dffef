package power

// Machine is where meters are found: Sysfs on Linux, this machine's devices on
// Windows.
type Machine interface {
	// Energy are counters whose sum is what translating draws from, or why there
	// are none: the packages, else the platform.
	Energy() ([]Counter, error)
	// Drain are those of the batteries. They are too coarse for a text.
	Drain() ([]Counter, error)
	// NPUBusy is the time that the NPU had work.
	NPUBusy() (Counter, error)
	// Now is what meters show at this moment that do not add up.
	Now() []Reading
	Supply() Supply
	Heat() Heat
}

// choose returns the counters of the first scope that can be read, or why none
// can.
func choose(all []Counter, none func() error) ([]Counter, error) {
	var failed error
	for _, scope := range []Scope{ScopePackage, ScopePlatform} {
		var chosen []Counter
		for _, c := range all {
			if c.Facts().Scope == scope {
				chosen = append(chosen, c)
			}
		}
		if len(chosen) == 0 {
			continue
		}
		err := readable(chosen)
		if err == nil {
			return chosen, nil
		}
		if failed == nil {
			failed = err
		}
	}
	if failed == nil {
		failed = none()
	}
	return nil, failed
}

func readable(all []Counter) error {
	for _, c := range all {
		if _, err := c.Count(); err != nil {
			return err
		}
	}
	return nil
}

// Energy implements Machine.
func (s Sysfs) Energy() ([]Counter, error) { return choose(s.RAPL(), s.NoRAPL) }

// Drain implements Machine.
func (s Sysfs) Drain() ([]Counter, error) {
	all := s.Batteries()
	if len(all) == 0 {
		return nil, unknown("this machine has no battery")
	}
	return all, readable(all)
}

// Now implements Machine.
func (s Sysfs) Now() []Reading {
	readings := s.NPUState()
	if r, err := s.BatteryPower(); err == nil {
		readings = append(readings, r)
	}
	return readings
}
