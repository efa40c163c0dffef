//go:build unix

package desktop

import (
	"context"
	"errors"
	"fmt"

	"github.com/godbus/dbus/v5"
)

const (
	shortcutsIface = "org.freedesktop.portal.GlobalShortcuts"
	registryIface  = "org.freedesktop.host.portal.Registry"
	shortcutID     = "translate-clipboard"
	// desktopEntry is the name of our .desktop file, by which desktops keep
	// which keys a program has.
	desktopEntry = "dragoman-tray"
)

// ListenHotkey calls pressed each time the person presses keys, in whichever
// program, until ctx ends; then it returns nil. pressed must not take long.
// description says to people what the keys do: desktops show it in their
// settings, where the keys can be changed, and may ask the person first.
//
// The error is ErrHotkeyUnsupported where the desktop lacks the portal
// GlobalShortcuts, ErrHotkeyTaken where it gave no keys; after any other, such as
// that the portal was restarted, it may be called again. Keys are not taken from
// the X server itself: that would need a second user of the tables of
// github.com/jezek/xgb, which has no locks for them, beside watch/clip.
func ListenHotkey(ctx context.Context, keys, description string, pressed func()) error {
	k, err := ParseHotkey(keys)
	if err != nil {
		return err
	}
	if err := listen(ctx, k, description, pressed); err != nil && ctx.Err() == nil {
		if errors.Is(err, errNoPortal) {
			err = fmt.Errorf("%w (%w)", ErrHotkeyUnsupported, err)
		}
		return fmt.Errorf("listen to the keys %s: %w", k, err)
	}
	return nil
}

func listen(ctx context.Context, k Keys, description string, pressed func()) error {
	p, err := openPortal(ctx, shortcutsIface, 1)
	if err != nil {
		return err
	}
	defer p.close()
	p.register(ctx)
	session, err := p.bind(ctx, k, description)
	if session != "" {
		defer p.end(session, sessionIface)
	}
	if err != nil {
		return err
	}
	for {
		s, err := p.next(ctx)
		if err != nil {
			return err
		}
		switch {
		case s.Path == session && s.Name == sessionIface+".Closed":
			return errGone
		case s.Name == shortcutsIface+".Activated" && len(s.Body) >= 2 && s.Body[0] == session && s.Body[1] == shortcutID:
			pressed()
		}
	}
}

// register says who we are, which desktops want to know before they keep keys.
// Those that do not know the call, or our .desktop file, take the name of the
// systemd unit.
func (p *portal) register(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, portalPatience)
	defer cancel()
	_ = p.object(portalPath).CallWithContext(ctx, registryIface+".Register", 0, desktopEntry, map[string]dbus.Variant{}).Err
}

// bind makes a session and has it given the keys. The session is to be ended
// also after an error.
func (p *portal) bind(ctx context.Context, k Keys, description string) (session dbus.ObjectPath, err error) {
	made, err := p.request(ctx, shortcutsIface+".CreateSession", map[string]dbus.Variant{"session_handle_token": dbus.MakeVariant(token())})
	if err != nil {
		return "", err
	}
	switch handle := made["session_handle"].Value().(type) {
	case string: // as the specification has it
		session = dbus.ObjectPath(handle)
	case dbus.ObjectPath:
		session = handle
	}
	if !session.IsValid() {
		return "", errRefused
	}
	type shortcut struct {
		ID      string
		Options map[string]dbus.Variant
	}
	wanted := []shortcut{{shortcutID, map[string]dbus.Variant{
		"description":       dbus.MakeVariant(description),
		"preferred_trigger": dbus.MakeVariant(k.trigger()),
	}}}
	bound, err := p.request(ctx, shortcutsIface+".BindShortcuts", map[string]dbus.Variant{}, session, wanted, "")
	if err != nil {
		return session, err
	}
	var got []shortcut
	if given, ok := bound["shortcuts"]; ok {
		if err := given.Store(&got); err != nil {
			return session, errRefused
		}
	}
	for _, s := range got {
		if s.ID != shortcutID {
			continue
		}
		if trigger, told := s.Options["trigger_description"]; told && trigger.Value() == "" {
			return session, ErrHotkeyTaken
		}
		return session, nil
	}
	return session, errRefused
}

// CanListen says whether the desktop gives keys to programs: nil, or why not,
// which is ErrHotkeyUnsupported.
func CanListen(ctx context.Context) error {
	p, err := openPortal(ctx, shortcutsIface, 1)
	if err != nil {
		return fmt.Errorf("%w (%w)", ErrHotkeyUnsupported, err)
	}
	p.close()
	return nil
}
