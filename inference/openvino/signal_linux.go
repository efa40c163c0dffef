package openvino

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// signalStack is stack_t of sigaltstack(2).
type signalStack struct {
	start uintptr
	flags int32
	size  uintptr
}

// keepingSignalStack runs a function on one thread and gives that thread its
// stack for signals back. The CPU plugin of 2026.4.1 sets a stack of its own when
// it is loaded and unmaps it when it is freed, on whatever thread that is: the
// kernel ends the process at the next signal to the thread that kept it.
func keepingSignalStack(run func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before signalStack
	_, _, failed := unix.RawSyscall(unix.SYS_SIGALTSTACK, 0, uintptr(unsafe.Pointer(&before)), 0)
	run()
	if failed == 0 {
		unix.RawSyscall(unix.SYS_SIGALTSTACK, uintptr(unsafe.Pointer(&before)), 0, 0)
	}
}
