package clip

import "errors"

// Why Open finds no clipboard in this session, where that can be told. Its
// errors also say which way out there is.
var (
	ErrNoDisplay  = errors.New("the session has no display")
	ErrNoProtocol = errors.New("the compositor does not let programs watch the clipboard")
)
