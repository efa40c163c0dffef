// Package bus connects to the session bus of D-Bus, where a session has one. It
// must not import anything of ours.
package bus

import "errors"

// ErrNone is a session without a bus, or with one that does not answer.
var ErrNone = errors.New("there is no session bus")
