package win32

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"dragoman/watch/clip/selection"
)

// Conn is a window that Windows tells of changes; it implements
// selection.System.
type Conn struct {
	window  windows.HWND
	changes *selection.Mailbox
	calls   chan func()   // for the window's thread, which wmCall wakes
	reading chan struct{} // room for one: a thread that reads

	mu   sync.Mutex
	told uint32 // sequence number of the change that was told last

	closing bool          // of the window's thread
	done    chan struct{} // closed when that has ended
	err     error         // valid when done is closed
}

var _ selection.System = (*Conn)(nil)

// wmCall asks the window's thread to take from calls.
const wmCall = wmApp

var errClosed = errors.New("it was closed")

// Dial makes the window. ctx bounds only that.
func Dial(ctx context.Context) (*Conn, error) {
	c := &Conn{changes: selection.NewMailbox(), calls: make(chan func(), 8), reading: make(chan struct{}, 1), done: make(chan struct{})}
	ready := make(chan error, 1)
	go c.run(ready)
	select {
	case err := <-ready:
		if err != nil {
			return nil, fmt.Errorf("watch the clipboard of Windows: %w", err)
		}
		return c, nil
	case <-ctx.Done():
		go func() {
			if <-ready == nil {
				_ = c.Close(context.Background())
			}
		}()
		return nil, fmt.Errorf("watch the clipboard of Windows: %w", ctx.Err())
	}
}

// run is the window's thread. It never waits for anything but messages: who
// empties the clipboard sends one to the window that filled it, and waits.
func (c *Conn) run(ready chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(c.done)
	defer c.changes.Close()
	if c.err = c.create(); c.err != nil {
		ready <- c.err
		return
	}
	ready <- nil
	c.err = c.loop()
	_, _, _ = removeClipboardFormatListener.Call(uintptr(c.window))
	_, _, _ = destroyWindow.Call(uintptr(c.window))
}

// create makes the window and has it told of changes.
func (c *Conn) create() (err error) {
	if c.window, err = newWindow(); err != nil {
		return err
	}
	c.told = sequence()
	if ok, _, err := addClipboardFormatListener.Call(uintptr(c.window)); ok == 0 {
		_, _, _ = destroyWindow.Call(uintptr(c.window))
		return fmt.Errorf("ask for news: %w", failed(err))
	}
	return nil
}

// newWindow makes a window of this thread's that only gets messages. A class of
// our own is not needed: the messages that matter are posted and so seen by loop.
func newWindow() (windows.HWND, error) {
	class, err := windows.UTF16PtrFromString("STATIC")
	if err != nil {
		return 0, err
	}
	w, _, err := createWindowEx.Call(0, uintptr(unsafe.Pointer(class)), 0, 0, 0, 0, 0, 0, messageOnly, 0, 0, 0)
	if w == 0 {
		return 0, fmt.Errorf("make a window: %w", failed(err))
	}
	return windows.HWND(w), nil
}

func (c *Conn) loop() error {
	for !c.closing {
		var m message
		switch n, _, err := getMessage.Call(uintptr(unsafe.Pointer(&m)), 0, 0, 0); int32(n) {
		case -1:
			return fmt.Errorf("wait for messages: %w", failed(err))
		case 0:
			return errClosed // WM_QUIT
		}
		switch {
		case m.window == c.window && m.number == wmClipboardUpdate:
			c.changed()
		case m.window == c.window && m.number == wmCall:
			select {
			case call := <-c.calls:
				call()
			default:
			}
		default:
			_, _, _ = dispatchMessage.Call(uintptr(unsafe.Pointer(&m)))
		}
	}
	return errClosed
}

// changed tells of a change once, though Windows may post two messages for it.
func (c *Conn) changed() {
	seen := time.Now()
	c.mu.Lock()
	now := sequence()
	twice := now == c.told && now != 0 // 0 where the session keeps the number from us
	c.told = now
	c.mu.Unlock()
	switch {
	case twice:
	case owned() == c.window:
		c.changes.Drop()
	default:
		c.changes.Put(selection.Change{Seen: seen})
	}
}

// rendered takes over the number that the clipboard got because a format was
// read: a program may make its data only then, which is no change for people.
func (c *Conn) rendered(from, to uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.told == from {
		c.told = to
	}
}

// call runs f on the window's thread. With an error f may still run later.
func (c *Conn) call(ctx context.Context, f func()) error {
	ran := make(chan struct{})
	select {
	case c.calls <- func() { f(); close(ran) }:
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
	if ok, _, err := postMessage.Call(uintptr(c.window), wmCall, 0, 0); ok == 0 {
		return fmt.Errorf("wake the clipboard's thread: %w", failed(err))
	}
	select {
	case <-ran:
		return nil
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Name is for people.
func (c *Conn) Name() string { return "Windows" }

// Changes tells what other programs copied; see selection.System. Windows has no
// stamps.
func (c *Conn) Changes() <-chan selection.Change { return c.changes.Changes() }

// Err says why Changes ended, nil if it has not.
func (c *Conn) Err() error {
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}

// Close ends the connection. A text of ours stays: Windows has it.
func (c *Conn) Close(ctx context.Context) error {
	if err := c.call(ctx, func() { c.closing = true }); err != nil && c.Err() == nil {
		return fmt.Errorf("close the clipboard of Windows: %w", err)
	}
	select {
	case <-c.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close the clipboard of Windows: %w", ctx.Err())
	}
}
