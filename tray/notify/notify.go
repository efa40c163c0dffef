// Package notify shows short messages at the user's desktop: by the
// freedesktop notification service (Desktop Notifications Specification 1.2)
// on unix, by toasts of the Windows Runtime on Windows. It knows nothing of
// translations and must import nothing of ours but tray/bus.
//
// On unix it speaks D-Bus itself, by godbus, which the tray needs anyway: the
// usual wrapper (esiqveland/notify) trusts the types of the signals that any
// program on the bus can send and panics on wrong ones.
package notify

import (
	"errors"
	"strings"
	"unicode"
)

// Note is one message. Title and Body are plain text of any content: what a
// desktop would take for markup is escaped, what cannot be shown is left out.
type Note struct {
	// Key names the note. A later one of the same key takes the earlier one's
	// place where the desktop can replace (unix).
	Key   string
	Title string
	Body  string
	// Actions are buttons. A click on the note itself is the action Default.
	Actions []Action
	// Private asks the desktop to hide the content on the lock screen and not
	// to keep it in a list of old messages. Desktops are free to ignore it;
	// Windows leaves it to the person's own settings.
	Private bool
}

// Action is a button of a Note.
type Action struct {
	ID    string
	Label string
}

// Default is the action of a click on the note itself.
const Default = "default"

// Event is a click of the person's.
type Event struct {
	Key    string // of the Note
	Action string // its Action's ID, or Default
}

// Options are for Open.
type Options struct {
	App  string // the program's name as people read it
	Icon string // name of a themed icon, or the absolute path of a picture; "" for none
	// Desktop is the name of the .desktop file without its ending (unix), by
	// which desktops keep a person's settings for the program.
	Desktop string
	// Activator is the COM class by which Windows tells clicks, in registry form.
	Activator string
}

// ErrNoService is returned where nothing at the desktop shows notifications.
var ErrNoService = errors.New("nothing on this desktop shows notifications: start a notification service (GNOME, KDE and Xfce have one; elsewhere for example dunst or mako)")

// clicks holds events that nobody has taken yet.
const clicks = 16

// clean returns text that every desktop can take: valid UTF-8 without control
// characters but line feeds and tabs. A string that is not valid UTF-8 would
// cost the connection to the bus.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
