// Package clip watches, reads and writes the clipboard of a desktop session. It
// owns the rules of what may be looked at: what password managers mark is never
// asked for, nor what excluded applications, images, files and over-long texts
// hold, and our own writes never come back. Judge, in this package as well but
// without any clipboard, decides which of the copies deserve a translation.
//
// Each window system has a package of its own behind the contract in package
// selection: x11 speaks to XFIXES through github.com/jezek/xgb, wayland speaks
// ext-data-control and wlr-data-control over the socket itself.
//
// golang.design/x/clipboard v0.9.0 is not used on Linux. It no longer needs cgo
// or libX11, which v0.7.1 did. But tried again, on X11 it asks once a second and
// loses what came between, does not list x-kde-passwordManagerHint among the
// formats and reads the text beside it, and finds nothing where a text comes in
// pieces, such as one of 1 MiB from xclip. On Wayland its watch fetches each
// text before anybody could look at the formats, whatever its length, and a
// read from an owner that hangs does not end with its context.
//
// The package must import nothing of ours but watch. Text of users appears in
// no error and no log.
package clip

import (
	"time"

	"dragoman/watch/clip/selection"
)

// Copy is one piece of news from the clipboard: a text, or the reason why there
// is none.
type Copy struct {
	Text      string // UTF-8 without control characters; "" if Skip is set
	Skip      Reason // Accepted if there is a text
	Size      int    // bytes of what was copied, as far as it is known
	Selection selection.Name
	Owner     selection.Owner
	Time      time.Time // when it was copied, with a monotonic reading
	// Stamp is equal for copies from the same press of a key; 0 where unknown.
	Stamp uint64
	// Missed counts the copies before this one that nobody could look at in
	// time, because the next one came too soon.
	Missed int
	Serial uint64 // counts what one Clipboard has told
}

// Reason says why a copy is not looked at or not translated.
type Reason int

const (
	// Accepted is a copy with a text, and the verdict that it be translated.
	Accepted Reason = iota

	// What a Clipboard tells in place of a text.

	Empty        // nothing is there
	Secret       // marked as not for others by who copied; not asked for
	Excluded     // from an application that the user excluded; not asked for
	Own          // written by a dragoman, or a part of such a text
	Image        // an image and no text
	Files        // names of files
	NoText       // nothing that could be read as text
	TooLong      // beyond Options.MaxBytes; Size is a lower bound
	Hung         // the owner did not answer in time
	Gone         // the owner ended before it had given the text
	Refused      // the owner does not give what it offers
	Garbled      // not UTF-8, though it is said to be
	Disconnected // the window system is away; nothing is seen until Reconnected
	Reconnected  // it is back

	// What Judge says of texts.

	Off         // nothing is to be translated; told in place of a text as well, see Options.Off
	NoLetters   // nothing that could be translated
	LooksSecret // one token like a password, a key or a hash
	Address     // a web or mail address or the path of a file
	Repeated    // the text that was translated last
	First       // the first of what may become a double copy
	Synthetic   // a copy that no person can have made so fast
)

var reasons = [...]string{
	Accepted: "accepted", Empty: "empty", Secret: "secret", Excluded: "excluded", Own: "own", Image: "image", Files: "files",
	NoText: "no text", TooLong: "too long", Hung: "owner hung", Gone: "owner gone", Refused: "refused", Garbled: "garbled",
	Disconnected: "disconnected", Reconnected: "reconnected",
	Off: "off", NoLetters: "no letters", LooksSecret: "looks secret", Address: "address", Repeated: "repeated",
	First: "first of two", Synthetic: "synthetic",
}

// String names the reason for logs and status lines.
func (r Reason) String() string {
	if r >= 0 && int(r) < len(reasons) {
		return reasons[r]
	}
	return "unknown"
}
