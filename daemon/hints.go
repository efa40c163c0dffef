package daemon

import (
	"slices"
	"sync"
)

// hintsKept is how many languages are taken for those that are likely here.
const hintsKept = 3

// hints are the languages of the last texts, which settle what language a single
// word is in. They are forgotten with the daemon's end.
type hints struct {
	mu   sync.Mutex
	last []string // the newest first
}

// saw remembers the language of a text.
func (h *hints) saw(code string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = slices.DeleteFunc(h.last, func(c string) bool { return c == code })
	h.last = append([]string{code}, h.last[:min(len(h.last), hintsKept-1)]...)
}

// likely are the languages of the last texts.
func (h *hints) likely() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.last)
}
