package power

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// thisMachine reads the devices of Windows.
type thisMachine struct{}

// ThisMachine is the one that this process runs on.
func ThisMachine() Machine { return thisMachine{} }

// The interfaces of energy meters (emi.h) and batteries (poclass.h).
var (
	emiClass     = windows.GUID{Data1: 0x45bd8344, Data2: 0x7ed6, Data3: 0x49cf, Data4: [8]byte{0xa4, 0x40, 0xc2, 0x76, 0xc9, 0x33, 0xb0, 0x53}}
	batteryClass = windows.GUID{Data1: 0x72631e54, Data2: 0x78a4, Data3: 0x11d0, Data4: [8]byte{0xbc, 0xf7, 0x00, 0xaa, 0x00, 0xb7, 0xb3, 0x2a}}
)

func interfaces(class windows.GUID) []string {
	paths, err := windows.CM_Get_Device_Interface_List("", &class, windows.CM_GET_DEVICE_INTERFACE_LIST_PRESENT)
	if err != nil {
		return nil
	}
	return paths
}

func open(path string) (windows.Handle, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	h, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		return 0, unknown("the meter %s cannot be opened: %v", path, err)
	}
	return h, nil
}

func control(h windows.Handle, code uint32, in, out []byte) (int, error) {
	var n uint32
	var from *byte
	if len(in) > 0 {
		from = &in[0]
	}
	err := windows.DeviceIoControl(h, code, from, uint32(len(in)), &out[0], uint32(len(out)), &n, nil)
	return int(n), err
}

// Energy opens the energy meters; they stay open as long as the process.
func (thisMachine) Energy() ([]Counter, error) {
	var all []Counter
	var failed error
	for _, path := range interfaces(emiClass) {
		h, err := open(path)
		if err != nil {
			failed = err
			continue
		}
		device := &emiDevice{path: path, control: func(code uint32, out []byte) (int, error) { return control(h, code, nil, out) }}
		counters, err := device.counters()
		if err != nil || len(counters) == 0 {
			failed = err
			_ = windows.CloseHandle(h)
			continue
		}
		all = append(all, counters...)
	}
	return choose(all, func() error {
		if failed != nil {
			return failed
		}
		return unknown("this machine has no energy meter that Windows shows (Energy Meter Interface): its processor or firmware brings no driver for one, and virtual machines have none")
	})
}

// batteries opens those that count in mWh; they stay open until closed.
func batteries() (all []winBattery, closeAll func(), err error) {
	err = unknown("this machine has no battery")
	var handles []windows.Handle
	for _, path := range interfaces(batteryClass) {
		h, failed := open(path)
		if failed != nil {
			err = failed
			continue
		}
		handles = append(handles, h)
		b := winBattery{path, func(code uint32, in, out []byte) (int, error) { return control(h, code, in, out) }}
		if failed := b.absolute(); failed != nil {
			err = failed
			continue
		}
		all = append(all, b)
	}
	if len(all) > 0 {
		err = nil
	}
	return all, func() {
		for _, h := range handles {
			_ = windows.CloseHandle(h)
		}
	}, err
}

// Drain opens the batteries; they stay open as long as the process.
func (thisMachine) Drain() ([]Counter, error) {
	all, _, err := batteries()
	if err != nil {
		return nil, err
	}
	var counters []Counter
	for _, b := range all {
		counters = append(counters, b)
	}
	return counters, readable(counters)
}

// pdhNPU is the NPU's time by performance counters.
type pdhNPU struct{}

func (pdhNPU) Facts() Facts { return npuFacts(gpuEngine, 1e-7) }

func (pdhNPU) Count() (uint64, error) {
	all, err := pdhRead(gpuEngine)
	if err != nil {
		return 0, err
	}
	return npuTime(all)
}

func (thisMachine) NPUBusy() (Counter, error) {
	_, err := pdhNPU{}.Count()
	return pdhNPU{}, err
}

func (thisMachine) Now() []Reading {
	all, closeAll, _ := batteries()
	defer closeAll()
	var readings []Reading
	for _, b := range all {
		if r, err := b.watts(); err == nil {
			readings = append(readings, r)
		}
	}
	return readings
}

// systemPowerStatus is SYSTEM_POWER_STATUS of winbase.h.
type systemPowerStatus struct {
	acLine, flag, percent byte
	saver                 byte // 1: battery saver is on
	left, full            uint32
}

var getSystemPowerStatus = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetSystemPowerStatus")

func (thisMachine) Supply() Supply {
	var s systemPowerStatus
	if ok, _, _ := getSystemPowerStatus.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return Supply{}
	}
	p := Supply{OnBattery: s.acLine == 0, Saver: s.saver == 1}
	if p.Saver {
		p.Why = "Windows' energy saver is on"
	}
	return p
}

func (thisMachine) Heat() Heat {
	all, err := pdhRead(passiveLimit)
	if err != nil {
		return Heat{}
	}
	return Heat{Cooling: passive(all)}
}
