package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/tray/desktest"
	"dragoman/tray/session"
)

// TestDoctorOnTheDesktop looks from within a session, first at one with nothing.
func TestDoctorOnTheDesktop(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CACHE_HOME", "DRAGOMAN_STATE", "DRAGOMAN_RUNTIME"} {
		t.Setenv(name, filepath.Join(dir, name))
	}
	t.Setenv("XDG_CONFIG_DIRS", dir)
	for _, name := range []string{"WAYLAND_DISPLAY", "DISPLAY", "SSH_CONNECTION", "SSH_TTY"} {
		t.Setenv(name, "")
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(dir, "none"))
	report := func() string { return reportOf(examineDesktop(t.Context())...) }
	empty := report()
	for _, line := range []string{
		"note  desktop   the tray does not run in this session\n                  -> start `dragoman-tray`\n",
		"note  desktop   the tray does not start at login\n",
		"note  desktop   open the clipboard: the session has no display",
		"note  desktop   no icons and no notifications: there is no session bus",
		"ok    desktop   no key of the tray's own", "dragoman clip --notify",
		"ok    desktop   no dialogue to choose drop folders", "dragoman folders add FOLDER",
	} {
		require.Contains(t, empty, line)
	}
	require.NoDirExists(t, os.Getenv("DRAGOMAN_STATE"), "doctor makes nothing")

	b := desktest.StartBus(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", b.Address())
	t.Setenv("XDG_CURRENT_DESKTOP", "ubuntu:GNOME")
	without := report()
	require.Contains(t, without, "GNOME shows no icons by itself\n                  -> install its extension “AppIndicator")
	require.Contains(t, without, "nothing on this desktop shows notifications: start a notification service")
	t.Setenv("XDG_CURRENT_DESKTOP", "sway")
	require.Contains(t, report(), "no status notifier host")

	t.Setenv("DISPLAY", desktest.StartX(t))
	desktest.StartPanel(t, b, true)
	desktest.StartDesk(t, b, "body", "actions")
	t.Setenv("DRAGOMAN_TRAY_HOTKEY", "Ctrl+Alt+T")
	release, _, err := session.Take(os.Getenv("DRAGOMAN_STATE"))
	require.NoError(t, err)
	defer release()
	full := report()
	for _, line := range []string{
		"ok    desktop   the tray runs in this session\n",
		"ok    desktop   the clipboard can be watched through X11 (clipboard.watch = \"double\")\n",
		"ok    desktop   icons are shown\n",
		"ok    desktop   notifications are shown by a desk 1, which can do body, actions\n",
		"note  desktop   no key of the tray's own", // it is wanted
	} {
		require.Contains(t, full, line)
	}
	t.Setenv("DRAGOMAN_CLIPBOARD_WATCH", "off")
	require.Contains(t, report(), "but the settings say not to")
}
