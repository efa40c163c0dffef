//go:build windows

// Command taskbar tells all windows that there is a new taskbar, as explorer.exe
// does when it starts (Microsoft, "The Taskbar": Taskbar Creation Notification).
package main

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// broadcast is HWND_BROADCAST: all top-level windows.
const broadcast = 0xffff

func main() {
	user32 := windows.NewLazySystemDLL("user32.dll")
	name := windows.StringToUTF16Ptr("TaskbarCreated")
	message, _, err := user32.NewProc("RegisterWindowMessageW").Call(uintptr(unsafe.Pointer(name)))
	if message != 0 {
		var sent uintptr
		if sent, _, err = user32.NewProc("SendNotifyMessageW").Call(broadcast, message, 0, 0); sent != 0 {
			return
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
