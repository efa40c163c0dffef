//go:build unix

package wayland

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// The wire format (Wayland, "Wire Format"): words in the machine's byte order,
// which is little on all that we build for; object, size<<16 | opcode, then the
// arguments. Strings have a length with their NUL and are padded to words.
// File descriptors travel beside the messages, in their order.

const (
	headerSize = 8
	// maxDescriptors may wait for the messages that they belong to.
	maxDescriptors = 64
	// sendLimit is how long the compositor may take to read what we say.
	sendLimit = 5 * time.Second
)

// message is one request or event.
type message struct {
	object uint32
	opcode uint16
	body   []byte
}

// arguments builds the body of a request.
type arguments []byte

func (a arguments) number(n uint32) arguments { return binary.LittleEndian.AppendUint32(a, n) }

func (a arguments) text(s string) arguments {
	a = append(a.number(uint32(len(s)+1)), s...)
	return append(a, make([]byte, 4-len(s)%4)...)
}

// number takes a number off the body of an event.
func (m *message) number() (uint32, error) {
	if len(m.body) < 4 {
		return 0, errShort
	}
	n := binary.LittleEndian.Uint32(m.body)
	m.body = m.body[4:]
	return n, nil
}

// text takes a string off the body of an event.
func (m *message) text() (string, error) {
	n, err := m.number()
	if err != nil || n == 0 {
		return "", err
	}
	padded := (uint64(n) + 3) &^ 3
	if padded > uint64(len(m.body)) {
		return "", errShort
	}
	s := string(m.body[:n-1])
	m.body = m.body[padded:]
	return s, nil
}

var errShort = errors.New("a message of the compositor is cut short")

// socket is the connection to a compositor. One goroutine reads; whoever sends
// holds a lock of its own.
type socket struct {
	conn        *net.UnixConn
	pending     []byte // read and not yet taken
	descriptors []int  // likewise
	buffer      [4096]byte
	beside      [256]byte
}

func dialSocket(path string) (*socket, error) {
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	return &socket{conn: conn}, nil
}

// send writes one request, with a descriptor if fd is not negative.
func (s *socket) send(object uint32, opcode uint16, body arguments, fd int) error {
	size := headerSize + len(body)
	if size > 0xffff {
		return fmt.Errorf("a request of %d bytes is too long", size)
	}
	data := make([]byte, 0, size)
	data = binary.LittleEndian.AppendUint32(data, object)
	data = binary.LittleEndian.AppendUint32(data, uint32(size)<<16|uint32(opcode))
	data = append(data, body...)
	var beside []byte
	if fd >= 0 {
		beside = unix.UnixRights(fd)
	}
	if err := s.conn.SetWriteDeadline(time.Now().Add(sendLimit)); err != nil {
		return err
	}
	n, _, err := s.conn.WriteMsgUnix(data, beside, nil)
	if err == nil && n < len(data) {
		_, err = s.conn.Write(data[n:])
	}
	return err
}

// receive waits for the next event.
func (s *socket) receive() (message, error) {
	for {
		if len(s.pending) >= headerSize {
			word := binary.LittleEndian.Uint32(s.pending[4:])
			size := int(word >> 16)
			if size < headerSize {
				return message{}, fmt.Errorf("the compositor sent a message of %d bytes", size)
			}
			if len(s.pending) >= size {
				m := message{object: binary.LittleEndian.Uint32(s.pending), opcode: uint16(word)}
				m.body = append([]byte(nil), s.pending[headerSize:size]...)
				s.pending = append(s.pending[:0], s.pending[size:]...)
				return m, nil
			}
		}
		n, nb, _, _, err := s.conn.ReadMsgUnix(s.buffer[:], s.beside[:])
		switch {
		case err != nil:
			return message{}, err
		case n == 0:
			return message{}, errors.New("the compositor closed the connection")
		}
		s.pending = append(s.pending, s.buffer[:n]...)
		if err := s.keep(s.beside[:nb]); err != nil {
			return message{}, err
		}
	}
}

// keep collects the descriptors that came with a message.
func (s *socket) keep(beside []byte) error {
	if len(beside) == 0 {
		return nil
	}
	controls, err := unix.ParseSocketControlMessage(beside)
	if err != nil {
		return fmt.Errorf("read the descriptors of a message: %w", err)
	}
	for i := range controls {
		if fds, err := unix.ParseUnixRights(&controls[i]); err == nil {
			s.descriptors = append(s.descriptors, fds...)
		}
	}
	if len(s.descriptors) > maxDescriptors {
		return errors.New("the compositor sent descriptors that belong to nothing")
	}
	return nil
}

// descriptor is the next one that came, -1 if there is none.
func (s *socket) descriptor() int {
	if len(s.descriptors) == 0 {
		return -1
	}
	fd := s.descriptors[0]
	s.descriptors = append(s.descriptors[:0], s.descriptors[1:]...)
	return fd
}

// close ends the connection. Only the reader may call it, or whoever knows that
// there is none.
func (s *socket) close() {
	for fd := s.descriptor(); fd >= 0; fd = s.descriptor() {
		_ = unix.Close(fd)
	}
	_ = s.conn.Close()
}
