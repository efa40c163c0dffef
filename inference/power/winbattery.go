package power

import "encoding/binary"

// The control codes of Windows' batteries (poclass.h).
const (
	batteryQueryTag         = 0x294040
	batteryQueryInformation = 0x294044
	batteryQueryStatus      = 0x29404C
)

// What Windows says of a battery.
const (
	batteryDischarging     = 0x2
	batteryUnknownCapacity = 0xFFFFFFFF
	batteryUnknownRate     = -0x80000000
	batteryRelative        = 0x40000000 // its capacity is in units of its own
)

// winBattery is a battery's device; control is DeviceIoControl.
type winBattery struct {
	path    string
	control func(code uint32, in, out []byte) (int, error)
}

// batteryStatus is BATTERY_STATUS.
type batteryStatus struct {
	powerState uint32
	capacity   uint32 // mWh
	rate       int32  // mW, below 0 while it discharges
}

// ask puts the battery's tag before what is asked.
func (b winBattery) ask(code uint32, more, size int) ([]byte, error) {
	tag, out := make([]byte, 4), make([]byte, size)
	if _, err := b.control(batteryQueryTag, make([]byte, 4), tag); err != nil {
		return nil, unknown("the battery %s does not answer: %v", b.path, err)
	}
	n, err := b.control(code, append(tag, make([]byte, more)...), out)
	if err != nil {
		return nil, unknown("the battery %s does not answer: %v", b.path, err)
	}
	if n < size {
		return nil, unknown("the battery %s answers with %d bytes instead of %d", b.path, n, size)
	}
	return out, nil
}

// absolute checks that the battery counts in mWh: BATTERY_QUERY_INFORMATION asks
// for BATTERY_INFORMATION.
func (b winBattery) absolute() error {
	info, err := b.ask(batteryQueryInformation, 8, 36)
	if err == nil && binary.LittleEndian.Uint32(info)&batteryRelative != 0 {
		err = unknown("the battery %s counts in a unit of its own", b.path)
	}
	return err
}

// status asks with BATTERY_WAIT_STATUS for BATTERY_STATUS.
func (b winBattery) status() (batteryStatus, error) {
	out, err := b.ask(batteryQueryStatus, 16, 16)
	if err != nil {
		return batteryStatus{}, err
	}
	return batteryStatus{
		powerState: binary.LittleEndian.Uint32(out), capacity: binary.LittleEndian.Uint32(out[4:]),
		rate: int32(binary.LittleEndian.Uint32(out[12:])),
	}, nil
}

func (b winBattery) Facts() Facts { return batteryFacts("battery ("+b.path+")", 3.6) }

// Count is what the battery holds, in mWh, while it discharges.
func (b winBattery) Count() (uint64, error) {
	s, err := b.status()
	switch {
	case err != nil:
		return 0, err
	case s.powerState&batteryDischarging == 0:
		return 0, notDischarging("not Discharging")
	case s.capacity == batteryUnknownCapacity:
		return 0, unknown("the battery does not know what it holds")
	}
	return uint64(s.capacity), nil
}

// watts leave the battery now.
func (b winBattery) watts() (Reading, error) {
	s, err := b.status()
	switch {
	case err != nil:
		return Reading{}, err
	case s.powerState&batteryDischarging == 0:
		return Reading{}, notDischarging("not Discharging")
	case s.rate == batteryUnknownRate || s.rate >= 0 || s.rate < -batteryMost*1000:
		return Reading{}, unknown("the battery does not know what leaves it")
	}
	return Reading{
		Value: float64(-s.rate) / 1000, Unit: Watt, Source: b.path, Scope: ScopeBattery,
		Error: Error{Resolution: 0.001, Update: batteryUpdate},
	}, nil
}
