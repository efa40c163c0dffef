// Package ipc is how the daemon is reached on its own machine: a unix socket,
// or a named pipe on Windows, that only its owner's programs can open. It owns
// addresses, the rights on them, who is at the other end, and how many clients
// there may be; what they say to each other is daemon/api's. It must not import
// anything of ours.
//
// The daemon trusts whom the kernel names, not what a client says: on unix the
// user id of the peer, on Windows the security descriptor of the pipe. A client
// looks at the server in the same way before it sends a text, because a name in
// the file system can be taken by someone else while the daemon is away.
package ipc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"syscall"
)

// Address names a listener: the absolute path of a socket, or the name of a
// pipe (`\\.\pipe\NAME`).
type Address string

// PipeOf returns the address of the pipe that serves the user with the given
// SID. It is the address on Windows only, where a service may serve a user
// other than its own.
func PipeOf(sid string) Address { return Address(`\\.\pipe\dragoman-` + sid) }

// DefaultMaxClients is the bound of connections where Options say nothing.
const DefaultMaxClients = 64

// Options are what Listen needs to know.
type Options struct {
	Address Address
	// AllowGroup lets members of this group connect besides our own user and
	// root: the socket gets mode 0660 and this group. Unix only.
	AllowGroup string
	// Owner is the SID of the user whom the pipe serves besides SYSTEM, "" for
	// the user of this process. Windows only.
	Owner string
	// MaxClients is how many connections may be open at once; one more is
	// closed at once. DefaultMaxClients if 0.
	MaxClients int
	// Log takes word of refused connections; slog.Default() if nil.
	Log *slog.Logger
}

// ErrInUse is the error of Listen where a living daemon has the address.
var ErrInUse = errors.New("another process listens there already")

// Identity is who is at the other end of a connection, for logs.
type Identity struct {
	User string // numeric user id, or a SID; "" if the system did not tell
	PID  int    // 0 if the system did not tell
}

// LogValue makes an Identity a group of attributes.
func (i Identity) LogValue() slog.Value {
	return slog.GroupValue(slog.String("user", i.User), slog.Int("pid", i.PID))
}

// Peer returns who is at the other end of a connection that was accepted from
// a listener of Listen; ok is false for any other connection.
func Peer(c net.Conn) (id Identity, ok bool) {
	if c, ok := c.(*conn); ok {
		return c.id, true
	}
	return Identity{}, false
}

// Listen opens the address for this user (see Options for whom else). The
// listener's Accept returns only connections of those who may connect; it
// closes the others and goes on. Errors: ErrInUse, and those of a folder that
// is not safe, which name it.
func Listen(o Options) (*Listener, error) {
	if o.Address == "" {
		return nil, errNoAddress
	}
	if o.MaxClients == 0 {
		o.MaxClients = DefaultMaxClients
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	inner, check, err := listen(o)
	if err != nil {
		return nil, fmt.Errorf("listen at %s: %w", o.Address, cause(err))
	}
	return newListener(inner, check, o), nil
}

// Dial connects to a daemon. Where there is none the error is fs.ErrNotExist
// or ECONNREFUSED; a server of another user is refused before anything is sent
// to it.
func Dial(ctx context.Context, a Address) (net.Conn, error) {
	if a == "" {
		return nil, errNoAddress
	}
	c, err := dial(ctx, a)
	if err != nil {
		return nil, fmt.Errorf("connect to the service at %s: %w", a, cause(err))
	}
	return c, nil
}

// DialAny connects to the first of several addresses where a daemon listens,
// in their order; "" is passed over. Its error is the first that says more than
// that nobody listens there.
func DialAny(ctx context.Context, addresses ...Address) (net.Conn, error) {
	var telling, first error
	for _, a := range addresses {
		if a == "" {
			continue
		}
		c, err := Dial(ctx, a)
		switch {
		case err == nil:
			return c, nil
		case ctx.Err() != nil:
			return nil, err
		case telling == nil && !nobody(err):
			telling = err
		case first == nil:
			first = err
		}
	}
	switch {
	case telling != nil:
		return nil, telling
	case first != nil:
		return nil, first
	default:
		return nil, errNoAddress
	}
}

// nobody says whether err means that no daemon listens.
func nobody(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)
}

// cause takes an error out of a net.OpError, which would name the address once
// more.
func cause(err error) error {
	if op, ok := err.(*net.OpError); ok {
		return op.Err
	}
	return err
}

var errNoAddress = fmt.Errorf("no address of a service is known: %w", fs.ErrNotExist)
