package clip

import (
	"context"
	"errors"
	"time"

	"dragoman/watch/clip/selection"
)

// markLimit is how many bytes of a mark's value are looked at.
const markLimit = 64

// look applies the rules, in an order in which the text is asked for last.
func (c *Clipboard) look(ctx context.Context, sys selection.System, options Options, name selection.Name, change selection.Change) (Copy, error) {
	n := Copy{Selection: name, Time: change.Seen, Stamp: change.Stamp, Missed: change.Merged}
	offer, err := sys.Offer(ctx, name)
	if offer != nil {
		n.Owner = offer.Owner()
	}
	if err != nil {
		return skipped(n, err)
	}
	if offer.Ours() {
		n.Skip = Own
		return n, nil
	}
	if excluded(n.Owner, options.Exclude) {
		n.Skip = Excluded
		return n, nil
	}
	r, ask := marked(offer.Formats())
	if n.Skip = r; r != Accepted {
		return n, nil
	}
	for _, mark := range ask {
		value, err := offer.Read(ctx, mark, markLimit)
		if err != nil && errors.Is(err, selection.ErrGone) {
			return skipped(n, err)
		}
		if err != nil || denied(value) {
			n.Skip = Secret
			return n, nil
		}
	}
	format, r := kind(offer.Formats())
	if n.Skip = r; r != Accepted {
		return n, nil
	}
	data, err := offer.Read(ctx, format, options.MaxBytes)
	if err == nil && len(data) == 0 {
		// A remote desktop announces a text before it has come across.
		select {
		case <-time.After(rereadPause):
			data, err = offer.Read(ctx, format, options.MaxBytes)
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if err != nil {
		return skipped(n, err)
	}
	n.Size = len(data)
	text, ok := clean(data)
	switch {
	case !ok:
		n.Skip = Garbled
	case text == "":
		n.Skip = Empty
	case c.own.has(text, n.Time):
		n.Skip = Own
	default:
		n.Text = text
	}
	return n, nil
}

// rereadPause is what an owner gets to fill an empty text.
const rereadPause = 50 * time.Millisecond

// skipped turns what an owner did into a reason, and leaves errors of the
// window system.
func skipped(n Copy, err error) (Copy, error) {
	var long selection.TooLong
	switch {
	case errors.As(err, &long):
		n.Skip, n.Size = TooLong, long.Size
	case errors.Is(err, selection.ErrEmpty):
		n.Skip = Empty
	case errors.Is(err, selection.ErrHung):
		n.Skip = Hung
	case errors.Is(err, selection.ErrGone):
		n.Skip = Gone
	case errors.Is(err, selection.ErrRefused):
		n.Skip = Refused
	default:
		return n, err
	}
	return n, nil
}
