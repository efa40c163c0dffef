//go:build unix

package desktop

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/godbus/dbus/v5"

	"dragoman/tray/bus"
)

// Names of XDG Desktop Portal.
const (
	portalName   = "org.freedesktop.portal.Desktop"
	portalPath   = "/org/freedesktop/portal/desktop"
	requestIface = "org.freedesktop.portal.Request"
	sessionIface = "org.freedesktop.portal.Session"
)

// portalPatience is how long the portal may take to accept a question, which
// may first have to be started. Answers of people have no limit.
const portalPatience = 10 * time.Second

// What a portal does.
var (
	errNoPortal  = errors.New("this desktop has no such portal")
	errDismissed = errors.New("it was dismissed")
	errRefused   = errors.New("the desktop refused")
	errGone      = errors.New("the desktop's portal ended")
)

// portal is a connection of our own for one purpose. It is used by one goroutine
// at a time.
type portal struct {
	conn    *dbus.Conn
	signals chan *dbus.Signal
	owner   string // the portal's unique name
}

// openPortal connects to the portal if it has an interface in a version or a
// later one, else its error is errNoPortal. No bus is started.
func openPortal(ctx context.Context, iface string, version uint32) (*portal, error) {
	conn, err := bus.Connect(portalPatience)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoPortal, err)
	}
	p := &portal{conn: conn, signals: make(chan *dbus.Signal, 16)}
	conn.Signal(p.signals)
	if err := p.begin(ctx, iface, version); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *portal) begin(ctx context.Context, iface string, version uint32) error {
	ctx, cancel := context.WithTimeout(ctx, portalPatience)
	defer cancel()
	for _, match := range [][]dbus.MatchOption{
		{dbus.WithMatchSender(portalName), dbus.WithMatchInterface(requestIface)},
		{dbus.WithMatchSender(portalName), dbus.WithMatchInterface(sessionIface)},
		{dbus.WithMatchSender(portalName), dbus.WithMatchInterface(iface)},
		{dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, portalName)},
	} {
		if err := p.conn.AddMatchSignalContext(ctx, match...); err != nil {
			return fmt.Errorf("ask for the portal's signals: %w", err)
		}
	}
	var has dbus.Variant
	err := p.object(portalPath).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, iface, "version").Store(&has)
	if _, answered := errors.AsType[dbus.Error](err); answered {
		return fmt.Errorf("%w: %s: %w", errNoPortal, iface, err)
	}
	if err != nil {
		return fmt.Errorf("ask for the portal's version: %w", err)
	}
	if v, ok := has.Value().(uint32); !ok || v < version {
		return fmt.Errorf("%w: %s is older than version %d", errNoPortal, iface, version)
	}
	if err := p.conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetNameOwner", 0, portalName).Store(&p.owner); err != nil {
		return fmt.Errorf("ask whose the portal is: %w", err)
	}
	return nil
}

func (p *portal) object(path dbus.ObjectPath) dbus.BusObject { return p.conn.Object(portalName, path) }

func (p *portal) close() { _ = p.conn.Close() }

// request asks for something that a person may have to answer. args are the
// method's before its options, among which the token of the answer is put. The
// error is errDismissed where the person wanted none of it.
func (p *portal) request(ctx context.Context, method string, options map[string]dbus.Variant, args ...any) (map[string]dbus.Variant, error) {
	options["handle_token"] = dbus.MakeVariant(token())
	handle, err := p.ask(ctx, method, append(args, options)...)
	if err != nil {
		return nil, err
	}
	for {
		s, err := p.next(ctx)
		if err != nil {
			if ctx.Err() != nil {
				p.end(handle, requestIface)
			}
			return nil, err
		}
		if s.Path != handle || s.Name != requestIface+".Response" || len(s.Body) != 2 {
			continue
		}
		code, isCode := s.Body[0].(uint32)
		results, isResults := s.Body[1].(map[string]dbus.Variant)
		switch {
		case !isCode || !isResults || code > 1:
			return nil, errRefused
		case code == 1:
			return nil, errDismissed
		}
		return results, nil
	}
}

// ask calls a method that returns the path of its answer.
func (p *portal) ask(ctx context.Context, method string, args ...any) (handle dbus.ObjectPath, err error) {
	ctx, cancel := context.WithTimeout(ctx, portalPatience)
	defer cancel()
	if err := p.object(portalPath).CallWithContext(ctx, method, 0, args...).Store(&handle); err != nil {
		return "", fmt.Errorf("call %s: %w", method, err)
	}
	return handle, nil
}

// next returns the next signal of the portal. Any program can send signals: what
// others send is left out.
func (p *portal) next(ctx context.Context) (*dbus.Signal, error) {
	for {
		select {
		case s, ok := <-p.signals:
			switch {
			case !ok:
				return nil, errGone
			case s.Sender == p.owner:
				return s, nil
			case s.Sender == "org.freedesktop.DBus" && s.Name == "org.freedesktop.DBus.NameOwnerChanged" && len(s.Body) == 3 && s.Body[2] != p.owner:
				return nil, errGone // and not that it was started for us
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// end closes a question or a session, though the context has ended.
func (p *portal) end(path dbus.ObjectPath, iface string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = p.object(path).CallWithContext(ctx, iface+".Close", 0).Err
}

// token is an element of an object's path that nobody can guess.
func token() string { return "dragoman_" + rand.Text() }
