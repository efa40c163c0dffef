package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"sync"
)

// heap reads what Go's runtime tells of its collections (GODEBUG=gctrace=1,
// package runtime) on the standard error of a service.
type heap struct {
	mu     sync.Mutex
	line   []byte
	others bytes.Buffer // what is not about collections
	count  int
	live   float64 // MB that the last collection has left
	goal   float64 // MB at which the next one begins
}

// collection has the heap "#->#-># MB, # MB goal": at the start and at the end of
// a collection, live, and the next goal.
var collection = regexp.MustCompile(`^gc \d+ @.* \d+->\d+->(\d+) MB, (\d+) MB goal`)

func (h *heap) Write(text []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.line = append(h.line, text...)
	for {
		line, rest, found := bytes.Cut(h.line, []byte("\n"))
		if !found {
			return len(text), nil
		}
		h.take(line)
		h.line = rest
	}
}

func (h *heap) take(line []byte) {
	m := collection.FindSubmatch(line)
	if m == nil {
		fmt.Fprintf(&h.others, "%s\n", line)
		return
	}
	h.count++
	h.live, _ = strconv.ParseFloat(string(m[1]), 64) // digits
	h.goal, _ = strconv.ParseFloat(string(m[2]), 64)
}

// now returns the number of collections and what the last one said.
func (h *heap) now() (count int, live, goal float64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.count, h.live, h.goal
}

// rest is what else was written.
func (h *heap) rest() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.others.String()
}
