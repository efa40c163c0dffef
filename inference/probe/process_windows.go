package probe

import (
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// hide keeps a window from opening.
func hide(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW}
}

var memoryInfo = windows.NewLazySystemDLL("psapi.dll").NewProc("GetProcessMemoryInfo")

// memoryCounters is PROCESS_MEMORY_COUNTERS of psapi.h.
type memoryCounters struct {
	size                   uint32
	faults                 uint32
	peak, workingSet       uintptr
	pool                   [4]uintptr
	pagefile, peakPagefile uintptr
}

// resident is the working set of a process in bytes.
func resident(pid int) (int64, error) {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return 0, err
	}
	defer windows.CloseHandle(process)
	var c memoryCounters
	c.size = uint32(unsafe.Sizeof(c))
	if ok, _, err := memoryInfo.Call(uintptr(process), uintptr(unsafe.Pointer(&c)), uintptr(c.size)); ok == 0 {
		return 0, err
	}
	return int64(c.workingSet), nil
}
