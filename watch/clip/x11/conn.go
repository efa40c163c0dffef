// Package x11 reads, watches and writes the selections of an X server. It owns
// the protocol between clients (ICCCM, section 2) and none of the rules of what
// may be read.
//
// News come from the XFIXES extension, so nothing is asked for while nothing is
// copied. github.com/jezek/xgb speaks the wire protocol without cgo or libX11.
// Two of its traits matter here: its reader stands still while 5,000 events
// wait, so whoever takes events off must never wait for a reply; and a lost
// connection shows as an event of nothing, never as the end of the process.
package x11

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/res"
	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"

	"dragoman/watch/clip/selection"
)

const (
	// answerLimit is how long an owner may take for an answer or for the next
	// piece of a long one.
	answerLimit = 2 * time.Second
	// transferLimit is how long all pieces may take.
	transferLimit = 10 * time.Second
	// dialLimit is for the handshake with the server.
	dialLimit = 5 * time.Second
)

// Conn is a connection to an X server; it implements selection.System.
type Conn struct {
	x      *xgb.Conn
	root   xproto.Window
	win    xproto.Window // ours: owns the clipboard after Write
	atoms  *atoms
	hasRes bool // XRes 1.2 tells process numbers of clients

	draining atomic.Bool // the rest of a text that is too long is being taken

	changes *selection.Mailbox
	serving *serving
	times   chan xproto.Timestamp // of property changes on win

	mu        sync.Mutex
	transfers map[xproto.Window]*transfer
	parked    []xproto.Window // of transfers given up, the oldest first
	news      map[xproto.Atom]seen

	lost chan struct{} // closed when the connection is
	err  error         // valid when lost is closed
	shut sync.Once
}

var quiet sync.Once

// Dial connects to a display, such as ":0". It returns an error in plain words
// when the server does not answer within five seconds or lacks XFIXES.
func Dial(ctx context.Context, display string) (*Conn, error) {
	// The library logs to stderr what it returns as an error as well.
	quiet.Do(func() { xgb.Logger = log.New(io.Discard, "", 0) })
	ctx, cancel := context.WithTimeout(ctx, dialLimit)
	defer cancel()
	type result struct {
		c   *Conn
		err error
	}
	done := make(chan result, 1)
	go func() {
		c, err := dial(display)
		done <- result{c, err}
	}()
	select {
	case r := <-done:
		return r.c, r.err
	case <-ctx.Done():
		go func() { // the library's handshake cannot be interrupted
			if r := <-done; r.c != nil {
				_ = r.c.Close(context.Background())
			}
		}()
		return nil, fmt.Errorf("connect to the X server %s: it does not answer: %w", display, ctx.Err())
	}
}

func dial(display string) (*Conn, error) {
	x, err := xgb.NewConnDisplay(display)
	if err != nil {
		return nil, fmt.Errorf("connect to the X server %s: %w", display, err)
	}
	c := &Conn{
		x:         x,
		changes:   selection.NewMailbox(),
		serving:   newServing(),
		times:     make(chan xproto.Timestamp, 1),
		transfers: map[xproto.Window]*transfer{},
		news:      map[xproto.Atom]seen{},
		lost:      make(chan struct{}),
	}
	if err := c.setUp(); err != nil {
		x.Close()
		for { // its goroutines end when nothing is left to be taken off
			if e, err := x.WaitForEvent(); e == nil && err == nil {
				break
			}
		}
		return nil, fmt.Errorf("use the X server %s: %w", display, err)
	}
	go c.dispatch()
	go c.serve()
	return c, nil
}

