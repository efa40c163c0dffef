package mapped

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

var virtualUnlock = windows.NewLazySystemDLL("kernel32.dll").NewProc("VirtualUnlock")

// release takes pages out of the working set: VirtualUnlock on pages that are
// not locked does so (its documentation, "Remarks") and reports ERROR_NOT_LOCKED.
func release(data []byte) {
	if len(data) > 0 {
		_, _, _ = virtualUnlock.Call(uintptr(unsafe.Pointer(&data[0])), uintptr(len(data)))
	}
}
