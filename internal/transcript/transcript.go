// Package transcript keeps what a program or a log says for a test that reads it
// meanwhile. It is for test code only and imports nothing of ours.
package transcript

import (
	"strings"
	"sync"
)

// Transcript can be read while it is written.
type Transcript struct {
	mu   sync.Mutex
	text strings.Builder
}

func (t *Transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

func (t *Transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}
