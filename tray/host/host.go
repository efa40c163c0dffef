// Package host says whether the desktop has a place for icons (freedesktop's
// StatusNotifierItem). It shows none and must not import anything of ours but
// tray/bus.
package host

import "strings"

// GNOMEExtension shows icons in GNOME, which by itself shows none.
const GNOMEExtension = "AppIndicator and KStatusNotifierItem Support"

// IsGNOME reads XDG_CURRENT_DESKTOP, a list with colons.
func IsGNOME(desktops string) bool {
	for d := range strings.SplitSeq(desktops, ":") {
		if strings.EqualFold(d, "GNOME") {
			return true
		}
	}
	return false
}
