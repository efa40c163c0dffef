//go:build unix

package wayland

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"dragoman/watch/clip/selection"
)

const (
	// answerLimit is how long an owner may take for the next bytes, and
	// transferLimit for all.
	answerLimit   = 2 * time.Second
	transferLimit = 10 * time.Second
	// drainLimit is how long the rest of a text is taken that is too long or
	// comes too late. An owner may die of a pipe that is closed before it has
	// written all.
	drainLimit = 20 * time.Second
	maxDrains  = 4
)

// drains counts the texts whose rest is being taken.
var drains atomic.Int32

// offer is a copy that the compositor told of.
type offer struct {
	c       *Conn
	id      uint32
	name    selection.Name
	formats []string
	lies    bool // it has more formats than anybody needs
}

func (o *offer) add(format string) {
	if len(o.formats) == maxFormats {
		o.lies = true
		return
	}
	o.formats = append(o.formats, format)
}

// Offer returns what the compositor told last; see selection.System.
func (c *Conn) Offer(_ context.Context, name selection.Name) (selection.Offer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.current[name]
	switch {
	case c.err != nil:
		return nil, c.err
	case name == selection.Primary && !c.primary:
		return nil, errors.New("this compositor does not give away the primary selection")
	case o == nil:
		return nil, selection.ErrEmpty
	case o.lies:
		return o, selection.ErrRefused
	}
	return o, nil
}

func (o *offer) Formats() []string      { return o.formats }
func (o *offer) Owner() selection.Owner { return selection.Owner{} }

// Ours tells by a format with a name that nobody else knows.
func (o *offer) Ours() bool {
	for _, f := range o.formats {
		if f == o.c.token {
			return true
		}
	}
	return false
}

// Read lets the owner write a format into a pipe; see selection.Offer. The
// offer is the copy itself: what came after it cannot be meant.
func (o *offer) Read(ctx context.Context, format string, limit int) ([]byte, error) {
	r, err := o.receive(format)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = r.SetReadDeadline(time.Now()) })
	defer stop()
	data, err := take(ctx, r, limit)
	if err != nil {
		stop()
		if drains.Add(1) <= maxDrains {
			go drain(r)
			return nil, err
		}
		drains.Add(-1)
	}
	r.Close()
	if err != nil {
		return nil, err
	}
	if err := o.c.sync(ctx); err != nil {
		return nil, err
	}
	o.c.mu.Lock()
	defer o.c.mu.Unlock()
	if o.c.current[o.name] == nil {
		return nil, selection.ErrGone // perhaps in the middle
	}
	return data, nil
}

// receive asks for a format and returns where it comes out.
func (o *offer) receive(format string) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe for the text: %w", err)
	}
	defer w.Close()
	o.c.mu.Lock()
	defer o.c.mu.Unlock()
	if o.c.offers[o.id] != o {
		r.Close()
		return nil, selection.ErrReplaced
	}
	if err := o.c.socket.send(o.id, offerReceive, arguments{}.text(format), int(w.Fd())); err != nil {
		r.Close()
		return nil, fmt.Errorf("ask the compositor for the text: %w", err)
	}
	return r, nil
}

// take reads up to limit bytes from an owner that may hang.
func take(ctx context.Context, r *os.File, limit int) ([]byte, error) {
	end := time.Now().Add(transferLimit)
	var data bytes.Buffer
	buffer := make([]byte, 32<<10)
	for {
		if err := r.SetReadDeadline(earlier(time.Now().Add(answerLimit), end)); err != nil {
			return nil, fmt.Errorf("read the text: %w", err)
		}
		if ctx.Err() != nil {
			return nil, selection.ErrHung
		}
		n, err := r.Read(buffer)
		data.Write(buffer[:n])
		switch {
		case data.Len() > limit:
			return nil, selection.TooLong{Size: data.Len()}
		case err == io.EOF:
			return data.Bytes(), nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil, selection.ErrHung
		case err != nil:
			return nil, fmt.Errorf("read the text: %w", err)
		}
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// drain takes what nobody wants, so that its owner comes to an end.
func drain(r *os.File) {
	defer drains.Add(-1)
	defer r.Close()
	if r.SetReadDeadline(time.Now().Add(drainLimit)) == nil {
		_, _ = io.Copy(io.Discard, r)
	}
}
