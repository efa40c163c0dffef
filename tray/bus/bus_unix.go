//go:build unix

package bus

import (
	"errors"
	"fmt"
	"time"

	"github.com/godbus/dbus/v5"
)

// Connect makes a connection of the caller's own: systray closes the shared one
// when it ends. It never starts a bus, as godbus otherwise would by dbus-launch,
// which leaves it behind for ever. A bus that hangs is given patience.
func Connect(patience time.Duration) (*dbus.Conn, error) {
	conn, err := dbus.SessionBusPrivateNoAutoStartup()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	// Neither Auth nor Hello has a deadline.
	hung := time.AfterFunc(patience, func() { _ = conn.Close() })
	if err = conn.Auth(nil); err == nil {
		err = conn.Hello()
	}
	if !hung.Stop() && err == nil {
		err = errors.New("it answered too late")
	}
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("%w: greet it: %w", ErrNone, err)
	}
	return conn, nil
}
