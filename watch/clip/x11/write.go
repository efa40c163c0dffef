package x11

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"dragoman/watch/clip/selection"
)

// saveLimit is how long a clipboard manager may take to copy our text.
const saveLimit = 5 * time.Second

// content is a text that we serve. It never changes.
type content struct {
	text   []byte
	latin1 []byte // nil if the text cannot be written so
	since  xproto.Timestamp
}

// Write takes the clipboard and serves text from now on; see selection.System.
func (c *Conn) Write(ctx context.Context, text string) error {
	now, err := c.now(ctx)
	if err != nil {
		return err
	}
	c.serving.set(&content{text: []byte(text), latin1: toLatin1(text), since: now})
	xproto.SetSelectionOwner(c.x, c.win, c.atoms.clipboard, now)
	r, err := xproto.GetSelectionOwner(c.x, c.atoms.clipboard).Reply()
	if err != nil {
		return fmt.Errorf("take the clipboard: %w", err)
	}
	if r.Owner != c.win {
		return errors.New("take the clipboard: another application copied at the same time")
	}
	return nil
}

// now is the server's time, which ICCCM (2.1) wants for taking a selection. An
// append of nothing to a property tells it.
func (c *Conn) now(ctx context.Context) (xproto.Timestamp, error) {
	select {
	case <-c.times:
	default:
	}
	xproto.ChangeProperty(c.x, xproto.PropModeAppend, c.win, c.atoms.clock, xproto.AtomInteger, 32, 0, nil)
	select {
	case t := <-c.times:
		return t, nil
	case <-c.lost:
		return 0, c.Err()
	case <-ctx.Done():
		return 0, fmt.Errorf("ask for the time of the X server: %w", ctx.Err())
	}
}

// save asks the clipboard manager to keep our text, which would otherwise vanish
// with us (freedesktop.org, ClipboardManager).
func (c *Conn) save(ctx context.Context) error {
	if now, err := c.look(c.atoms.clipboard); err != nil || now.win != c.win || c.serving.content() == nil {
		return nil // what we wrote has been replaced
	}
	r, err := xproto.GetSelectionOwner(c.x, c.atoms.manager).Reply()
	if err != nil {
		return fmt.Errorf("look for a clipboard manager: %w", err)
	}
	if r.Owner == 0 {
		return errors.New("hand the text to the clipboard manager: none runs, so the text leaves the clipboard")
	}
	win, err := xproto.NewWindowId(c.x)
	if err != nil {
		return fmt.Errorf("hand the text to the clipboard manager: %w", err)
	}
	t := &transfer{selection: c.atoms.manager, owner: r.Owner, events: make(chan xgb.Event, 8), left: make(chan struct{}), gone: make(chan struct{})}
	c.mu.Lock()
	c.transfers[win] = t
	c.mu.Unlock()
	c.newWindow(win)
	list := atomBytes(c.atoms.utf8, c.atoms.plainUTF8, c.atoms.plain, c.atoms.marker)
	xproto.ChangeProperty(c.x, xproto.PropModeReplace, win, c.atoms.save, xproto.AtomAtom, 32, uint32(len(list)/4), list)
	xproto.ConvertSelection(c.x, win, c.atoms.manager, c.atoms.saveTargets, c.atoms.save, xproto.TimeCurrentTime)
	ctx, cancel := context.WithTimeout(ctx, saveLimit)
	defer cancel()
	for {
		select {
		case e := <-t.events:
			n, ok := e.(xproto.SelectionNotifyEvent)
			switch {
			case !ok:
			case n.Property == 0:
				return errors.New("hand the text to the clipboard manager: it refused")
			default:
				return nil
			}
		case <-c.lost:
			return c.Err()
		case <-ctx.Done():
			return fmt.Errorf("hand the text to the clipboard manager: it does not answer: %w", ctx.Err())
		}
	}
}

func toLatin1(text string) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			return nil
		}
		out = append(out, byte(r))
	}
	return out
}

func atomBytes(list ...xproto.Atom) []byte {
	out := make([]byte, 4*len(list))
	for i, a := range list {
		xgb.Put32(out[4*i:], uint32(a))
	}
	return out
}

// targets is what a content can be had as.
func (c *Conn) targets(of *content) []xproto.Atom {
	a := c.atoms
	list := []xproto.Atom{a.targets, a.timestamp, a.multiple, a.saveTargets, a.utf8, a.plainUTF8, a.plain, a.text, a.marker}
	if of.latin1 != nil {
		list = append(list, xproto.AtomString)
	}
	return list
}

// convert returns the property that answers a target, or false.
func (c *Conn) convert(of *content, target xproto.Atom) (kind xproto.Atom, format byte, value []byte, ok bool) {
	a := c.atoms
	switch target {
	case a.targets:
		return xproto.AtomAtom, 32, atomBytes(c.targets(of)...), true
	case a.timestamp:
		return xproto.AtomInteger, 32, atomBytes(xproto.Atom(of.since)), true
	case a.saveTargets:
		return a.saveTargets, 32, nil, true
	case a.utf8, a.text:
		return a.utf8, 8, of.text, true
	case a.plainUTF8, a.plain:
		return target, 8, of.text, true
	case a.marker:
		return target, 8, nil, true
	case xproto.AtomString:
		return target, 8, of.latin1, of.latin1 != nil
	}
	return 0, 0, nil, false
}

var _ selection.System = (*Conn)(nil)
