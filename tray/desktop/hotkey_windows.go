package desktop

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	user32            = windows.NewLazySystemDLL("user32.dll")
	getMessage        = user32.NewProc("GetMessageW")
	peekMessage       = user32.NewProc("PeekMessageW")
	postThreadMessage = user32.NewProc("PostThreadMessageW")
	registerHotKey    = user32.NewProc("RegisterHotKey")
	unregisterHotKey  = user32.NewProc("UnregisterHotKey")
)

const (
	wmQuit, wmHotkey = 0x0012, 0x0312
	hotkeyID         = 1      // of those of one thread
	noRepeat         = 0x4000 // MOD_NOREPEAT: once, for as long as the keys are held
)

// held are the modifiers as MOD_* of winuser.h.
var held = map[Modifier]uintptr{Alt: 1, Ctrl: 2, Shift: 4, Super: 8}

// threadMessage is MSG.
type threadMessage struct {
	window  windows.HWND
	number  uint32
	w, l    uintptr
	time    uint32
	x, y    int32
	private uint32
}

// ListenHotkey calls pressed each time the person presses keys, in whichever
// program, until ctx ends; then it returns nil. pressed must not take long.
// description says to people what the keys do; Windows does not show it.
// ErrHotkeyTaken is returned at once.
func ListenHotkey(ctx context.Context, keys, description string, pressed func()) error {
	k, err := ParseHotkey(keys)
	if err != nil {
		return err
	}
	// Windows sends what is pressed to the thread that asked.
	ended := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		ended <- listen(ctx, k, pressed)
	}()
	return <-ended
}

func listen(ctx context.Context, k Keys, pressed func()) error {
	flags := uintptr(noRepeat)
	for m, flag := range held {
		if k.Modifiers&m != 0 {
			flags |= flag
		}
	}
	var m threadMessage
	_, _, _ = peekMessage.Call(uintptr(unsafe.Pointer(&m)), 0, 0, 0, 0) // makes the thread's queue
	if ok, _, err := registerHotKey.Call(0, hotkeyID, flags, uintptr(k.key.virtual)); ok == 0 {
		if errors.Is(err, windows.ERROR_HOTKEY_ALREADY_REGISTERED) {
			return fmt.Errorf("listen to the keys %s: %w", k, ErrHotkeyTaken)
		}
		return fmt.Errorf("listen to the keys %s: %w", k, windowsError(err))
	}
	defer func() { _, _, _ = unregisterHotKey.Call(0, hotkeyID) }()
	thread := windows.GetCurrentThreadId()
	stop := context.AfterFunc(ctx, func() { _, _, _ = postThreadMessage.Call(uintptr(thread), wmQuit, 0, 0) })
	defer stop()
	for {
		switch n, _, err := getMessage.Call(uintptr(unsafe.Pointer(&m)), 0, 0, 0); int32(n) {
		case -1:
			return fmt.Errorf("listen to the keys %s: %w", k, windowsError(err))
		case 0:
			return nil
		}
		if m.number == wmHotkey && m.w == hotkeyID {
			pressed()
		}
	}
}

// windowsError is what a call set, which may be nothing.
func windowsError(err error) error {
	if err == nil || err == syscall.Errno(0) {
		return syscall.EINVAL
	}
	return err
}

// CanListen is nil: Windows gives keys to programs.
func CanListen(context.Context) error { return nil }
