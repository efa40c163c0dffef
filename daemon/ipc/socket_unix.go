//go:build unix

package ipc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// socketName is the socket's in the runtime folder.
const socketName = "api.sock"

// longestPath is what fits in sockaddr_un with its closing zero (unix(7)).
const longestPath = len(syscall.RawSockaddrUnix{}.Path) - 1

// Default returns the address of this user's daemon. On Windows runtimeDir
// counts for nothing: the pipe is named for the user.
func Default(runtimeDir string) Address { return Address(filepath.Join(runtimeDir, socketName)) }

// listen makes the socket with its final rights from the first moment. Whoever
// makes the folder decides its mode; one that exists is not altered, because it
// might be another's too (/run, a home).
func listen(o Options) (place, checker, error) {
	path := string(o.Address)
	if err := checkPath(path); err != nil {
		return nil, nil, err
	}
	gid, err := lookupGroup(o.AllowGroup)
	if err != nil {
		return nil, nil, err
	}
	folder, err := openFolder(filepath.Dir(path), gid)
	if err != nil {
		return nil, nil, err
	}
	defer folder.Close()
	// Two that start at once must not take each other's socket for a dead one.
	// The lock ends with the descriptor.
	if err := unix.Flock(int(folder.Fd()), unix.LOCK_EX); err != nil {
		return nil, nil, fmt.Errorf("lock %s: %w", folder.Name(), err)
	}
	if err := removeStale(path); err != nil {
		return nil, nil, err
	}
	l, err := bind(path, gid)
	if err != nil {
		return nil, nil, err
	}
	return l, func(c net.Conn) (Identity, bool, error) { return checkPeer(c, gid) }, nil
}

func checkPath(path string) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("%q is not an absolute path", path)
	}
	if len(path) > longestPath {
		return fmt.Errorf("the path has %d bytes and a socket's may have %d: set DRAGOMAN_RUNTIME to a folder with a shorter name",
			len(path), longestPath)
	}
	return nil
}

// noGroup stands for "no group is let in".
const noGroup = -1

func lookupGroup(name string) (int, error) {
	if name == "" {
		return noGroup, nil
	}
	g, err := user.LookupGroup(name)
	if err != nil {
		return noGroup, fmt.Errorf("find the group of clients: %w: make it with `groupadd --system %s`", err, name)
	}
	return strconv.Atoi(g.Gid)
}

// openFolder makes the socket's folder if need be and opens it; it refuses one
// where others could put a socket of theirs in the place of ours.
func openFolder(path string, gid int) (*os.File, error) {
	if err := makeFolder(path, gid); err != nil {
		return nil, err
	}
	folder, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := checkFolder(folder, gid); err != nil {
		folder.Close()
		return nil, err
	}
	return folder, nil
}

func makeFolder(path string, gid int) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o700); errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	if gid == noGroup {
		return os.Chmod(path, 0o700) // an odd umask took from us too
	}
	return letGroup(path, gid, 0o750)
}

func letGroup(path string, gid int, mode fs.FileMode) error {
	// First whose, then how much: in between nobody has more than at the end.
	if err := os.Chown(path, -1, gid); err != nil {
		return fmt.Errorf("let the group of clients in: %w", err)
	}
	return os.Chmod(path, mode)
}

func checkFolder(folder *os.File, gid int) error {
	var st unix.Stat_t
	if err := unix.Fstat(int(folder.Fd()), &st); err != nil {
		return fmt.Errorf("look at %s: %w", folder.Name(), err)
	}
	mode := st.Mode & 0o777
	switch {
	case int(st.Uid) != os.Geteuid():
		return fmt.Errorf("the folder %s belongs to user %d, not to this one (%d): remove it or set DRAGOMAN_RUNTIME to another",
			folder.Name(), st.Uid, os.Geteuid())
	case mode&0o022 != 0:
		return fmt.Errorf("the folder %s has mode %04o, others can write there: `chmod 700 %s` or set DRAGOMAN_RUNTIME to another",
			folder.Name(), mode, folder.Name())
	case gid != noGroup && mode&0o001 == 0 && (mode&0o010 == 0 || int(st.Gid) != gid):
		return fmt.Errorf("the folder %s (group %d, mode %04o) is closed to group %d: `chgrp %d %s && chmod 750 %s`",
			folder.Name(), st.Gid, mode, gid, gid, folder.Name(), folder.Name())
	}
	return nil
}

