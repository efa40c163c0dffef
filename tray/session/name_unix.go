//go:build unix

package session

import (
	"cmp"
	"os"
	"strings"
)

// HasDisplay tells whether this process is in a desktop session. It does not come
// into one later.
func HasDisplay() bool { return os.Getenv("WAYLAND_DISPLAY") != "" || os.Getenv("DISPLAY") != "" }

// Name names the desktop session: a person may be logged in at two displays.
func Name() string {
	// The screen's number does not matter: an X server has one clipboard.
	x, _, _ := strings.Cut(os.Getenv("DISPLAY"), ".")
	display := cmp.Or(os.Getenv("WAYLAND_DISPLAY"), x, "none")
	return strings.Map(func(r rune) rune {
		if r == '/' || r == ':' {
			return '-'
		}
		return r
	}, display)
}
