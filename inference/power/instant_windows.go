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
)

// now reads the interrupt time, in units of 100 ns, with sleep and without.
func now() Instant {
	var whole, awake uint64
	if queryInterruptTime.Find() != nil || queryUnbiasedInterrupt.Find() != nil {
		return Instant{} // Windows before 10: spans of no length are unknown
	}
	_, _, _ = queryInterruptTime.Call(uintptr(unsafe.Pointer(&whole)))
	_, _, _ = queryUnbiasedInterrupt.Call(uintptr(unsafe.Pointer(&awake)))
	return Instant{Awake: time.Duration(awake) * 100, Whole: time.Duration(whole) * 100}
}
