package win32

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	user32   = windows.NewLazySystemDLL("user32.dll")
	kernel32 = windows.NewLazySystemDLL("kernel32.dll")

	addClipboardFormatListener    = user32.NewProc("AddClipboardFormatListener")
	closeClipboard                = user32.NewProc("CloseClipboard")
	createWindowEx                = user32.NewProc("CreateWindowExW")
	destroyWindow                 = user32.NewProc("DestroyWindow")
	dispatchMessage               = user32.NewProc("DispatchMessageW")
	emptyClipboard                = user32.NewProc("EmptyClipboard")
	getClipboardData              = user32.NewProc("GetClipboardData")
	getClipboardFormatName        = user32.NewProc("GetClipboardFormatNameW")
	getClipboardOwner             = user32.NewProc("GetClipboardOwner")
	getClipboardSequenceNumber    = user32.NewProc("GetClipboardSequenceNumber")
	getMessage                    = user32.NewProc("GetMessageW")
	getOpenClipboardWindow        = user32.NewProc("GetOpenClipboardWindow")
	getUpdatedClipboardFormats    = user32.NewProc("GetUpdatedClipboardFormats")
	isClipboardFormatAvailable    = user32.NewProc("IsClipboardFormatAvailable")
	openClipboard                 = user32.NewProc("OpenClipboard")
	postMessage                   = user32.NewProc("PostMessageW")
	registerClipboardFormat       = user32.NewProc("RegisterClipboardFormatW")
	removeClipboardFormatListener = user32.NewProc("RemoveClipboardFormatListener")
	sendMessageTimeout            = user32.NewProc("SendMessageTimeoutW")
	setClipboardData              = user32.NewProc("SetClipboardData")

	globalAlloc  = kernel32.NewProc("GlobalAlloc")
	globalFree   = kernel32.NewProc("GlobalFree")
	globalLock   = kernel32.NewProc("GlobalLock")
	globalSize   = kernel32.NewProc("GlobalSize")
	globalUnlock = kernel32.NewProc("GlobalUnlock")
)

const (
	messageOnly = ^uintptr(2) // HWND_MESSAGE, which is -3
	moveable    = 2           // GMEM_MOVEABLE

	wmNull            = 0x0000
	wmClipboardUpdate = 0x031d
	wmApp             = 0x8000

	// sendAbort gives up at once where the window is known to hang, and
	// otherwise lets nothing else be done by this thread (SMTO_BLOCK |
	// SMTO_ABORTIFHUNG).
	sendAbort = 0x0001 | 0x0002
)

// message is MSG.
type message struct {
	window  windows.HWND
	number  uint32
	w, l    uintptr
	time    uint32
	x, y    int32
	private uint32
}

// failed makes an error of what a call set, which may be nothing.
func failed(err error) error {
	if err == nil || err == syscall.Errno(0) {
		return syscall.EINVAL
	}
	return err
}

// sequence counts the changes of the clipboard in this session, each format that
// is set for itself.
func sequence() uint32 {
	n, _, _ := getClipboardSequenceNumber.Call()
	return uint32(n)
}

// owned returns the window that filled the clipboard: 0 where the program named
// none or has ended.
func owned() windows.HWND {
	w, _, _ := getClipboardOwner.Call()
	return windows.HWND(w)
}

// memory returns what a global handle holds, until done is called.
func memory(handle uintptr) (data []byte, done func(), ok bool) {
	size, _, _ := globalSize.Call(handle)
	at, _, _ := globalLock.Call(handle)
	if at == 0 {
		return nil, nil, false
	}
	// The address is Windows', so that the collector does not move it.
	p := *(*unsafe.Pointer)(unsafe.Pointer(&at))
	return unsafe.Slice((*byte)(p), size), func() { _, _, _ = globalUnlock.Call(handle) }, true
}

// newMemory returns a global handle that holds a copy of data.
func newMemory(data []byte) (uintptr, error) {
	handle, _, err := globalAlloc.Call(moveable, uintptr(len(data)))
	if handle == 0 {
		return 0, failed(err)
	}
	to, done, ok := memory(handle)
	if !ok {
		_, _, _ = globalFree.Call(handle)
		return 0, windows.ERROR_NOT_ENOUGH_MEMORY
	}
	copy(to, data)
	done()
	return handle, nil
}

// asBytes is the memory of units.
func asBytes(units []uint16) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(units))), 2*len(units))
}

// asUnits is the memory of bytes; an odd one at the end is left out.
func asUnits(data []byte) []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/2)
}
