// Package crowd shares a bounded number of connections to an HTTP server among
// any number of clients. It owns which connection has to go when there are too
// many, and must not import anything of ours.
//
// A connection whose request is being answered stays, an event stream among
// them. One that waits for its client's next request, or for the rest of a
// request's header, gives way when another client comes: the one that has waited
// for longest goes first. Clients of HTTP/1.1 must expect that of a connection
// they keep (RFC 9112, section 9.5). Where none can give way the newcomer is
// answered at once that there is no place, on one of a few further connections.
package crowd

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Extra is how many connections beyond the bound may be open, each for as long
// as it takes to refuse it.
const Extra = 16

// stall is how long a new connection may take for its first header before it
// counts as one that waits. A client sends it right after it has connected.
const stall = time.Second

// Options of Bound.
type Options struct {
	Max     int          // connections that are served, at least 1
	Refused http.Handler // answers the requests of those beyond; the connection is closed then
	Log     *slog.Logger // slog.Default() if nil
}

// Bound returns a listener for server.Serve that accepts inner's connections as
// the package says. It sets hooks of the server, which must not be in use yet,
// and keeps those that were set.
func Bound(server *http.Server, inner net.Listener, o Options) net.Listener {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	b := &crowd{Listener: inner, options: o, open: map[*conn]struct{}{}, stall: stall}
	handler := server.Handler
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ours := r.Context().Value(key{}).(*conn); ours && !b.begin(c) {
			w.Header().Set("Connection", "close")
			o.Refused.ServeHTTP(w, r)
			return
		}
		handler.ServeHTTP(w, r)
	})
	connContext := server.ConnContext
	server.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if connContext != nil {
			ctx = connContext(ctx, c)
		}
		return context.WithValue(ctx, key{}, c)
	}
	connState := server.ConnState
	server.ConnState = func(c net.Conn, state http.ConnState) {
		if c, ours := c.(*conn); ours {
			b.changed(c, state)
		}
		if connState != nil {
			connState(c, state)
		}
	}
	return b
}

// key of a connection in the context of its requests.
type key struct{}

// crowd is a listener and the connections that are open.
type crowd struct {
	net.Listener
	options Options
	stall   time.Duration

	mu     sync.Mutex
	open   map[*conn]struct{}
	served int  // of them are not extra
	full   bool // the log was told
}

// phase is what a connection is doing.
type phase int

const (
	reading phase = iota // its first bytes are waited for, or the rest of a header
	idle                 // between requests
	working              // a request is being answered
)

// conn is a connection of a crowd, whose lock guards it.
type conn struct {
	net.Conn
	crowd *crowd
	phase phase
	since time.Time // of the phase
	extra bool
	gone  bool
}

// Accept waits for the next connection and makes a place for it if need be.
func (b *crowd) Accept() (net.Conn, error) {
	for {
		inner, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := b.add(inner); c != nil {
			return c, nil
		}
		_ = inner.Close()
	}
}

// add returns nil where not even an extra place is left.
func (b *crowd) add(inner net.Conn) *conn {
	b.mu.Lock()
	c := &conn{Conn: inner, crowd: b, since: time.Now()}
	victim, room := b.room()
	if !room {
		c.extra = true
		if len(b.open)-b.served >= Extra {
			victim = b.longest(func(o *conn) bool { return o.extra && o.phase != working })
		}
		if len(b.open)-b.served >= Extra && victim == nil {
			c = nil
		}
	}
	if victim != nil {
		b.drop(victim)
	}
	if c != nil {
		b.open[c] = struct{}{}
		if !c.extra {
			b.served++
		}
	}
	b.mu.Unlock()
	if victim != nil {
		_ = victim.Conn.Close()
	}
	return c
}

// room says whether one more can be served, and who has to give way for it. The
// lock is held, as for all that follows but begin and changed.
func (b *crowd) room() (victim *conn, ok bool) {
	if b.served < b.options.Max {
		return nil, true
	}
	victim = b.longest(func(c *conn) bool { return !c.extra && c.phase == idle })
	if victim == nil {
		now := time.Now()
		victim = b.longest(func(c *conn) bool { return !c.extra && c.phase == reading && now.Sub(c.since) >= b.stall })
	}
	return victim, victim != nil
}

// longest is the connection that has been in its phase for longest, of those
// that fit; nil if none does.
func (b *crowd) longest(fits func(*conn) bool) (found *conn) {
	for c := range b.open {
		if fits(c) && (found == nil || c.since.Before(found.since)) {
			found = c
		}
	}
	return found
}

func (b *crowd) drop(c *conn) {
	if c.gone {
		return
	}
	c.gone = true
	delete(b.open, c)
	if !c.extra {
		b.served--
	}
	if b.served <= b.options.Max/2 {
		b.full = false // told again only after the crowd has gone
	}
}

// begin notes that a request has come and says whether it may be answered. It may
// not where its connection has given way in the same moment: nobody would read
// the answer, and the client asks again.
func (b *crowd) begin(c *conn) bool {
	b.mu.Lock()
	c.phase = working
	var victim *conn
	said := true
	if c.extra && !c.gone {
		var room bool
		if victim, room = b.room(); room {
			if victim != nil {
				b.drop(victim)
			}
			c.extra = false
			b.served++
		} else {
			said, b.full = b.full, true
		}
	}
	served := !c.extra && !c.gone
	b.mu.Unlock()
	if victim != nil {
		_ = victim.Conn.Close()
	}
	if !said {
		b.options.Log.Warn("Refused a request: too many clients", "max", b.options.Max)
	}
	return served
}

// changed follows what the server tells of a connection.
func (b *crowd) changed(c *conn, state http.ConnState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch state {
	case http.StateActive: // the first bytes of a request have come
		c.phase, c.since = reading, time.Now()
	case http.StateIdle:
		c.phase, c.since = idle, time.Now()
	case http.StateHijacked:
		c.phase = working
	}
}

// Close gives the connection's place back.
func (c *conn) Close() error {
	c.crowd.mu.Lock()
	c.crowd.drop(c)
	c.crowd.mu.Unlock()
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
