package mapped

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// Release takes pages of a mapped file out of the working set, for maps that
// are made elsewhere: VirtualUnlock does so with pages that were never locked,
// and reports an error for it (its documentation, "Remarks").
func Release(data []byte) {
	if len(data) > 0 {
		_ = windows.VirtualUnlock(uintptr(unsafe.Pointer(&data[0])), uintptr(len(data)))
	}
}
