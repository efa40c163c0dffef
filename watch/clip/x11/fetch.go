package x11

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"dragoman/watch/clip/selection"
)

const (
	// maxParked windows stay for owners that may still answer: one that writes
	// to a window that is gone gets an error, of which xclip dies and takes the
	// user's clipboard along.
	maxParked = 64
	// grace is how long an owner that was replaced may still take.
	grace = 200 * time.Millisecond
	// drainLimit is how long the rest of a text that is too long is taken.
	drainLimit = 20 * time.Second
)

// transfer is one conversion of a selection, with a window of its own, so that
// late answers to an earlier one cannot be taken for its own.
type transfer struct {
	selection xproto.Atom
	owner     xproto.Window
	events    chan xgb.Event
	left      chan struct{} // the owner was replaced
	gone      chan struct{} // the owner ended
	leftOnce  sync.Once
	goneOnce  sync.Once
}

func (t *transfer) leave(gone bool) {
	if gone {
		t.goneOnce.Do(func() { close(t.gone) })
	} else {
		t.leftOnce.Do(func() { close(t.left) })
	}
}

// toTransfer hands an event on. An owner that sends more than was asked for
// loses the rest and then its time.
func (c *Conn) toTransfer(win xproto.Window, e xgb.Event) {
	c.mu.Lock()
	t := c.transfers[win]
	c.mu.Unlock()
	if t == nil {
		return
	}
	select {
	case t.events <- e:
	default:
	}
}

// data is what an owner answered.
type data struct {
	bytes  []byte
	kind   xproto.Atom // type of the property
	format byte        // bits of an item
}

// fetch asks the owner of a selection for a target and takes at most limit
// bytes.
func (c *Conn) fetch(ctx context.Context, sel xproto.Atom, from seen, target xproto.Atom, limit int) (data, error) {
	win, err := xproto.NewWindowId(c.x)
	if err != nil {
		return data{}, fmt.Errorf("make a window for the transfer: %w", err)
	}
	t := &transfer{selection: sel, owner: from.win, events: make(chan xgb.Event, 64), left: make(chan struct{}), gone: make(chan struct{})}
	c.mu.Lock()
	c.transfers[win] = t
	c.mu.Unlock()
	c.newWindow(win)
	xproto.ConvertSelection(c.x, win, sel, target, c.atoms.property, from.since)
	d, state, err := c.receive(ctx, t, win, limit)
	if state == inPieces && c.draining.CompareAndSwap(false, true) {
		drained := make(chan struct{})
		go func() {
			defer close(drained)
			defer c.draining.Store(false)
			c.finish(win, c.drain(t, win))
		}()
		// Whoever is told now may ask the same owner again.
		select {
		case <-drained:
		case <-t.left:
		case <-ctx.Done():
		}
		return d, err
	}
	c.finish(win, state)
	return d, err
}

// state is how a transfer stands when nothing more is wanted of it.
type state int

const (
	over     state = iota // the owner has done its part
	open                  // it may still answer
	inPieces              // it waits for us to take a piece
)

// finish removes the window of a transfer, or keeps it for late answers.
func (c *Conn) finish(win xproto.Window, s state) {
	c.mu.Lock()
	delete(c.transfers, win)
	if s != over {
		c.parked = append(c.parked, win)
		win = 0
		if len(c.parked) > maxParked {
			win, c.parked = c.parked[0], append(c.parked[:0:0], c.parked[1:]...)
		}
	}
	c.mu.Unlock()
	if win != 0 {
		xproto.DestroyWindow(c.x, win)
	}
}

