//go:build unix

package systray

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/godbus/dbus/v5"

	"dragoman/tray/bus"
)

// link is a connection to the session bus beside the library's own, which tells
// nobody when it is lost.
type link struct {
	conn *dbus.Conn
	done chan struct{}   // closed when the library's objects are on the bus
	over <-chan struct{} // closed when it should long be
	end  context.CancelFunc
}

// begun is how long the library may take to be on the bus.
const begun = 10 * time.Second

// connect opens a link, ErrNoBus if there is no bus. It never starts one: the
// library would, by dbus-launch, and leave it behind. It is only called when a
// bus has answered here, whose address is in the environment from then on.
func connect() (*link, error) {
	conn, err := bus.Connect(begun)
	if err != nil {
		return nil, err
	}
	return &link{conn: conn, done: make(chan struct{}), end: func() {}}, nil
}

// begin is called just before the library begins.
func (l *link) begin() {
	ctx, end := context.WithTimeout(context.Background(), begun)
	l.over, l.end = ctx.Done(), end
	go l.settle(ctx)
}

// settle waits until the menu describes itself, the last that the library puts
// on the bus, and closes done.
func (l *link) settle(ctx context.Context) {
	const often = 20 * time.Millisecond
	own := fmt.Sprintf("org.kde.StatusNotifierItem-%d-1", os.Getpid())
	menu := l.conn.Object(own, "/StatusNotifierItem/menu")
	for ctx.Err() == nil && l.conn.Context().Err() == nil {
		call := menu.CallWithContext(ctx, "org.freedesktop.DBus.Introspectable.Introspect", dbus.FlagNoAutoStart)
		if call.Err == nil {
			close(l.done)
			return
		}
		time.Sleep(often)
	}
}

// lost is closed when the bus is gone.
func (l *link) lost() <-chan struct{} { return l.conn.Context().Done() }

// settled is closed when the library has begun.
func (l *link) settled() <-chan struct{} { return l.done }

// late is closed when the library should long have begun.
func (l *link) late() <-chan struct{} { return l.over }

func (l *link) close() {
	l.end()
	_ = l.conn.Close()
}

// Waits of WaitForBus between attempts, twice as long after each.
const (
	firstWait = time.Second
	lastWait  = time.Minute
)

// WaitForBus returns when there is a session bus, at once if there is one, or
// with the error of ctx. Where no bus comes back, as after the end of a session,
// only ctx ends it.
func WaitForBus(ctx context.Context) error {
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		conn, err := bus.Connect(begun)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
