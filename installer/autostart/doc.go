// Package autostart makes dragoman-tray start with the user's session, and
// undoes it. It writes below the user's own settings and needs no rights.
//
// On unix it writes an entry of the Desktop Application Autostart
// Specification (freedesktop.org, 0.5), and a systemd unit for sessions that
// systemd manages: those have graphical-session.target, after which the tray
// has a display. The entry's X-systemd-skip keeps systemd from starting it as
// well. On Windows it writes the Run key of the user.
package autostart

// Status says what happens at the next login.
type Status struct {
	Enabled bool
	Program string // that is started, "" where nothing is registered
}

const name = "dragoman-tray"
