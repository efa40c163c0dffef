// Package bus connects to the session bus of D-Bus, where a session has one. It
// must not import anything of ours.
package bus

import "errors"

var (
	// ErrNone is a session without a bus, or with one that does not answer.
	ErrNone = errors.New("there is no session bus")
	// ErrLost is the end of a bus that was there.
	ErrLost = errors.New("the session bus has gone")
)
