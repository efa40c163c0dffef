package logs

import (
	"strings"
	"sync"
)

// ring remembers the last lines that were written to it.
type ring struct {
	mu    sync.Mutex
	lines []string
	next  int // where the next line goes, once it is full
}

func newRing(size int) *ring { return &ring{lines: make([]string, 0, size)} }

// Write remembers one message.
func (r *ring) Write(p []byte) (int, error) {
	line := strings.TrimRight(string(p), "\n")
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.lines) < cap(r.lines) {
		r.lines = append(r.lines, line)
	} else {
		r.lines[r.next] = line
		r.next = (r.next + 1) % len(r.lines)
	}
	return len(p), nil
}

func (r *ring) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append(append(make([]string, 0, len(r.lines)), r.lines[r.next:]...), r.lines[:r.next]...)
}
