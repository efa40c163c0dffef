package model

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

func fileID(f *os.File) (string, error) {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d:%d:%d", info.VolumeSerialNumber, info.FileIndexHigh, info.FileIndexLow), nil
}

// releasePages unlocks pages that were never locked: Windows answers with an
// error and takes them out of the working set, which is what is wanted.
func releasePages(pages []byte) {
	_ = windows.VirtualUnlock(uintptr(unsafe.Pointer(unsafe.SliceData(pages))), uintptr(len(pages)))
}
