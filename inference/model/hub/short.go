package hub

import "strings"

// What a hub says may be of any length; so much of it goes into a message.
const (
	shownName    = 80
	shownAnswer  = 120
	shownAddress = 200
)

// short is the beginning of what a hub says, at most limit bytes and a mark.
func short(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// brief is an error whose text, which may quote a hub, is cut.
type brief struct{ error }

func (b brief) Error() string { return short(b.error.Error(), shownAddress) }

func (b brief) Unwrap() error { return b.error }
