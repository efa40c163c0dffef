package win32

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"dragoman/watch/clip/selection"
)

// cloud is the format that keeps a text on this machine where it is zero. Our
// promise is that texts do not leave it, so a translation must not either,
// only because the person did not switch off what Windows sends to the account.
// The history of Windows (Win+V) and other clipboard managers may have it:
// people look there for what they copied.
const cloud = "CanUploadToCloudClipboard"

// Write fills the clipboard; see selection.System. Windows keeps the text when
// this process has ended.
func (c *Conn) Write(ctx context.Context, text string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, openLimit, errBusy)
	defer cancel()
	data := asBytes(toUTF16(text))
	for pause := openFirst; ; pause = min(2*pause, openLast) {
		result := make(chan error, 1)
		if err := c.call(ctx, func() { result <- c.fill(data) }); err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return fmt.Errorf("take the clipboard: %w", err)
		}
		err := <-result
		if !errors.Is(err, errBusy) {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return fmt.Errorf("take the clipboard: %w", err)
		}
	}
}

// fill runs on the window's thread and waits for nobody.
func (c *Conn) fill(text []byte) error {
	if ok, _, _ := openClipboard.Call(uintptr(c.window)); ok == 0 {
		return busy()
	}
	defer func() { _, _, _ = closeClipboard.Call() }()
	if ok, _, err := emptyClipboard.Call(); ok == 0 {
		return fmt.Errorf("empty the clipboard: %w", failed(err))
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{selection.Marker, []byte{0}}, {cloud, make([]byte, 4)}, {"", text}} {
		id := uintptr(unicodeText)
		if f.name != "" {
			name, err := windows.UTF16PtrFromString(f.name)
			if err != nil {
				return err
			}
			if id, _, err = registerClipboardFormat.Call(uintptr(unsafe.Pointer(name))); id == 0 {
				return fmt.Errorf("register the format %s: %w", f.name, failed(err))
			}
		}
		if err := set(id, f.data); err != nil {
			return fmt.Errorf("fill the clipboard: %w", err)
		}
	}
	return nil
}

func set(id uintptr, data []byte) error {
	handle, err := newMemory(data)
	if err != nil {
		return err
	}
	if ok, _, err := setClipboardData.Call(id, handle); ok == 0 {
		_, _, _ = globalFree.Call(handle) // it is Windows' only if that worked
		return failed(err)
	}
	return nil
}
