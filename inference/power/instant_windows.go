package power

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernelbase             = windows.NewLazySystemDLL("kernelbase.dll")
	queryInterruptTime     = kernelbase.NewProc("QueryInterruptTimePrecise")
	queryUnbiasedInterrupt = kernelbase.NewProc("QueryUnbiasedInterruptTimePrecise")

	kernel32      = windows.NewLazySystemDLL("kernel32.dll")
	coarseAwake   = kernel32.NewProc("QueryUnbiasedInterruptTime")
	coarseWholeMS = kernel32.NewProc("GetTickCount64")
)

// now reads the interrupt time, in units of 100 ns, with sleep and without. Where
// the precise clocks are missing (before Windows 10, and in Wine) those are read
// that go on with each tick.
func now() Instant {
	var whole, awake uint64
	if queryInterruptTime.Find() != nil || queryUnbiasedInterrupt.Find() != nil {
		_, _, _ = coarseAwake.Call(uintptr(unsafe.Pointer(&awake)))
		ms, _, _ := coarseWholeMS.Call()
		return Instant{Awake: time.Duration(awake) * 100, Whole: time.Duration(ms) * time.Millisecond}
	}
	_, _, _ = queryInterruptTime.Call(uintptr(unsafe.Pointer(&whole)))
	_, _, _ = queryUnbiasedInterrupt.Call(uintptr(unsafe.Pointer(&awake)))
	return Instant{Awake: time.Duration(awake) * 100, Whole: time.Duration(whole) * 100}
}
