package ipc

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// checkPeer lets our own user and root in, and members of the group gid.
func checkPeer(c net.Conn, gid int) (Identity, bool, error) {
	peer, err := peerOf(c)
	if err != nil {
		return Identity{}, false, err
	}
	id := Identity{User: strconv.Itoa(int(peer.Uid)), PID: int(peer.Pid)}
	if peer.Uid == 0 || int(peer.Uid) == os.Geteuid() {
		return id, true, nil
	}
	if gid == noGroup {
		return id, false, nil
	}
	if int(peer.Gid) == gid {
		return id, true, nil
	}
	groups, err := peerGroups(c)
	return id, slices.Contains(groups, uint32(gid)), err
}

// peerOf asks the kernel who is at the other end (SO_PEERCRED, unix(7)): who
// connected, or who called listen.
func peerOf(c net.Conn) (*unix.Ucred, error) {
	var peer *unix.Ucred
	err := control(c, func(fd int) (err error) {
		peer, err = unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
		return err
	})
	return peer, err
}

// peerGroups asks the kernel for the supplementary groups of the peer
// (SO_PEERGROUPS, since Linux 4.13). They are those that file modes are
// measured by, and unlike /etc/group they know of users of a directory service.
func peerGroups(c net.Conn) ([]uint32, error) {
	var groups []uint32
	err := control(c, func(fd int) error {
		for n := 32; ; {
			groups = make([]uint32, n)
			size := uint32(n) * 4
			_, _, errno := unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(fd), unix.SOL_SOCKET, unix.SO_PEERGROUPS,
				uintptr(unsafe.Pointer(&groups[0])), uintptr(unsafe.Pointer(&size)), 0)
			switch {
			case errno == 0:
				groups = groups[:size/4]
				return nil
			case errno == unix.ERANGE && int(size/4) > n: // the kernel said how many
				n = int(size / 4)
			default:
				return fmt.Errorf("ask for the groups of a peer: %w", errno)
			}
		}
	})
	return groups, err
}

// control runs f on the descriptor of a connection.
func control(c net.Conn, f func(fd int) error) error {
	sys, ok := c.(syscall.Conn)
	if !ok {
		return fmt.Errorf("a %T has no descriptor", c)
	}
	raw, err := sys.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := raw.Control(func(fd uintptr) { inner = f(int(fd)) }); err != nil {
		return err
	}
	return inner
}
