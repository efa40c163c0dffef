package drop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
	"dragoman/watch/document"
	"dragoman/watch/folder"
)

// moveAway does what is wanted with an original that was translated into all
// languages. A kill before it makes the next start find the original with its
// outputs up to date and come here again; one after it finds no original.
func (d *dropFolder) moveAway(ctx context.Context, rel string, s document.Stamp) error {
	if d.settings.Original == api.OriginalStay || !d.complete(rel, s) {
		return nil
	}
	moved, err := false, error(nil)
	switch d.settings.Original {
	case api.OriginalDone:
		var to string
		to, err = document.MoveDone(d.root, rel, s)
		moved = to != ""
	case api.OriginalBin:
		err = document.MoveToBin(d.path(rel), s)
		moved = !exists(d.path(rel))
	}
	switch {
	case errors.Is(err, document.ErrChanged):
		d.lookAgain(rel, d.opts.Retry) // if the watch does not tell when it has settled
		return nil
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

// complete says whether nobody has an original open for writing, and has it
// looked at again later if not. Where the system does not tell, the original must
// have stayed as it is for Options.Unsure since it was translated.
func (d *dropFolder) complete(rel string, s document.Stamp) bool {
	open, known := folder.OpenForWriting(d.path(rel))
	d.mu.Lock()
	defer d.mu.Unlock()
	if known {
		delete(d.unsure, rel)
		if open {
			d.lookAgain(rel, d.opts.Retry)
		}
		return !open
	}
	since, waits := d.unsure[rel]
	if !waits || since.stamp != s {
		since = unsureSince{s, time.Now()}
		d.unsure[rel] = since
	}
	if left := d.opts.Unsure - time.Since(since.at); left > 0 {
		d.lookAgain(rel, left)
		return false
	}
	delete(d.unsure, rel)
	return true
}

// unsureSince is since when an original has stayed as it is.
type unsureSince struct {
	stamp document.Stamp
	at    time.Time
}

// lookAgain has a file worked on after a pause: what is up to date is only
// compared.
func (d *dropFolder) lookAgain(rel string, pause time.Duration) {
	time.AfterFunc(pause, func() { d.backlog.put(rel) })
}

// movePause is how long originals wait that could not be moved away.
const movePause = 10 * time.Minute

// cannotMove tells once that originals stay, and tries one of them now and then.
func (d *dropFolder) cannotMove(rel string, err error) {
	d.mu.Lock()
	first := len(d.unmoved) == 0
	d.unmoved[rel] = struct{}{}
	d.mu.Unlock()
	d.voice.sayFirst(aboutOriginals, "warning", d.about(fmt.Errorf("originals stay where they are: %w", err)))
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
	d.mu.Unlock()
	if d.voice.over(aboutOriginals) {
		d.rescan()
	}
}
