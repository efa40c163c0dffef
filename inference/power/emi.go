package power

import (
	"encoding/binary"
	"strings"
	"time"
	"unicode/utf16"
)

// The control codes of Windows' Energy Meter Interface (emi.h).
const (
	emiGetVersion      = 0x224000
	emiGetMetadataSize = 0x224004
	emiGetMetadata     = 0x224008
	emiGetMeasurement  = 0x22400C
)

// Facts of the interface: it counts picowatt-hours in 64 bits. How often a
// driver renews them is not told; RAPL does each millisecond, and those of AMD
// follow within a tenth of a second.
const (
	picowattHour  = 3.6e-9 // J
	emiUpdate     = 100 * time.Millisecond
	emiResolution = 1e-3 // J
)

// emiDevice is one meter device; control is DeviceIoControl without input.
type emiDevice struct {
	path     string
	control  func(code uint32, out []byte) (n int, err error)
	channels int
}

// emiChannel is one counter of a device.
type emiChannel struct {
	device *emiDevice
	index  int
	facts  Facts
}

// counters are the device's channels whose scope is known.
func (d *emiDevice) counters() ([]Counter, error) {
	names, err := d.names()
	if err != nil {
		return nil, err
	}
	d.channels = len(names)
	var found []Counter
	for i, name := range names {
		if scope, known := emiScope(name); known {
			found = append(found, emiChannel{d, i, Facts{
				Source: "Energy Meter Interface " + name, Scope: scope, Unit: Joule, Step: picowattHour, Most: packageMost,
				Error: Error{Resolution: emiResolution, Update: emiUpdate},
			}})
		}
	}
	return found, nil
}

// emiScope tells what a channel of Intel's and AMD's drivers measures. Others
// are rails whose sums would count energy twice.
func emiScope(name string) (Scope, bool) {
	switch {
	case strings.HasPrefix(name, "RAPL_Package") && strings.HasSuffix(name, "_PKG"), name == "Current Socket Power":
		return ScopePackage, true
	case strings.HasPrefix(name, "RAPL_Package") && strings.HasSuffix(name, "_DRAM"):
		return ScopeMemory, true
	case strings.HasSuffix(name, "_PSYS"):
		return ScopePlatform, true
	}
	return "", false
}

func (d *emiDevice) ask(code uint32, size int) ([]byte, error) {
	out := make([]byte, size)
	n, err := d.control(code, out)
	if err != nil {
		return nil, unknown("the energy meter %s does not answer: %v", d.path, err)
	}
	if n < size {
		return nil, unknown("the energy meter %s answers with %d bytes instead of %d", d.path, n, size)
	}
	return out, nil
}

// names of the device's channels (EMI_METADATA_V1, EMI_METADATA_V2).
func (d *emiDevice) names() ([]string, error) {
	version, err := d.ask(emiGetVersion, 2)
	if err != nil {
		return nil, err
	}
	size, err := d.ask(emiGetMetadataSize, 4)
	if err != nil {
		return nil, err
	}
	const most = 1 << 16
	n := binary.LittleEndian.Uint32(size)
	if n > most {
		return nil, unknown("the energy meter %s wants %d bytes for its names", d.path, n)
	}
	data, err := d.ask(emiGetMetadata, int(n))
	if err != nil {
		return nil, err
	}
	var names []string
	switch v := binary.LittleEndian.Uint16(version); v {
	case 1:
		names = emiNameV1(data)
	case 2:
		names = emiNamesV2(data)
	default:
		return nil, unknown("the energy meter %s speaks version %d of the interface, which this dragoman does not know", d.path, v)
	}
	if names == nil {
		return nil, unknown("the energy meter %s describes itself in a way that cannot be read", d.path)
	}
	return names, nil
}

const emiName = 2 * 16 // bytes of a maker's and a model's name

// emiNameV1: unit, OEM, model, revision, size of the name, name.
func emiNameV1(b []byte) []string {
	const at = 4 + 2*emiName + 2
	if len(b) < at+2 {
		return nil
	}
	size := int(binary.LittleEndian.Uint16(b[at:]))
	if len(b) < at+2+size {
		return nil
	}
	return []string{wide(b[at+2 : at+2+size])}
}

// emiNamesV2: OEM, model, revision, number of channels; each has a unit, the
// size of its name and the name, with nothing between them.
func emiNamesV2(b []byte) []string {
	const at = 2*emiName + 2
	if len(b) < at+2 {
		return nil
	}
	channels := int(binary.LittleEndian.Uint16(b[at:]))
	b = b[at+2:]
	names := []string{}
	for range channels {
		if len(b) < 6 {
			return nil
		}
		size := int(binary.LittleEndian.Uint16(b[4:]))
		if len(b) < 6+size {
			return nil
		}
		names = append(names, wide(b[6:6+size]))
		b = b[6+size:]
	}
	return names
}

// wide reads UTF-16 up to a zero.
func wide(b []byte) string {
	var units []uint16
	for ; len(b) >= 2; b = b[2:] {
		u := binary.LittleEndian.Uint16(b)
		if u == 0 {
			break
		}
		units = append(units, u)
	}
	return string(utf16.Decode(units))
}

func (c emiChannel) Facts() Facts { return c.facts }

// Count reads the channel's EMI_CHANNEL_MEASUREMENT_DATA: energy, time.
func (c emiChannel) Count() (uint64, error) {
	data, err := c.device.ask(emiGetMeasurement, 16*c.device.channels)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(data[16*c.index:]), nil
}
