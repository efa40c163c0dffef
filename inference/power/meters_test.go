package power

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

// write makes a tree of small files, as sysfs has them.
func write(t *testing.T, root string, files map[string]string) Sysfs {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text+"\n"), 0o644))
	}
	return Sysfs(root)
}

// recorded is a meter whose counter the test turns.
type recorded struct {
	Counter
	set    func(raw uint64)
	remove func()
}

// file sets a counter that is a file.
func file(t *testing.T, c Counter, path string) recorded {
	return recorded{
		Counter: c,
		set: func(raw uint64) {
			require.NoError(t, os.WriteFile(path, []byte(strconv.FormatUint(raw, 10)+"\n"), 0o644))
		},
		remove: func() {
			require.NoError(t, os.Truncate(path, 0)) // one that was opened before shows nothing
			require.NoError(t, os.Remove(path))
		},
	}
}

// meters are all that there are, on recorded trees and devices.
func meters(t *testing.T) map[string]recorded {
	all := map[string]recorded{}
	if runtime.GOOS != "windows" { // does not let go of files that stay open
		filed(t, all)
	}
	for _, version := range []int{1, 2} {
		d := &recordedEMI{version: version, names: []string{"RAPL_Package0_PKG"}}
		if version == 2 {
			d.names = []string{"RAPL_Package0_PP0", "RAPL_Package0_PKG"}
		}
		counters, err := (&emiDevice{path: "emi", control: d.control}).counters()
		require.NoError(t, err)
		require.Len(t, counters, 1)
		all["emi v"+strconv.Itoa(version)] = recorded{
			Counter: counters[0], set: func(raw uint64) { d.energy = raw }, remove: func() { d.gone = true },
		}
	}
	w := &recordedBattery{state: batteryDischarging}
	all["battery of Windows"] = recorded{
		Counter: winBattery{"battery", w.control}, set: func(raw uint64) { w.capacity = uint32(raw) }, remove: func() { w.gone = true },
	}
	return all
}

// filed adds those of Linux, which are files.
func filed(t *testing.T, all map[string]recorded) {
	s := laptop(t)
	for _, c := range s.RAPL() {
		path := map[Scope]string{
			ScopePackage: "intel-rapl:0", ScopePlatform: "intel-rapl:1", ScopeMemory: "intel-rapl:0:2",
		}[c.Facts().Scope]
		all["rapl "+string(c.Facts().Scope)] = file(t, c, s.path("class/powercap", path, "energy_uj"))
	}
	npu, err := s.NPUBusy()
	require.NoError(t, err)
	all["npu"] = file(t, npu, s.path("class/accel/accel0/device/npu_busy_time_us"))
	for _, c := range s.Batteries() {
		b := c.(battery)
		name := map[bool]string{false: "energy_now", true: "charge_now"}[b.charge]
		all["battery "+name] = file(t, c, filepath.Join(b.folder, name))
	}
}

// laptop is a recorded tree: one package, the platform, DRAM, core (a part of the
// package), the same package once more by its other driver, an NPU, two batteries
// of different makers and a mouse.
func laptop(t *testing.T) Sysfs {
	files := map[string]string{}
	zone := func(name, label string) {
		files["class/powercap/"+name+"/name"] = label
		files["class/powercap/"+name+"/energy_uj"] = "1000000"
		files["class/powercap/"+name+"/max_energy_range_uj"] = "262143328850"
	}
	zone("intel-rapl:0", "package-0")
	zone("intel-rapl:0:0", "core")
	zone("intel-rapl:0:2", "dram")
	zone("intel-rapl:1", "psys")
	zone("intel-rapl-mmio:0", "package-0")
	files["class/powercap/intel-rapl:0/constraint_0_max_power_uw"] = "28000000"
	files["class/powercap/intel-rapl:0/constraint_1_power_limit_uw"] = "64000000"
	files["class/powercap/intel-rapl:1/constraint_0_power_limit_uw"] = "4095000000"
	for name, value := range map[string]string{
		"vendor": "0x8086", "npu_busy_time_us": "5", "npu_current_frequency_mhz": "1950", "npu_memory_utilization": "1048576",
	} {
		files["class/accel/accel0/device/"+name] = value
	}
	for name, value := range map[string]string{
		"BAT0/type": "Battery", "BAT0/status": "Discharging", "BAT0/energy_now": "50000000", "BAT0/power_now": "7500000",
		"BAT1/type": "Battery", "BAT1/status": "Discharging", "BAT1/charge_now": "4000000", "BAT1/voltage_min_design": "11400000",
		"BAT1/current_now": "-500000", "BAT1/voltage_now": "12000000",
		"hid/type": "Battery", "hid/scope": "Device", "hid/status": "Discharging", "hid/energy_now": "1",
		"AC/type": "Mains", "AC/online": "0",
	} {
		files["class/power_supply/"+name] = value
	}
	return write(t, t.TempDir(), files)
}