func (c *Conn) setUp() error {
	screen := xproto.Setup(c.x).DefaultScreen(c.x)
	c.root = screen.Root
	if err := useExtension(c.x, "XFIXES"); err != nil {
		return fmt.Errorf("start its extension XFIXES: %w", err)
	}
	if _, err := xfixes.QueryVersion(c.x, 5, 0).Reply(); err != nil {
		return fmt.Errorf("ask for the version of XFIXES: %w", err)
	}
	// Without XRes applications are known by their windows only.
	if useExtension(c.x, "X-Resource") == nil {
		v, err := res.QueryVersion(c.x, 1, 2).Reply()
		c.hasRes = err == nil && (v.ServerMajor > 1 || v.ServerMajor == 1 && v.ServerMinor >= 2)
	}
	var err error
	if c.atoms, err = newAtoms(c.x); err != nil {
		return fmt.Errorf("learn the names of formats: %w", err)
	}
	if c.win, err = xproto.NewWindowId(c.x); err != nil {
		return fmt.Errorf("make a window: %w", err)
	}
	if err := c.newWindow(c.win).Check(); err != nil {
		return fmt.Errorf("make a window: %w", err)
	}
	mask := uint32(xfixes.SelectionEventMaskSetSelectionOwner | xfixes.SelectionEventMaskSelectionWindowDestroy | xfixes.SelectionEventMaskSelectionClientClose)
	for _, s := range []xproto.Atom{c.atoms.clipboard, c.atoms.primary} {
		if err := xfixes.SelectSelectionInputChecked(c.x, c.win, s, mask).Check(); err != nil {
			return fmt.Errorf("ask for news of the clipboard: %w", err)
		}
	}
	return nil
}

// newWindow makes a window that nobody sees and that tells of its properties.
func (c *Conn) newWindow(id xproto.Window) xproto.CreateWindowCookie {
	return xproto.CreateWindowChecked(c.x, 0, id, c.root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly, 0,
		xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange})
}

// dispatch hands events on until the connection ends. It waits for nobody.
func (c *Conn) dispatch() {
	for {
		event, err := c.x.WaitForEvent()
		if event == nil && err == nil {
			break
		}
		switch e := event.(type) {
		case xfixes.SelectionNotifyEvent:
			c.ownerChanged(e)
		case xproto.SelectionNotifyEvent:
			c.toTransfer(e.Requestor, e)
		case xproto.PropertyNotifyEvent:
			switch {
			case e.Window == c.win:
				c.stamped(e.Time)
			case e.State == xproto.PropertyNewValue:
				c.toTransfer(e.Window, e)
			default:
				c.serving.put(e)
			}
		case xproto.SelectionRequestEvent, xproto.SelectionClearEvent, xproto.DestroyNotifyEvent:
			c.serving.put(event)
		}
	}
	c.mu.Lock()
	c.err = errors.New("the connection to the X server is lost")
	c.mu.Unlock()
	close(c.lost)
	c.changes.Close()
	c.serving.close()
}

func (c *Conn) ownerChanged(e xfixes.SelectionNotifyEvent) {
	c.mu.Lock()
	c.news[e.Selection] = seen{count: c.news[e.Selection].count + 1, win: e.Owner, since: e.SelectionTimestamp}
	for _, t := range c.transfers {
		if t.selection == e.Selection && e.Owner != t.owner {
			t.leave(e.Owner == 0)
		}
	}
	c.mu.Unlock()
	if e.Selection != c.atoms.clipboard {
		return
	}
	if e.Owner == 0 || e.Owner == c.win {
		c.changes.Drop()
		return
	}
	c.changes.Put(selection.Change{Seen: time.Now(), Stamp: uint64(e.SelectionTimestamp)})
}

// stamped keeps the newest time for whoever asked for it.
func (c *Conn) stamped(t xproto.Timestamp) {
	select {
	case <-c.times:
	default:
	}
	c.times <- t
}

// Name is for people.
func (c *Conn) Name() string { return "X11" }

// Changes tells what others copied; see selection.System.
func (c *Conn) Changes() <-chan selection.Change { return c.changes.Changes() }

// Err says why Changes was closed.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close hands our text to a clipboard manager and ends the connection.
func (c *Conn) Close(ctx context.Context) error {
	var err error
	c.shut.Do(func() {
		err = c.save(ctx)
		c.x.Close()
	})
	select {
	case <-c.lost:
		return err
	case <-ctx.Done():
		return errors.Join(err, fmt.Errorf("close the connection to the X server: %w", ctx.Err()))
	}
}
