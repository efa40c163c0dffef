package hub

import "dragoman/internal/english"

// What a hub says may be of any length; so much of it goes into a message.
const (
	shownName    = 80
	shownAnswer  = 120
	shownAddress = 200
)

// brief is an error whose text, which may quote a hub, is cut.
type brief struct{ error }

func (b brief) Error() string { return english.Short(b.error.Error(), shownAddress) }

func (b brief) Unwrap() error { return b.error }
