package selection

import "sync"

// Mailbox keeps the newest change for a reader that may be slow. It serves the
// window systems as their Changes. Whoever puts something in never waits.
type Mailbox struct {
	mu     sync.Mutex
	out    chan Change // room for one
	closed bool
}

// NewMailbox returns an empty one.
func NewMailbox() *Mailbox { return &Mailbox{out: make(chan Change, 1)} }

// Changes is where changes come out.
func (m *Mailbox) Changes() <-chan Change { return m.out }

// Put puts a change in the place of one that waits, and counts that one.
func (m *Mailbox) Put(n Change) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	select {
	case old := <-m.out:
		n.Merged = old.Merged + 1
	default:
	}
	m.out <- n
}

// Drop forgets what waits: the clipboard holds it no longer.
func (m *Mailbox) Drop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	select {
	case <-m.out: // a closed channel has nothing to lose
	default:
	}
}

// Close closes Changes after what waits.
func (m *Mailbox) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.closed = true
		close(m.out)
	}
}
