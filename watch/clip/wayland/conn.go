//go:build unix

// Package wayland reads, watches and writes the selections of a Wayland
// compositor through ext-data-control-v1 or its elder twin,
// wlr-data-control-unstable-v1. It owns the protocol and none of the rules of
// what may be read.
//
// The compositor says which formats a copy has before anybody asks for one, so
// nothing has to be asked of the owner for that. It never says who the owner
// is, nor how long a text is; a text whose owner ended in the middle is told by
// the selection being empty then.
//
// The messages are written here, on a socket of the standard library: no
// library for Wayland in Go could be had, and golang.design/x/clipboard v0.9.0
// keeps its own to itself.
package wayland

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"dragoman/watch/clip/selection"
)

// dialLimit is for the handshake with the compositor.
const dialLimit = 5 * time.Second

// ErrNoProtocol is the error of compositors without data-control.
var ErrNoProtocol = errors.New("the compositor has neither ext-data-control nor wlr-data-control")

// Objects and opcodes, as the protocols number them. Both data-control
// protocols number alike.
const (
	display = 1

	displaySync, displayRegistry       = 0, 1
	displayError, displayDelete        = 0, 1
	registryBind                       = 0
	registryGlobal                     = 0
	managerSource, managerDevice       = 0, 1
	deviceSelect                       = 0
	deviceOffer, deviceSelected        = 0, 1
	deviceFinished, devicePrimary      = 2, 3
	offerReceive, offerDestroy         = 0, 1
	offerFormat                        = 0
	sourceOffer, sourceDestroy         = 0, 1
	sourceSend, sourceCancelled        = 0, 1
	maxFormats                         = 1024
	extManager, wlrManager             = "ext_data_control_manager_v1", "zwlr_data_control_manager_v1"
	extVersion, wlrVersion, minPrimary = 1, 2, 2
)

// Conn is a connection to a compositor; it implements selection.System.
type Conn struct {
	name    string
	primary bool // whether the primary selection can be had
	token   string
	changes *selection.Mailbox
	readers chan struct{} // one entry for each program that reads our text

	mu      sync.Mutex // of all below, and of sending
	socket  *socket
	last    uint32   // newest object of ours
	free    []uint32 // objects that the compositor has forgotten
	waiting map[uint32]chan struct{}
	manager uint32
	device  uint32
	offers  map[uint32]*offer
	current [2]*offer       // by selection.Name
	source  uint32          // of our text, 0 if the clipboard is not ours
	sources map[uint32]bool // also those that were replaced and may still be asked
	text    []byte
	ready   bool // what was on the clipboard at first has been told

	lost chan struct{} // closed when the connection is
	err  error         // valid when lost is closed
}

// global is something that the compositor offers.
type global struct{ name, version uint32 }

// Dial connects to the compositor at a socket. It returns ErrNoProtocol where
// the compositor lets nobody watch, and gives up after five seconds.
func Dial(ctx context.Context, path string) (*Conn, error) {
	s, err := dialSocket(path)
	if err != nil {
		return nil, fmt.Errorf("connect to the Wayland compositor: %w", err)
	}
	c := &Conn{
		token: newToken(), changes: selection.NewMailbox(), readers: make(chan struct{}, maxReaders),
		socket: s, last: display, waiting: map[uint32]chan struct{}{}, offers: map[uint32]*offer{}, sources: map[uint32]bool{}, lost: make(chan struct{}),
	}
	stop := context.AfterFunc(ctx, func() { _ = s.conn.SetReadDeadline(time.Now()) })
	defer stop()
	if err = s.conn.SetReadDeadline(time.Now().Add(dialLimit)); err == nil {
		err = c.setUp()
	}
	if err == nil && stop() {
		err = s.conn.SetReadDeadline(time.Time{})
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		s.close()
		return nil, fmt.Errorf("use the Wayland compositor: %w", err)
	}
	go c.run()
	return c, nil
}

// setUp finds the manager and waits until what is on the clipboard was told.
func (c *Conn) setUp() error {
	registry := c.id()
	if err := c.socket.send(display, displayRegistry, arguments{}.number(registry), -1); err != nil {
		return err
	}
	globals := map[string]global{}
	err := c.until(func(m message) error {
		if m.object != registry || m.opcode != registryGlobal {
			return nil
		}
		name, err := m.number()
		if err != nil {
			return err
		}
		what, err := m.text()
		if err != nil {
			return err
		}
		version, err := m.number()
		if _, found := globals[what]; !found { // of several seats the first
			globals[what] = global{name, version}
		}
		return err
	})
	if err != nil {
		return err
	}
	which, most := extManager, uint32(extVersion)
	c.name = "Wayland (ext-data-control)"
	if _, found := globals[which]; !found {
		which, most = wlrManager, wlrVersion
		c.name = "Wayland (wlr-data-control)"
	}
	manager, found := globals[which]
	seat, seated := globals["wl_seat"]
	if !found {
		return ErrNoProtocol
	}
	if !seated {
		return errors.New("the compositor has no seat, so there is nobody who could copy")
	}
	version := min(manager.version, most)
	c.primary = which == extManager || version >= minPrimary
	bind := func(what string, g global, version uint32) (uint32, error) {
		id := c.id()
		return id, c.socket.send(registry, registryBind, arguments{}.number(g.name).text(what).number(version).number(id), -1)
	}
	if c.manager, err = bind(which, manager, version); err != nil {
		return err
	}
	person, err := bind("wl_seat", seat, 1)
	if err != nil {
		return err
	}
	c.device = c.id()
	if err := c.socket.send(c.manager, managerDevice, arguments{}.number(c.device).number(person), -1); err != nil {
		return err
	}
	if err := c.until(c.handle); err != nil {
		return err
	}
	c.ready = true
	return nil
}

