package clip

import (
	"context"
	"errors"

	"dragoman/watch/clip/selection"
)

// Hold writes a text, calls written, and returns when another process has copied
// something, for a process that has nothing else to do but to serve the text. The
// error says what the window system did, or that ctx ended. Nothing of what
// others copy is asked for.
func (c *Clipboard) Hold(ctx context.Context, text string, written func()) error {
	moved := c.nextMove()
	if err := c.Write(ctx, text); err != nil {
		return err
	}
	written()
	for {
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
		moved = c.nextMove()
		sys, err := c.system()
		if err != nil {
			return err
		}
		// News of a copy that was made before ours may come after it.
		offer, err := sys.Offer(ctx, selection.Clipboard)
		switch {
		case err == nil && offer.Ours():
		case errors.Is(err, selection.ErrReplaced): // more news comes
		default:
			return nil
		}
	}
}

// nextMove is closed when the clipboard is filled by another process or the
// window system goes away.
func (c *Clipboard) nextMove() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.moved == nil {
		c.moved = make(chan struct{})
	}
	return c.moved
}

func (c *Clipboard) tellMove() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.moved != nil {
		close(c.moved)
		c.moved = nil
	}
}
