//go:build unix

package host

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/godbus/dbus/v5"

	"dragoman/tray/bus"
)

const (
	watcherName = "org.kde.StatusNotifierWatcher"
	watcherPath = "/StatusNotifierWatcher"
	// patience is how long icons may have no place before that is reported: a
	// panel comes a few seconds after the login, or after a crash of its own.
	patience = 10 * time.Second
	// connectPatience is how long the bus may take to greet.
	connectPatience = 10 * time.Second
)

// Shows says whether the desktop shows icons now. bus.ErrNone is the error
// without a bus.
func Shows(ctx context.Context) (bool, error) {
	conn, err := bus.Connect(connectPatience)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	return hostShows(ctx, conn)
}

// Follow reports whether the desktop shows icons, at the beginning and at
// each change, until ctx ends; bus.ErrNone without a bus, bus.ErrLost when it goes.
// That it shows none is reported after ten seconds without.
func Follow(ctx context.Context, report func(shows bool)) error {
	return follow(ctx, patience, report)
}

func follow(ctx context.Context, patience time.Duration, report func(shows bool)) error {
	conn, err := bus.Connect(connectPatience)
	if err != nil {
		return err
	}
	defer conn.Close()
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	for _, match := range [][]dbus.MatchOption{
		{dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, watcherName)},
		{dbus.WithMatchSender(watcherName), dbus.WithMatchInterface(watcherName), dbus.WithMatchObjectPath(watcherPath)},
	} {
		if err := conn.AddMatchSignalContext(ctx, match...); err != nil {
			return ended(ctx, conn, fmt.Errorf("follow the desktop's place for icons: %w", err))
		}
	}

	var shown *bool // as reported
	tell := func(shows bool) {
		if shown == nil || *shown != shows {
			shown = &shows
			report(shows)
		}
	}
	missing := time.NewTimer(patience)
	defer missing.Stop()
	for {
		if shows, err := hostShows(ctx, conn); err != nil {
			return ended(ctx, conn, err)
		} else if shows {
			missing.Stop()
			tell(true)
		} else if shown == nil || *shown {
			missing.Reset(patience)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-conn.Context().Done():
			return bus.ErrLost
		case <-missing.C:
			tell(false)
		case <-signals:
		}
	}
}

// hostShows asks the watcher, which keeps the list of icons, whether there is
// a host, which shows them (freedesktop's StatusNotifierItem). It starts none.
func hostShows(ctx context.Context, conn *dbus.Conn) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var owned bool
	call := conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, watcherName)
	if err := call.Store(&owned); err != nil {
		return false, fmt.Errorf("ask who shows icons: %w", err)
	}
	if !owned {
		return false, nil
	}
	var host dbus.Variant
	call = conn.Object(watcherName, watcherPath).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get",
		dbus.FlagNoAutoStart, watcherName, "IsStatusNotifierHostRegistered")
	if call.Store(&host) != nil {
		return false, nil // it has just gone, or does not answer
	}
	shows, _ := host.Value().(bool)
	return shows, nil
}

// ended tells the end of ctx and of the bus from other errors.
func ended(ctx context.Context, conn *dbus.Conn, err error) error {
	var socket *net.OpError
	switch {
	case ctx.Err() != nil:
		return nil
	case conn.Context().Err() != nil, errors.Is(err, dbus.ErrClosed), errors.As(err, &socket): // a call may hear of it first
		return bus.ErrLost
	}
	return err
}
