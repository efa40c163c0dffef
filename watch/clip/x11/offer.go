package x11

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jezek/xgb/xproto"

	"dragoman/watch/clip/selection"
)

// offer is what an owner told about a selection.
type offer struct {
	c       *Conn
	sel     xproto.Atom
	seen    seen // when it told that
	owner   selection.Owner
	formats []string
}

// seen is the newest news of a selection.
type seen struct {
	count uint64 // of changes since the connection was made
	win   xproto.Window
	// since is the time at which win took the selection, CurrentTime where it
	// did before we were there.
	since xproto.Timestamp
}

// Offer asks who owns a selection and which targets it has.
func (c *Conn) Offer(ctx context.Context, name selection.Name) (selection.Offer, error) {
	sel := c.atoms.selection(name)
	now, err := c.look(sel)
	switch {
	case err != nil:
		return nil, fmt.Errorf("ask who owns the %s: %w", name, err)
	case now.win == 0:
		return nil, selection.ErrEmpty
	}
	o := &offer{c: c, sel: sel, seen: now, owner: selection.Owner{ID: uint64(now.win)}}
	if o.Ours() {
		return o, nil
	}
	o.owner = c.ownerOf(now.win)
	o.formats, err = o.ask(ctx)
	return o, err
}

// look asks the server for the owner; what is known of it by events may be
// older.
func (c *Conn) look(sel xproto.Atom) (seen, error) {
	r, err := xproto.GetSelectionOwner(c.x, sel).Reply()
	if err != nil {
		return seen{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.news[sel]
	if s.win != r.Owner {
		s.win, s.since = r.Owner, xproto.TimeCurrentTime
	}
	return s, nil
}

// ask asks for the targets. More than anybody has are as good as none that can
// be trusted.
func (o *offer) ask(ctx context.Context) ([]string, error) {
	d, err := o.c.fetch(ctx, o.sel, o.seen, o.c.atoms.targets, 4*maxFormats)
	var long selection.TooLong
	switch {
	case errors.As(err, &long), err == nil && d.format != 32:
		return nil, selection.ErrRefused
	case err != nil:
		return nil, err
	}
	return o.c.atoms.list(d.bytes), nil
}

func (o *offer) Formats() []string      { return o.formats }
func (o *offer) Owner() selection.Owner { return o.owner }
func (o *offer) Ours() bool             { return o.seen.win == o.c.win }

// Read asks the owner for a target; see selection.Offer. A selection that
// changed hands since its formats were looked at is ErrReplaced: the new owner
// may be a password manager. It is asked nothing, as far as can be known: the
// request carries the time at which the looked-at owner took the selection, so
// that a later one knows that it is not meant (ICCCM 2.2), and what comes
// nevertheless is thrown away.
func (o *offer) Read(ctx context.Context, format string, limit int) ([]byte, error) {
	target, err := o.c.atoms.id(format)
	if err != nil {
		return nil, fmt.Errorf("learn the name of a format: %w", err)
	}
	if err := o.same(ctx); err != nil {
		return nil, err
	}
	d, err := o.c.fetch(ctx, o.sel, o.seen, target, limit)
	if err != nil {
		return nil, err
	}
	if err := o.same(ctx); err != nil {
		return nil, err
	}
	a := o.c.atoms
	switch {
	case (target == a.utf8 || target == a.plainUTF8) && d.format != 8:
		return nil, selection.ErrRefused
	case d.kind == xproto.AtomString && target != a.utf8 && target != a.plainUTF8:
		return fromLatin1(d.bytes), nil
	}
	return d.bytes, nil
}

// same returns nil if the selection still is what its formats say. An owner
// that copied again must offer the same formats.
func (o *offer) same(ctx context.Context) error {
	now, err := o.c.look(o.sel)
	switch {
	case err != nil:
		return fmt.Errorf("ask who owns the selection: %w", err)
	case now.win == 0:
		return selection.ErrGone
	case now.win != o.seen.win:
		return selection.ErrReplaced
	case now.count == o.seen.count:
		return nil
	}
	o.seen = now
	formats, err := o.ask(ctx)
	if err == nil && !slices.Equal(formats, o.formats) {
		err = selection.ErrReplaced
	}
	return err
}

// fromLatin1 decodes STRING, which is ISO 8859-1 by definition (ICCCM 2.7.1).
func fromLatin1(data []byte) []byte {
	runes := make([]rune, len(data))
	for i, b := range data {
		runes[i] = rune(b)
	}
	return []byte(string(runes))
}
