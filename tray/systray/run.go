package systray

import (
	"context"
	"errors"
	"runtime"

	fyne "fyne.io/systray"

	"dragoman/tray"
	"dragoman/tray/bus"
)

// Why Run ends by itself. After ErrBusLost and ErrNotShown the process has to be
// started again, because the library works once in a process; a new process
// waits for the bus by WaitForBus.
var (
	// ErrNoBus is a session without D-Bus; nothing was begun, and Run may be
	// called again.
	ErrNoBus = bus.ErrNone
	// ErrBusLost is the end of the session bus, with which icon and menu went.
	ErrBusLost = bus.ErrLost
	// ErrNotShown is a notification area that does not take an icon, as while
	// Windows still logs a user on.
	ErrNotShown = errors.New("the desktop does not take the icon")
)

// Run shows views until ctx ends or views is closed; then it takes the icon away
// and returns nil. It shows nothing before the first view. Of views that come
// faster than they can be drawn only the last counts.
//
// Clicks are sent in their order; while nobody receives them the newest are
// dropped from the 64th on, and views are drawn all the same. A click is on
// what the item meant when it arrived.
//
// Run can be called once in a process, except after ErrNoBus. Without a desktop
// that shows icons it goes on and the icon comes when there is one (package host).
func Run(ctx context.Context, views <-chan tray.View, clicks chan<- tray.Click) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	link, err := connect()
	if err != nil {
		return err
	}
	defer link.close()

	var first tray.View
	select {
	case v, ok := <-views:
		if !ok {
			return nil
		}
		first = v
	case <-ctx.Done():
		return nil
	case <-link.lost():
		return ErrBusLost
	}

	p := newPainter()
	p.before(first)
	link.begin()
	ready, drawn, finished := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(finished)
		// Windows wants a window and its messages on one thread.
		runtime.LockOSThread()
		fyne.Run(func() {
			p.draw(first)
			close(ready)
			go func() {
				defer close(drawn)
				defer end() // where views is closed
				p.loop(ctx, views, clicks, link)
			}()
		}, nil)
	}()
	return supervise(ctx, link, ready, drawn, finished)
}

// supervise waits for an end and takes the icon away, where there is somebody to
// take it from.
func supervise(ctx context.Context, link *link, ready, drawn, finished <-chan struct{}) error {
	select {
	case <-ready:
	case <-finished:
		return ErrNotShown
	case <-link.late():
		return ErrNotShown
	case <-ctx.Done():
	}
	select {
	case <-ctx.Done():
	case <-link.lost():
		// What the library holds of the bus is of no use any more, and it
		// would fail on closing what it may never have opened.
		return ErrBusLost
	case <-finished:
		return ErrNotShown
	}
	// The library may be quit only when it has begun.
	for _, begun := range []<-chan struct{}{link.settled(), drawn} {
		select {
		case <-begun:
			continue
		default:
		}
		select {
		case <-begun:
		case <-link.lost():
			return nil
		case <-link.late():
			return nil
		}
	}
	fyne.Quit()
	<-finished
	return nil
}
