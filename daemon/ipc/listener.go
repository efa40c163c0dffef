package ipc

import (
	"log/slog"
	"net"
	"sync"
)

// checker tells who connected and whether they may.
type checker func(net.Conn) (id Identity, allowed bool, err error)

// mostStrangers bounds what is remembered, and logged, of users who were
// refused.
const mostStrangers = 64

type listener struct {
	net.Listener
	check checker
	log   *slog.Logger
	slots chan struct{} // one taken by each open connection

	mu        sync.Mutex // over what follows
	strangers map[string]bool
	full      bool // said already
}

func newListener(inner net.Listener, check checker, o Options) *listener {
	return &listener{
		Listener:  inner,
		check:     check,
		log:       o.Log,
		slots:     make(chan struct{}, o.MaxClients),
		strangers: map[string]bool{},
	}
}

// Accept waits for the next connection of someone who may connect.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		// Strangers are turned away first, so that they cannot take the places
		// of others.
		if id, ok := l.admit(c); !ok {
			_ = c.Close()
		} else if !l.take() {
			_ = c.Close()
		} else {
			return &conn{Conn: c, id: id, release: sync.OnceFunc(l.free)}, nil
		}
	}
}

func (l *listener) admit(c net.Conn) (Identity, bool) {
	id, allowed, err := l.check(c)
	if err != nil {
		l.log.Warn("Refused a connection whose user is unknown", "error", err)
		return id, false
	}
	if !allowed {
		l.refuse(id)
	}
	return id, allowed
}

func (l *listener) refuse(id Identity) {
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
func (l *listener) take() bool {
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

func (l *listener) free() {
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
