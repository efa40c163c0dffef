package desktop

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// systemPowerStatus is SYSTEM_POWER_STATUS of winbase.h.
type systemPowerStatus struct {
	ACLineStatus        byte // 0 offline, 1 online, 255 unknown
	BatteryFlag         byte
	BatteryLifePercent  byte
	SystemStatusFlag    byte
	BatteryLifeTime     uint32
	BatteryFullLifeTime uint32
}

var getSystemPowerStatus = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetSystemPowerStatus")

// OnBattery says whether the machine runs on its battery.
func OnBattery() (bool, error) {
	var s systemPowerStatus
	if ok, _, err := getSystemPowerStatus.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return false, fmt.Errorf("look for a battery: %w", err)
	}
	return s.ACLineStatus == 0, nil
}
