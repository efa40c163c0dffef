// Package assets holds the files that dragoman carries inside its programs.
//
// It owns their contents and nothing else: it must not import anything, so that
// every program can carry the files without carrying more.
package assets

import _ "embed"

// The units of systemd. Both are complete as they are, for packages that put
// the daemon into /usr/bin; the installer replaces the line of ExecStart.
var (
	//go:embed units/dragoman.user.service
	UserUnit string
	//go:embed units/dragoman.system.service
	SystemUnit string
)

// Sysusers describes the account of the system unit to systemd-sysusers.
//
//go:embed units/dragoman.sysusers
var Sysusers string

// What starts the tray with a session: the entry of the XDG autostart and
// desktop menu specifications, and the unit for sessions that systemd manages.
// Complete for packages too; the installer replaces the program's path.
var (
	//go:embed units/dragoman-tray.desktop
	TrayEntry string
	//go:embed units/dragoman-tray.service
	TrayUnit string
)