// until handles events until all that we asked for before has been answered.
// Only setUp may call it, before there is a reader.
func (c *Conn) until(handle func(message) error) error {
	callback := c.id()
	if err := c.socket.send(display, displaySync, arguments{}.number(callback), -1); err != nil {
		return err
	}
	for {
		m, err := c.socket.receive()
		switch {
		case err != nil:
			return err
		case m.object == callback:
			return nil
		case m.object == display:
			err = c.handle(m)
		default:
			err = handle(m)
		}
		if err != nil {
			return err
		}
	}
}

// id returns a number for a new object of ours; mu must be held.
func (c *Conn) id() uint32 {
	if n := len(c.free); n > 0 {
		id := c.free[n-1]
		c.free = c.free[:n-1]
		return id
	}
	c.last++
	return c.last
}

// run handles events until the connection ends.
func (c *Conn) run() {
	var err error
	for err == nil {
		var m message
		if m, err = c.socket.receive(); err == nil {
			c.mu.Lock()
			err = c.handle(m)
			c.mu.Unlock()
		}
	}
	c.mu.Lock()
	c.err = fmt.Errorf("the connection to the Wayland compositor is lost: %w", err)
	c.socket.close()
	c.mu.Unlock()
	close(c.lost)
	c.changes.Close()
}

// handle takes in one event; mu must be held.
func (c *Conn) handle(m message) error {
	switch {
	case m.object == display:
		return c.ofDisplay(m)
	case c.waiting[m.object] != nil:
		close(c.waiting[m.object])
		delete(c.waiting, m.object)
	case m.object == c.device && c.device != 0:
		return c.ofDevice(m)
	case c.offers[m.object] != nil && m.opcode == offerFormat:
		format, err := m.text()
		if err != nil {
			return err
		}
		c.offers[m.object].add(format)
	case c.sources[m.object] && m.opcode == sourceSend:
		return c.send(m)
	case m.object == c.source && c.source != 0 && m.opcode == sourceCancelled:
		c.release()
	}
	return nil
}

func (c *Conn) ofDisplay(m message) error {
	id, err := m.number()
	if err != nil {
		return err
	}
	if m.opcode == displayDelete {
		delete(c.sources, id)
		c.free = append(c.free, id)
		return nil
	}
	if m.opcode != displayError {
		return nil
	}
	code, err := m.number()
	if err != nil {
		return err
	}
	why, _ := m.text()
	return fmt.Errorf("the compositor refuses a request (%d: %s)", code, why)
}

func (c *Conn) ofDevice(m message) error {
	if m.opcode == deviceFinished {
		return errors.New("the compositor took the seat away")
	}
	id, err := m.number()
	if err != nil {
		return err
	}
	switch m.opcode {
	case deviceOffer:
		c.offers[id] = &offer{c: c, id: id}
	case deviceSelected:
		now := c.selected(selection.Clipboard, id)
		switch {
		case !c.ready:
		case now == nil || now.Ours():
			c.changes.Drop()
		default:
			c.changes.Put(selection.Change{Seen: time.Now()})
		}
	case devicePrimary:
		c.selected(selection.Primary, id)
	}
	return nil
}

// selected puts an offer in the place of the one before, which it destroys.
func (c *Conn) selected(name selection.Name, id uint32) *offer {
	old, now := c.current[name], c.offers[id]
	c.current[name] = now
	if now != nil {
		now.name = name
	}
	if old != nil && old != now {
		delete(c.offers, old.id)
		_ = c.socket.send(old.id, offerDestroy, nil, -1) // an error shows when reading
	}
	return now
}

// sync waits until the compositor has done all that we asked for before.
func (c *Conn) sync(ctx context.Context) error {
	done := make(chan struct{})
	c.mu.Lock()
	callback := c.id()
	c.waiting[callback] = done
	err := c.socket.send(display, displaySync, arguments{}.number(callback), -1)
	c.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case <-done:
		return nil
	case <-c.lost:
		return c.Err()
	case <-ctx.Done():
		return fmt.Errorf("wait for the compositor: %w", ctx.Err())
	}
}

// Name is for people.
func (c *Conn) Name() string { return c.name }

// Changes tells what others copied; see selection.System.
func (c *Conn) Changes() <-chan selection.Change { return c.changes.Changes() }

// Err says why Changes was closed.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close ends the connection and our text with it: a clipboard manager, where
// there is one, has copied it when it was written.
func (c *Conn) Close(ctx context.Context) error {
	if err := c.socket.conn.SetReadDeadline(time.Now()); err != nil {
		<-c.lost // closed already
		return nil
	}
	c.mu.Lock()
	ours := c.source != 0
	c.mu.Unlock()
	select {
	case <-c.lost:
	case <-ctx.Done():
		return fmt.Errorf("close the connection to the Wayland compositor: %w", ctx.Err())
	}
	if ours {
		return errors.New("hand the text to the compositor: none keeps it, so the text leaves the clipboard")
	}
	return nil
}

var _ selection.System = (*Conn)(nil)
