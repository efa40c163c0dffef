// Package selection is the contract between package clip, which has the rules
// of what may be read, and the window systems, each in a package of its own
// that only knows how. It holds names, values, errors and the mailbox for news.
//
// To add a window system: implement System in a package beside this one and
// return it from openSystem in a file of package clip with the system's suffix.
package selection

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Name says which of the desktop's selections is meant.
type Name int

const (
	// Clipboard is what Ctrl+C fills.
	Clipboard Name = iota
	// Primary is what is marked with the mouse on X11 and Wayland.
	Primary
)

// String names the selection for logs.
func (n Name) String() string {
	if n == Primary {
		return "primary selection"
	}
	return "clipboard"
}

// Marker is the format that every write of ours offers beside the text, so that
// another process of ours knows the text as a translation.
const Marker = "application/x-dragoman-translation"

// Owner is the application whose data a selection holds, as far as the window
// system tells. Wayland tells nothing.
type Owner struct {
	Process string // base name of its program, "" where unknown
	PID     int    // 0 where unknown
	Class   string // WM_CLASS of X11, "instance class"; "" where unknown
	ID      uint64 // the window that owns the selection, 0 where unknown
}

// Same tells whether two owners may be the same application: they are not where
// both are known by name and the names differ. A program that leaves the
// clipboard to a child, as xclip does, has another window each time and may be
// gone before anybody can ask for its name.
func (o Owner) Same(p Owner) bool {
	if o.Process != "" && p.Process != "" {
		return o.Process == p.Process
	}
	return o.Class == "" || p.Class == "" || o.Class == p.Class
}

// Change is news that the clipboard was filled by another process.
type Change struct {
	Seen time.Time // when the news arrived, with a monotonic reading
	// Stamp is equal for changes that were made by the same press of a key, as
	// far as the application says so (X11's selection time, milliseconds); 0
	// where unknown.
	Stamp  uint64
	Merged int // changes before this one that nobody looked at in time
}

// System is a connection to a window system. All methods may be called from
// several goroutines.
type System interface {
	// Name is for people: "X11", "Wayland (ext-data-control)".
	Name() string
	// Changes tells what happened to the clipboard since the connection was
	// made, without our own writes. Of what waits only the newest is kept. The
	// channel is closed when the connection is lost or closed; then Err says why.
	Changes() <-chan Change
	Err() error
	// Offer says what a selection holds now: ErrEmpty if nothing, or an error
	// of the owner.
	Offer(ctx context.Context, name Name) (Offer, error)
	// Write fills the clipboard with text, UTF-8, and Marker, and serves it
	// for as long as the connection lives or until another application copies.
	Write(ctx context.Context, text string) error
	// Close hands our own text to a clipboard manager, if there is one, and
	// ends the connection.
	Close(ctx context.Context) error
}

// Offer is what an owner has to give.
type Offer interface {
	// Formats are the names that the window system uses, in the owner's order.
	Formats() []string
	Owner() Owner
	// Ours tells that this process wrote it.
	Ours() bool
	// Read asks the owner for a format and returns at most limit bytes, or a
	// TooLong or one of the errors below. Text formats come as the owner gave
	// them but in UTF-8 where the window system says that they are in another
	// encoding.
	Read(ctx context.Context, format string, limit int) ([]byte, error)
}

// What owners do.
var (
	ErrEmpty   = errors.New("the selection is empty")
	ErrHung    = errors.New("the application that copied does not answer")
	ErrGone    = errors.New("the application that copied ended before it had given its data")
	ErrRefused = errors.New("the application that copied does not give what it offers")
	// ErrReplaced is told when the next copy came before this one was read.
	ErrReplaced = errors.New("another copy took its place")
)

// TooLong is the error of data beyond the limit.
type TooLong struct {
	Size int // bytes as announced or read so far: a lower bound
}

func (e TooLong) Error() string { return fmt.Sprintf("at least %d bytes are too long", e.Size) }
