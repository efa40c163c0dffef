package ipc

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
)

// checker tells who connected and whether they may.
type checker func(net.Conn) (id Identity, allowed bool, err error)

// mostStrangers bounds what is remembered, and logged, of users who were
// refused.
const mostStrangers = 64

// place is what listens at an address.
type place interface {
	net.Listener
	// found says whether clients that connect to the address now get here.
	found() bool
}

// Listener accepts the connections of those who may connect.
type Listener struct {
	options Options
	log     *slog.Logger
	slots   chan struct{} // one taken by each open connection

	mu        sync.Mutex // over what follows
	place     place
	check     checker
	strangers map[string]bool
	full      bool // said already
	closed    bool
}

func newListener(inner place, check checker, o Options) *Listener {
	return &Listener{
		options:   o,
		place:     inner,
		check:     check,
		log:       o.Log,
		slots:     make(chan struct{}, o.MaxClients),
		strangers: map[string]bool{},
	}
}

// Renew looks whether clients still find the listener, and opens its address
// anew where they do not: a socket may be removed by a cleaner of old files, or
// with the runtime folder that a new login makes again. Connections stay, and so
// does an Accept that waits. Errors are those of Listen; then the listener is as
// it was, and Renew may be called again.
func (l *Listener) Renew() (renewed bool, err error) {
	l.mu.Lock()
	old, closed := l.place, l.closed
	l.mu.Unlock()
	if closed {
		return false, net.ErrClosed
	}
	if old.found() {
		return false, nil
	}
	next, check, err := listen(l.options)
	if err != nil {
		return false, fmt.Errorf("listen at %s: %w", l.options.Address, cause(err))
	}
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return false, errors.Join(net.ErrClosed, next.Close())
	}
	l.place, l.check = next, check
	l.mu.Unlock()
	_ = old.Close() // nobody can have it open but us
	return true, nil
}

// Addr returns the address.
func (l *Listener) Addr() net.Addr {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.place.Addr()
}

// Close ends Accept. Connections stay.
func (l *Listener) Close() error {
	l.mu.Lock()
	l.closed = true
	now := l.place
	l.mu.Unlock()
	return now.Close()
}

// Accept waits for the next connection of someone who may connect.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		l.mu.Lock()
		now, check := l.place, l.check
		l.mu.Unlock()
		c, err := now.Accept()
		if err != nil {
			l.mu.Lock()
			renewed := l.place != now
			l.mu.Unlock()
			if renewed {
				continue
			}
			return nil, err
		}
		// Strangers are turned away first, so that they cannot take the places
		// of others.
		if id, ok := l.admit(c, check); !ok {
			_ = c.Close()
		} else if !l.take() {
			_ = c.Close()
		} else {
			return &conn{Conn: c, id: id, release: sync.OnceFunc(l.free)}, nil
		}
	}
}

func (l *Listener) admit(c net.Conn, check checker) (Identity, bool) {
	id, allowed, err := check(c)
	if err != nil {
		l.log.Warn("Refused a connection whose user is unknown", "error", err)
		return id, false
	}
	if !allowed {
		l.refuse(id)
	}
	return id, allowed
}

func (l *Listener) refuse(id Identity) {
	l.mu.Lock()
	known := l.strangers[id.User] || len(l.strangers) >= mostStrangers
	if !known {
		l.strangers[id.User] = true
	}
	l.mu.Unlock()
	if !known {
		l.log.Warn("Refused connections of another user", "peer", id)
	}
}

// take reserves a place for a connection, if there is one.
func (l *Listener) take() bool {
	select {
	case l.slots <- struct{}{}:
		return true
	default:
	}
	l.mu.Lock()
	said := l.full
	l.full = true
	l.mu.Unlock()
	if !said {
		l.log.Warn("Refused a connection: too many clients", "max", cap(l.slots))
	}
	return false
}

func (l *Listener) free() {
	<-l.slots
	l.mu.Lock()
	// Said again only after the crowd has gone, not at every turn of its edge.
	if len(l.slots) <= cap(l.slots)/2 {
		l.full = false
	}
	l.mu.Unlock()
}

// conn is an accepted connection: it knows its peer and gives its place back.
type conn struct {
	net.Conn
	id      Identity
	release func()
}

func (c *conn) Close() error {
	defer c.release()
	return c.Conn.Close()
}

// CloseWrite ends our half, where the system can. net/http does so after it
// refused a body, so that the client reads the answer before the end.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