// recordedEMI answers as a driver of the Energy Meter Interface does.
type recordedEMI struct {
	version int
	names   []string
	energy  uint64
	gone    bool
}

func (d *recordedEMI) control(code uint32, out []byte) (int, error) {
	if d.gone {
		return 0, errors.New("the device is not connected")
	}
	var b []byte
	switch code {
	case emiGetVersion:
		b = binary.LittleEndian.AppendUint16(nil, uint16(d.version))
	case emiGetMetadataSize:
		b = binary.LittleEndian.AppendUint32(nil, uint32(len(d.metadata())))
	case emiGetMetadata:
		b = d.metadata()
	case emiGetMeasurement:
		for _, name := range d.names {
			energy := d.energy
			if name == "RAPL_Package0_PP0" {
				energy /= 2
			}
			b = binary.LittleEndian.AppendUint64(b, energy)
			b = binary.LittleEndian.AppendUint64(b, 1)
		}
	}
	return copy(out, b), nil
}

func (d *recordedEMI) metadata() []byte {
	var b []byte
	if d.version == 1 {
		b = make([]byte, 4)
	}
	b = append(b, make([]byte, 2*emiName+2)...)
	if d.version == 2 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(d.names)))
	}
	for _, name := range d.names {
		if d.version == 2 {
			b = append(b, make([]byte, 4)...)
		}
		units := append(utf16.Encode([]rune(name)), 0)
		b = binary.LittleEndian.AppendUint16(b, uint16(2*len(units)))
		for _, u := range units {
			b = binary.LittleEndian.AppendUint16(b, u)
		}
	}
	return b
}

// recordedBattery answers as Windows' battery class driver does.
type recordedBattery struct {
	state, capacity uint32
	rate            int32
	relative, gone  bool
}

func (w *recordedBattery) control(code uint32, in, out []byte) (int, error) {
	if w.gone {
		return 0, errors.New("the device is not connected")
	}
	switch code {
	case batteryQueryTag:
		binary.LittleEndian.PutUint32(out, 7)
		return 4, nil
	case batteryQueryInformation, batteryQueryStatus:
		if binary.LittleEndian.Uint32(in) != 7 {
			return 0, errors.New("no such battery")
		}
	}
	if code == batteryQueryInformation {
		if w.relative {
			binary.LittleEndian.PutUint32(out, batteryRelative)
		}
		return 36, nil
	}
	binary.LittleEndian.PutUint32(out, w.state)
	binary.LittleEndian.PutUint32(out[4:], w.capacity)
	binary.LittleEndian.PutUint32(out[12:], uint32(w.rate))
	return 16, nil
}

// testClock is turned by hand.
type testClock struct{ at Instant }

func (c *testClock) now() Instant { return c.at }

func (c *testClock) pass(awake time.Duration) {
	c.at.Awake += awake
	c.at.Whole += awake
}

func (c *testClock) sleep(d time.Duration) { c.at.Whole += d }