// drain takes the pieces of a text that is too long without looking at them:
// they stay in the server. Some owners can serve nobody else until a transfer
// that began has ended, and the user could not paste.
func (c *Conn) drain(t *transfer, win xproto.Window) state {
	timer := time.NewTimer(answerLimit)
	defer timer.Stop()
	xproto.DeleteProperty(c.x, win, c.atoms.property)
	for end := time.Now().Add(drainLimit); time.Now().Before(end); {
		select {
		case event := <-t.events:
			if e, ok := event.(xproto.PropertyNotifyEvent); !ok || e.Atom != c.atoms.property {
				continue
			}
			// Of no length: only what the property has is told.
			r, err := xproto.GetProperty(c.x, false, win, c.atoms.property, xproto.GetPropertyTypeAny, 0, 0).Reply()
			if err != nil {
				return over
			}
			xproto.DeleteProperty(c.x, win, c.atoms.property)
			if r.Type != 0 && r.BytesAfter == 0 {
				return over
			}
			timer.Reset(answerLimit)
		case <-t.gone:
			return over
		case <-timer.C:
			return inPieces
		case <-c.lost:
			return over
		}
	}
	return inPieces
}

// receive waits for the answer and says how the transfer stands after it.
func (c *Conn) receive(ctx context.Context, t *transfer, win xproto.Window, limit int) (d data, s state, err error) {
	ctx, cancel := context.WithTimeout(ctx, transferLimit)
	defer cancel()
	timer := time.NewTimer(answerLimit)
	defer timer.Stop()
	left, pieces, late := t.left, false, selection.ErrHung
	for {
		select {
		case event := <-t.events:
			switch e := event.(type) {
			case xproto.SelectionNotifyEvent:
				if pieces {
					continue
				}
				if e.Property == 0 {
					return data{}, over, selection.ErrRefused
				}
				d, more, err := c.take(win, limit)
				if err != nil {
					return data{}, over, err
				}
				if d.kind != c.atoms.incr {
					if more > 0 {
						return data{}, over, selection.TooLong{Size: len(d.bytes) + more}
					}
					return d, over, nil
				}
				if size := announced(d.bytes); size > limit {
					return data{}, inPieces, selection.TooLong{Size: size}
				}
				pieces, left = true, nil
				xproto.DeleteProperty(c.x, win, c.atoms.property)
			case xproto.PropertyNotifyEvent:
				if !pieces || e.Atom != c.atoms.property {
					continue
				}
				piece, more, err := c.take(win, limit-len(d.bytes))
				switch {
				case err != nil:
					return data{}, over, err
				case piece.kind == 0: // taken already
					continue
				case more > 0:
					return data{}, inPieces, selection.TooLong{Size: len(d.bytes) + len(piece.bytes) + more}
				}
				xproto.DeleteProperty(c.x, win, c.atoms.property)
				if len(piece.bytes) == 0 {
					return d, over, nil
				}
				d = data{append(d.bytes, piece.bytes...), piece.kind, piece.format}
			}
			timer.Reset(answerLimit)
		case <-left:
			// What it held is history; the new owner shall not have to wait.
			left, late = nil, selection.ErrReplaced
			timer.Reset(grace)
		case <-t.gone:
			return data{}, over, selection.ErrGone
		case <-timer.C:
			return data{}, open, late
		case <-c.lost:
			return data{}, over, c.Err()
		case <-ctx.Done():
			return data{}, open, selection.ErrHung
		}
	}
}

// take reads the property and says how many bytes are beyond limit.
func (c *Conn) take(win xproto.Window, limit int) (d data, more int, err error) {
	words := uint32(limit/4 + 1)
	r, err := xproto.GetProperty(c.x, false, win, c.atoms.property, xproto.GetPropertyTypeAny, 0, words).Reply()
	if err != nil {
		return data{}, 0, fmt.Errorf("take over what the owner gave: %w", err)
	}
	more = int(r.BytesAfter) + max(0, len(r.Value)-limit)
	if more > 0 {
		return data{kind: r.Type, format: r.Format, bytes: r.Value[:min(limit, len(r.Value))]}, more, nil
	}
	return data{kind: r.Type, format: r.Format, bytes: r.Value}, 0, nil
}

// announced is the lower bound of its size with which a transfer in pieces
// begins.
func announced(value []byte) int {
	if len(value) < 4 {
		return 0
	}
	return int(binary.LittleEndian.Uint32(value))
}
