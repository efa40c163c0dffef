package ipc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

// bufferSize is the pipe's in each direction, in bytes; without one every write
// would wait for its reader.
const bufferSize = 64 << 10

// busyWait bounds how long Dial waits for a daemon that is not taking the next
// connection.
const busyWait = 10 * time.Second

// Default returns the address of this user's daemon; runtimeDir counts on unix
// only. It is "" if the system does not tell who we are.
func Default(string) Address {
	sid, err := processUser()
	if err != nil {
		return ""
	}
	return PipeOf(sid.String())
}

// listen makes the first instance of the pipe, so that nobody else holds the
// name, and refuses clients of other machines (FILE_CREATE and
// FILE_PIPE_REJECT_REMOTE_CLIENTS, both go-winio's way of making a pipe).
func listen(o Options) (place, checker, error) {
	self, err := processUser()
	if err != nil {
		return nil, nil, fmt.Errorf("find out who we are: %w", err)
	}
	owner := o.Owner
	if owner == "" {
		owner = self.String()
	}
	l, err := winio.ListenPipe(string(o.Address), &winio.PipeConfig{
		SecurityDescriptor: descriptor(self.String(), owner),
		InputBufferSize:    bufferSize,
		OutputBufferSize:   bufferSize,
	})
	switch {
	case errors.Is(err, windows.ERROR_ACCESS_DENIED), errors.Is(err, windows.ERROR_ALREADY_EXISTS),
		errors.Is(err, windows.ERROR_FILE_EXISTS), errors.Is(err, windows.ERROR_PIPE_BUSY):
		return nil, nil, fmt.Errorf("%w (%w)", ErrInUse, err)
	case err != nil:
		return nil, nil, err
	}
	return pipe{l}, checkPeer, nil
}

// pipe is a name that nobody can take away while it is open.
type pipe struct{ net.Listener }

func (pipe) found() bool { return true }

// systemSID is LocalSystem's.
const systemSID = "S-1-5-18"

// descriptor says, in SDDL, that the pipe belongs to the user of this process
// and may be opened by that user, the owner whom it serves and SYSTEM, and by
// nobody else: not by other administrators, who would have to take the rights
// openly, and not by sandboxed programs. Whom it belongs to is how a client
// knows the server. Reading and writing includes making further instances of
// the pipe, which this process needs; the owner's programs could serve only
// their own user with it, and without it ordinary programs, which ask for
// GENERIC_WRITE, could not connect.
func descriptor(self, owner string) string {
	sddl := "O:" + self + "D:P"
	for i, sid := range []string{systemSID, self, owner} {
		if i == 1 && self == systemSID || i == 2 && (owner == self || owner == systemSID) {
			continue
		}
		sddl += "(A;;GRGW;;;" + sid + ")"
	}
	return sddl
}

// checkPeer lets in whoever got through the descriptor and finds out who it is
// as far as the system tells.
func checkPeer(c net.Conn) (Identity, bool, error) {
	handle, err := handleOf(c)
	if err != nil {
		return Identity{}, false, err
	}
	var pid uint32
	if err := windows.GetNamedPipeClientProcessId(handle, &pid); err != nil {
		return Identity{}, true, nil
	}
	id := Identity{PID: int(pid)}
	if sid, err := userOf(pid); err == nil {
		id.User = sid.String()
	}
	return id, true, nil
}

func dial(ctx context.Context, a Address) (net.Conn, error) {
	bounded, cancel := context.WithTimeout(ctx, busyWait)
	defer cancel()
	c, err := winio.DialPipeContext(bounded, string(a))
	if err != nil {
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("it is too busy to answer, or hangs: %w", err)
		}
		return nil, err
	}
	if err := checkServer(c); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// checkServer refuses a pipe that belongs neither to our user nor to SYSTEM. It
// asks for the pipe's owner, which only those two can have put there, and not
// for the server's process: an ordinary user may not look at a process of
// SYSTEM, and a process id may be another's by the time it is looked up.
func checkServer(c net.Conn) error {
	handle, err := handleOf(c)
	if err != nil {
		return err
	}
	sd, err := windows.GetSecurityInfo(handle, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return fmt.Errorf("find out whose pipe it is: %w", err)
	}
	owner, _, err := sd.Owner()
	if err != nil {
		return fmt.Errorf("find out whose pipe it is: %w", err)
	}
	self, err := processUser()
	if err != nil {
		return fmt.Errorf("find out who we are: %w", err)
	}
	if !trusted(owner.String(), self.String()) {
		return fmt.Errorf("the pipe belongs to %s, which is not dragoman's service of this user (%s): nothing was sent to it", owner, self)
	}
	return nil
}

func trusted(owner, self string) bool { return owner == self || owner == systemSID }

func handleOf(c net.Conn) (windows.Handle, error) {
	file, ok := c.(interface{ Fd() uintptr })
	if !ok {
		return 0, fmt.Errorf("a %T has no handle", c)
	}
	return windows.Handle(file.Fd()), nil
}

func processUser() (*windows.SID, error) {
	return tokenUser(windows.GetCurrentProcessToken())
}

func userOf(pid uint32) (*windows.SID, error) {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return nil, err
	}
	defer windows.CloseHandle(process)
	var token windows.Token
	if err := windows.OpenProcessToken(process, windows.TOKEN_QUERY, &token); err != nil {
		return nil, err
	}
	defer token.Close()
	return tokenUser(token)
}

func tokenUser(token windows.Token) (*windows.SID, error) {
	u, err := token.GetTokenUser()
	if err != nil {
		return nil, err
	}
	return u.User.Sid, nil
}
