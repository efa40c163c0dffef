package cores

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel32    = windows.NewLazySystemDLL("kernel32.dll")
	information = kernel32.NewProc("GetLogicalProcessorInformationEx")
	affinity    = kernel32.NewProc("GetProcessAffinityMask")
)

func found() []core {
	var size uint32
	if information.Find() != nil {
		return nil
	}
	_, _, _ = information.Call(relationCore, 0, uintptr(unsafe.Pointer(&size))) // says the size
	if size == 0 || size > 1<<20 {
		return nil
	}
	data := make([]byte, size)
	if ok, _, _ := information.Call(relationCore, uintptr(unsafe.Pointer(&data[0])), uintptr(unsafe.Pointer(&size))); ok == 0 {
		return nil
	}
	return inRecords(data[:size], mine())
}

// mine is the mask of the process's CPUs, 0 where they are in several groups, of
// which Windows gives the process all.
func mine() uint64 {
	var process, system uintptr
	if ok, _, _ := affinity.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&process)), uintptr(unsafe.Pointer(&system))); ok == 0 {
		return 0
	}
	return uint64(process)
}
