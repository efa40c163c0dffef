package power

import (
	"path/filepath"
	"strings"
	"time"
)

// npu is an Intel NPU as the driver ivpu shows it (Documentation/ABI/testing/
// sysfs-driver-ivpu). Which files there are depends on the kernel: the busy time
// since 6.11, memory since 6.14, clocks since 6.16.
type npu struct{ busy *countFile }

// npus are the accelerators of ivpu, as folders of their devices.
func (s Sysfs) npus() []string {
	var devices []string
	for _, name := range s.entries("class/accel", "accel") {
		device := s.path("class/accel", name, "device")
		driver, _ := filepath.EvalSymlinks(filepath.Join(device, "driver"))
		vendor := word(filepath.Join(device, "vendor"))
		if filepath.Base(driver) == "intel_vpu" || strings.EqualFold(vendor, "0x8086") {
			devices = append(devices, device)
		}
	}
	return devices
}

// NPUBusy is the time that an NPU had work, or why that is not known.
func (s Sysfs) NPUBusy() (Counter, error) {
	devices := s.npus()
	if len(devices) == 0 {
		return nil, unknown("this machine has no NPU that Linux shows (%s)", s.path("class/accel"))
	}
	for _, device := range devices {
		if _, err := count(filepath.Join(device, npuBusy)); err == nil {
			return npu{&countFile{path: filepath.Join(device, npuBusy)}}, nil
		}
	}
	return nil, unknown("the driver of the NPU shows no busy time (%s): Linux does from 6.11 on", filepath.Join(devices[0], npuBusy))
}

const npuBusy = "npu_busy_time_us"

func (n npu) Facts() Facts {
	return npuFacts(n.busy.path, 1e-6)
}

// npuFacts: the driver works the time out when it is read, to the microsecond.
func npuFacts(source string, step float64) Facts {
	return Facts{
		Source: source, Scope: ScopeNPU, Unit: Second, Step: step, Most: 1.001, Rests: true,
		Error: Error{Resolution: max(step, 10e-6), Update: 100 * time.Microsecond},
	}
}

func (n npu) Count() (uint64, error) { return n.busy.count() }

// NPUState reads what else the driver tells now: clock and memory. What it does
// not tell is left out.
func (s Sysfs) NPUState() []Reading {
	var readings []Reading
	for _, device := range s.npus() {
		for _, f := range []struct {
			name string
			unit Unit
			size float64
		}{
			{"npu_current_frequency_mhz", Hertz, 1e6},
			{"freq/current_freq", Hertz, 1e6},
			{"npu_memory_utilization", Byte, 1},
		} {
			path := filepath.Join(device, f.name)
			n, err := count(path)
			if err != nil || f.unit == Hertz && n == 0 { // it is 0 while the NPU is suspended
				continue
			}
			readings = append(readings, Reading{
				Value: float64(n) * f.size, Unit: f.unit, Source: path, Scope: ScopeNPU, Error: Error{Resolution: f.size},
			})
		}
	}
	return readings
}
