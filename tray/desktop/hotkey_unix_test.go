//go:build unix

package desktop

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/require"
)

const stubSession = dbus.ObjectPath("/org/freedesktop/portal/desktop/session/1_2/own")

// gives answers as a desktop that gives keys and says so in these words.
func gives(trigger string) answers {
	return func(method string, options map[string]dbus.Variant, args ...any) (uint32, map[string]any) {
		if method == "CreateSession" {
			if options["session_handle_token"].Value() == nil {
				return 2, nil
			}
			return 0, map[string]any{"session_handle": string(stubSession)}
		}
		wanted := args[1].([]stubShortcut)
		if args[0] != stubSession || len(wanted) != 1 || wanted[0].Options["description"].Value() != "Translate" ||
			wanted[0].Options["preferred_trigger"].Value() != "CTRL+ALT+t" {
			return 2, nil
		}
		wanted[0].Options["trigger_description"] = dbus.MakeVariant(trigger)
		return 0, map[string]any{"shortcuts": wanted}
	}
}

// listening runs ListenHotkey until the test ends.
func listening(t *testing.T) (pressed <-chan struct{}, end func() error) {
	t.Helper()
	presses, ended := make(chan struct{}, 8), make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		ended <- ListenHotkey(ctx, "Ctrl+Alt+T", "Translate", func() { presses <- struct{}{} })
	}()
	return presses, func() error {
		cancel()
		return <-ended
	}
}

func activate(t *testing.T, p *stubPortal, values ...any) {
	t.Helper()
	require.NoError(t, p.conn.Emit(portalPath, shortcutsIface+".Activated", values...))
}

func TestListenHotkey(t *testing.T) {
	address := startBus(t, nil)
	p := startPortal(t, address)
	p.closeable(stubSession, sessionIface)
	p.answer(gives("Ctrl+Alt+T"))
	pressed, end := listening(t)
	none := map[string]dbus.Variant{}
	require.Eventually(t, func() bool {
		activate(t, p, stubSession, shortcutID, uint64(1), none)
		select {
		case <-pressed:
			return true
		case <-time.After(10 * time.Millisecond):
			return false
		}
	}, 20*time.Second, time.Millisecond)
	require.Equal(t, []string{"Register dragoman-tray", "CreateSession", "BindShortcuts"}, p.noted())

	for len(pressed) > 0 {
		<-pressed
	}
	activate(t, p, stubSession, "other", uint64(1), none)
	activate(t, p, stubSession+"2", shortcutID, uint64(1), none)
	activate(t, p, "rubbish")
	activate(t, p, []string{"a"}, []string{"b"}, uint64(1), none)
	require.NoError(t, p.conn.Emit(portalPath, shortcutsIface+".Deactivated", stubSession, shortcutID, uint64(1), none))
	activate(t, p, stubSession, shortcutID, uint64(1), none)
	<-pressed
	require.NoError(t, end())
	require.Empty(t, pressed)
	require.Equal(t, stubSession, <-p.closed, "the keys are given back")
}

func TestListenHotkeyWithoutKeys(t *testing.T) {
	address := startBus(t, nil)
	p := startPortal(t, address)
	p.closeable(stubSession, sessionIface)
	given := gives("")
	p.answer(given)
	listen := func() error {
		return ListenHotkey(t.Context(), "Ctrl+Alt+T", "Translate", func() {})
	}
	require.ErrorIs(t, listen(), ErrHotkeyTaken)
	require.ErrorContains(t, listen(), "Ctrl+Alt+T")

	refuse := func(at string, code uint32, results map[string]any) {
		p.answer(func(method string, options map[string]dbus.Variant, args ...any) (uint32, map[string]any) {
			if method == at {
				return code, results
			}
			return given(method, options, args...)
		})
	}
	refuse("BindShortcuts", 1, nil)
	require.ErrorIs(t, listen(), errDismissed)
	refuse("BindShortcuts", 2, nil)
	require.ErrorIs(t, listen(), errRefused)
	refuse("BindShortcuts", 0, map[string]any{"shortcuts": []stubShortcut{}})
	require.ErrorIs(t, listen(), errRefused)
	refuse("BindShortcuts", 0, map[string]any{"shortcuts": "rubbish"})
	require.ErrorIs(t, listen(), errRefused)
	refuse("CreateSession", 0, map[string]any{"session_handle": uint32(1)})
	require.ErrorIs(t, listen(), errRefused)
	require.ErrorContains(t, ListenHotkey(t.Context(), "Ctrl+C", "", func() {}), "programs use them")

	p.has(nil)
	require.ErrorIs(t, listen(), ErrHotkeyUnsupported)
	require.NotErrorIs(t, listen(), ErrHotkeyTaken)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+t.TempDir()+"/none")
	require.ErrorIs(t, listen(), ErrHotkeyUnsupported)
}

func TestListenHotkeyWhenThePortalEnds(t *testing.T) {
	for name, stop := range map[string]func(*stubPortal){
		"the portal":  func(p *stubPortal) { _ = p.conn.Close() },
		"the session": func(p *stubPortal) { _ = p.conn.Emit(stubSession, sessionIface+".Closed", map[string]dbus.Variant{}) },
	} {
		t.Run(name, func(t *testing.T) {
			address := startBus(t, nil)
			p := startPortal(t, address)
			p.closeable(stubSession, sessionIface)
			p.answer(gives("Ctrl+Alt+T"))
			ended := make(chan error, 1)
			go func() {
				ended <- ListenHotkey(t.Context(), "Ctrl+Alt+T", "Translate", func() { stop(p) })
			}()
			require.Eventually(t, func() bool {
				_ = p.conn.Emit(portalPath, shortcutsIface+".Activated", stubSession, shortcutID, uint64(1), map[string]dbus.Variant{})
				select {
				case err := <-ended:
					return errors.Is(err, errGone)
				default:
					return false
				}
			}, 20*time.Second, 10*time.Millisecond)
		})
	}
}