// probeWait bounds how long a socket that exists is asked whether it lives.
const probeWait = time.Second

// removeStale removes the socket of a daemon that was killed. One that answers,
// or has no room to answer, lives.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s is no socket: remove it or set DRAGOMAN_RUNTIME to another folder", path)
	}
	c, err := net.DialTimeout("unix", path, probeWait)
	switch {
	case err == nil:
		defer c.Close()
		peer, err := peerOf(c)
		if err != nil {
			return ErrInUse
		}
		return fmt.Errorf("%w: process %d of user %d: stop it, or name another place with DRAGOMAN_RUNTIME", ErrInUse, peer.Pid, peer.Uid)
	case errors.Is(err, syscall.ECONNREFUSED):
		return os.Remove(path)
	case errors.Is(err, fs.ErrNotExist): // ended just now
		return nil
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, os.ErrDeadlineExceeded):
		return ErrInUse
	default:
		return fmt.Errorf("find out whether a daemon listens: %w", err)
	}
}

func bind(path string, gid int) (*socket, error) {
	config := net.ListenConfig{Control: closeToOthers}
	l, err := config.Listen(context.Background(), "unix", path)
	if err != nil {
		return nil, err
	}
	// By its name only: the file there might be another's by then.
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	if gid == noGroup {
		err = os.Chmod(path, 0o600)
	} else {
		err = letGroup(path, gid, 0o660)
	}
	s := &socket{Listener: l, path: path}
	if err == nil {
		s.file, err = os.Lstat(path)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close(), os.Remove(path))
	}
	return s, nil
}

// socket is a listener and the file by which clients find it.
type socket struct {
	net.Listener
	path string
	file fs.FileInfo
}

// found compares files, not names. While the socket is open no other file can
// get its number, removed or not.
func (s *socket) found() bool {
	now, err := os.Lstat(s.path)
	return err == nil && os.SameFile(now, s.file)
}

// Close removes the file, unless another has taken its place.
func (s *socket) Close() error {
	if s.found() {
		_ = os.Remove(s.path) // one that stays answers nobody and is replaced
	}
	return s.Listener.Close()
}

// closeToOthers is called on a socket that has no name yet. Linux gives the file
// the mode that the descriptor has when it is bound (less the umask), so nobody
// ever sees a wider one.
func closeToOthers(_, _ string, raw syscall.RawConn) error {
	var inner error
	if err := raw.Control(func(fd uintptr) { inner = unix.Fchmod(int(fd), 0o600) }); err != nil {
		return err
	}
	return inner
}

func dial(ctx context.Context, a Address) (net.Conn, error) {
	path := string(a)
	if err := checkPath(path); err != nil {
		return nil, err
	}
	c, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("%w: it serves another user, or a group that you are not in (a login from before you were added does not count); your own service starts with `dragoman service start`", cause(err))
	} else if err != nil {
		return nil, err
	}
	if err := checkServer(c, path); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// checkServer refuses a server that is neither ours nor root's, nor of the user
// to whom root gave the folder of the socket (/run/dragoman of the machine's
// daemon).
func checkServer(c net.Conn, path string) error {
	peer, err := peerOf(c)
	if err != nil {
		return fmt.Errorf("find out who listens: %w", err)
	}
	uid := int(peer.Uid)
	if uid == os.Geteuid() || uid == 0 || givenByRoot(filepath.Dir(path), uid) {
		return nil
	}
	return fmt.Errorf("a process of user %d listens there, which is neither this user (%d) nor the machine's service, so nothing was sent to it: ask as that user, without sudo, or name your own place with XDG_RUNTIME_DIR or DRAGOMAN_RUNTIME", uid, os.Geteuid())
}

func givenByRoot(folder string, uid int) bool {
	var st, parent unix.Stat_t
	return unix.Lstat(folder, &st) == nil && int(st.Uid) == uid && st.Mode&0o022 == 0 &&
		unix.Lstat(filepath.Dir(folder), &parent) == nil && parent.Uid == 0 && parent.Mode&0o022 == 0
}
