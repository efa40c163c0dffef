package x11

import (
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

const (
	// pieceSize is what goes in one piece. Servers accept requests of 256 KiB at
	// least, but a piece shall not hold up what others ask of the server.
	pieceSize = 64 << 10
	// pieceLimit is how long a reader may take for a piece.
	pieceLimit = 30 * time.Second
	// maxRequests may wait, and maxReaders may read in pieces at a time.
	maxRequests = 256
	maxReaders  = 64
)

// serving is the part of a Conn that gives our text to others.
type serving struct {
	events chan xgb.Event
	end    chan struct{}
	once   sync.Once

	mu  sync.Mutex
	now *content // nil: the clipboard is not ours
}

func newServing() *serving {
	return &serving{events: make(chan xgb.Event, maxRequests), end: make(chan struct{})}
}

// put never waits. Whoever finds no room asks in vain and will ask again.
func (s *serving) put(e xgb.Event) {
	select {
	case s.events <- e:
	default:
	}
}

func (s *serving) close() { s.once.Do(func() { close(s.end) }) }

func (s *serving) set(c *content) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = c
}

func (s *serving) content() *content {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// clear gives the text up, if it is not a newer one than what was lost at t.
// Times of X wrap around every 49 days, so they are compared by difference.
func (s *serving) clear(t xproto.Timestamp) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != nil && int32(t-s.now.since) >= 0 {
		s.now = nil
	}
}

// piecemeal is a text on its way to a reader.
type piecemeal struct {
	rest   []byte
	kind   xproto.Atom
	latest time.Time
}

type place struct {
	win      xproto.Window
	property xproto.Atom
}

// serve answers requests for our text, one after the other, until the
// connection ends. Readers may be many, hang or die.
func (c *Conn) serve() {
	readers := map[place]*piecemeal{}
	var ticks <-chan time.Time
	ticker := time.NewTicker(pieceLimit)
	ticker.Stop()
	defer ticker.Stop()
	for {
		select {
		case event := <-c.serving.events:
			switch e := event.(type) {
			case xproto.SelectionClearEvent:
				if e.Selection == c.atoms.clipboard {
					c.serving.clear(e.Time)
				}
			case xproto.SelectionRequestEvent:
				c.answer(readers, e)
			case xproto.PropertyNotifyEvent:
				c.next(readers, place{e.Window, e.Atom})
			case xproto.DestroyNotifyEvent:
				for p := range readers {
					if p.win == e.Window {
						delete(readers, p)
					}
				}
			}
		case <-ticks:
			for p, r := range readers {
				if time.Since(r.latest) > pieceLimit {
					c.forget(readers, p)
				}
			}
		case <-c.serving.end:
			return
		}
		switch {
		case len(readers) == 0 && ticks != nil:
			ticker.Stop()
			ticks = nil
		case len(readers) > 0 && ticks == nil:
			ticker.Reset(pieceLimit)
			ticks = ticker.C
		}
	}
}

// answer gives what one request asks for, in pieces if it is long.
func (c *Conn) answer(readers map[place]*piecemeal, e xproto.SelectionRequestEvent) {
	property := e.Property
	if property == 0 {
		property = e.Target // clients older than ICCCM
	}
	text := c.serving.content()
	switch {
	case text == nil || e.Selection != c.atoms.clipboard || e.Time != 0 && int32(e.Time-text.since) < 0:
		property = 0
	case e.Target == c.atoms.multiple:
		if e.Property == 0 || !c.multiple(readers, e.Requestor, property, text) {
			property = 0
		}
	case !c.give(readers, place{e.Requestor, property}, e.Target, text):
		property = 0
	}
	note := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: property}
	xproto.SendEvent(c.x, false, e.Requestor, 0, string(note.Bytes()))
}

// multiple answers pairs of target and property, and marks those that it
// cannot answer (ICCCM 2.6.2).
func (c *Conn) multiple(readers map[place]*piecemeal, win xproto.Window, property xproto.Atom, text *content) bool {
	r, err := xproto.GetProperty(c.x, false, win, property, xproto.GetPropertyTypeAny, 0, 2*maxFormats).Reply()
	if err != nil || r.Format != 32 {
		return false
	}
	pairs := r.Value
	for i := 0; i+8 <= len(pairs); i += 8 {
		target, to := xproto.Atom(xgb.Get32(pairs[i:])), xproto.Atom(xgb.Get32(pairs[i+4:]))
		if to == 0 || target == c.atoms.multiple || !c.give(readers, place{win, to}, target, text) {
			xgb.Put32(pairs[i+4:], 0)
		}
	}
	xproto.ChangeProperty(c.x, xproto.PropModeReplace, win, property, c.atoms.pair, 32, uint32(len(pairs)/4), pairs)
	return true
}

// give writes the answer to a target, or announces its pieces.
func (c *Conn) give(readers map[place]*piecemeal, to place, target xproto.Atom, text *content) bool {
	kind, format, value, ok := c.convert(text, target)
	if !ok {
		return false
	}
	if len(value) <= pieceSize {
		xproto.ChangeProperty(c.x, xproto.PropModeReplace, to.win, to.property, kind, format, uint32(len(value)*8/int(format)), value)
		return true
	}
	if _, again := readers[to]; !again && len(readers) >= maxReaders {
		return false
	}
	readers[to] = &piecemeal{rest: value, kind: kind, latest: time.Now()}
	xproto.ChangeWindowAttributes(c.x, to.win, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange | xproto.EventMaskStructureNotify})
	xproto.ChangeProperty(c.x, xproto.PropModeReplace, to.win, to.property, c.atoms.incr, 32, 1, atomBytes(xproto.Atom(len(value))))
	return true
}

// next gives the next piece after the reader took the one before. The last one
// is empty.
func (c *Conn) next(readers map[place]*piecemeal, to place) {
	r := readers[to]
	if r == nil {
		return
	}
	piece := r.rest[:min(pieceSize, len(r.rest))]
	r.rest, r.latest = r.rest[len(piece):], time.Now()
	xproto.ChangeProperty(c.x, xproto.PropModeReplace, to.win, to.property, r.kind, 8, uint32(len(piece)), piece)
	if len(piece) == 0 {
		c.forget(readers, to)
	}
}

// forget stops serving a place, and listening to its window if it was the last
// one there.
func (c *Conn) forget(readers map[place]*piecemeal, p place) {
	delete(readers, p)
	for other := range readers {
		if other.win == p.win {
			return
		}
	}
	xproto.ChangeWindowAttributes(c.x, p.win, xproto.CwEventMask, []uint32{0})
}
