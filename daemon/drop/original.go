package drop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
	"dragoman/watch/document"
)

// moveAway does what is wanted with an original that was translated into all
// languages. A kill before it makes the next start find the original with its
// outputs up to date and come here again; one after it finds no original.
func (d *dropFolder) moveAway(ctx context.Context, rel string, s document.Stamp) error {
	moved, err := false, error(nil)
	switch d.settings.Original {
	case api.OriginalDone:
		var to string
		to, err = document.MoveDone(d.root, rel, s)
		moved = to != ""
	case api.OriginalBin:
		err = document.MoveToBin(d.path(rel), s)
		moved = !exists(d.path(rel))
	default:
		return nil
	}
	switch {
	case errors.Is(err, document.ErrChanged):
		return nil // told again when it has settled
	case err != nil:
		d.cannotMove(rel, err)
		return nil
	case !moved:
		return nil // a link stays
	}
	d.canMove(rel)
	for _, lang := range d.settings.To {
		row, err := d.opts.Ledger.File(ctx, d.id, rel, lang)
		if err == nil && row.State == store.Done {
			row.State = store.Moved
			err = d.opts.Ledger.Finish(ctx, row)
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	return nil
}

// movePause is how long originals wait that could not be moved away.
const movePause = 10 * time.Minute

// cannotMove tells once that originals stay, and tries one of them now and then.
func (d *dropFolder) cannotMove(rel string, err error) {
	d.mu.Lock()
	first, news := len(d.unmoved) == 0, !d.told
	d.unmoved[rel] = struct{}{}
	d.told = true
	d.mu.Unlock()
	if news {
		d.voice.say(aboutOriginals, "warning", d.about(fmt.Errorf("originals stay where they are: %w", err)))
	}
	if first {
		time.AfterFunc(movePause, func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			for rel := range d.unmoved {
				clear(d.unmoved)
				d.backlog.put(rel)
				return
			}
		})
	}
}

// canMove looks again at all originals once one could be moved.
func (d *dropFolder) canMove(rel string) {
	d.mu.Lock()
	delete(d.unmoved, rel)
	again := d.told
	d.told = false
	d.mu.Unlock()
	if again {
		d.voice.over(aboutOriginals)
		d.rescan()
	}
}
