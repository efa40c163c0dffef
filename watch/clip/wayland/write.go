//go:build unix

package wayland

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"dragoman/watch/clip/selection"
)

const (
	// maxReaders may read our text at a time, each within readerLimit.
	maxReaders  = 64
	readerLimit = 30 * time.Second
)

var textFormats = []string{"text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT", "STRING"}

// newToken makes the name of a format by which we know our own text.
func newToken() string { return selection.Marker + ";by=" + rand.Text() }

// Write takes the clipboard and serves text; see selection.System.
func (c *Conn) Write(ctx context.Context, text string) error {
	source, err := c.take(text)
	if err != nil {
		return fmt.Errorf("take the clipboard: %w", err)
	}
	if err := c.sync(ctx); err != nil {
		return fmt.Errorf("take the clipboard: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.source != source {
		return errors.New("take the clipboard: another application copied at the same time")
	}
	return nil
}

func (c *Conn) take(text string) (source uint32, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, c.err
	}
	source = c.id()
	c.sources[source] = true
	if err := c.socket.send(c.manager, managerSource, arguments{}.number(source), -1); err != nil {
		return 0, err
	}
	for _, format := range append(slices.Clone(textFormats), selection.Marker, c.token) {
		if err := c.socket.send(source, sourceOffer, arguments{}.text(format), -1); err != nil {
			return 0, err
		}
	}
	if err := c.socket.send(c.device, deviceSelect, arguments{}.number(source), -1); err != nil {
		return 0, err
	}
	if c.source != 0 {
		c.release()
	}
	c.source, c.text = source, []byte(text)
	return source, nil
}

// release ends our source after another one took its place; mu must be held.
func (c *Conn) release() {
	_ = c.socket.send(c.source, sourceDestroy, nil, -1) // an error shows when reading
	c.source, c.text = 0, nil
}

// send serves one reader; mu must be held. A reader that hangs holds up nobody
// else.
func (c *Conn) send(m message) error {
	fd := c.socket.descriptor()
	if fd < 0 {
		return errors.New("the compositor asks for our text but sends no descriptor")
	}
	format, err := m.text()
	text := c.text
	known := slices.Contains(textFormats, format)
	select {
	case c.readers <- struct{}{}:
	default:
		known = false
	}
	if err != nil || m.object != c.source || !known || unix.SetNonblock(fd, true) != nil {
		if known {
			<-c.readers
		}
		_ = unix.Close(fd)
		return err
	}
	go func() {
		defer func() { <-c.readers }()
		w := os.NewFile(uintptr(fd), "reader of the clipboard")
		defer w.Close()
		// Files know no deadlines and need none.
		_ = w.SetWriteDeadline(time.Now().Add(readerLimit))
		_, _ = w.Write(text) // a reader that went away is no trouble of ours
	}()
	return nil
}
