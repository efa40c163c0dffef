package drop

import (
	"context"
	"errors"
	"slices"
	"sync"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
)

// known are the files that nothing is to be done for, as the ledger had them
// when the folder was started. The watch leaves them out of its first look:
// with ten thousand files that are done, most of a start was to settle, open and
// look up each.
type known struct {
	mu     sync.Mutex
	files  map[string]knownFile // by path
	recipe string               // that they were compared with
}

type knownFile struct {
	attempt
	langs int // into which it is translated
}

// note takes a row of the ledger, of a file whose output is there.
func (k *known) note(row store.File) {
	now := knownFile{attempt{row.Size, row.MTime}, 1}
	k.mu.Lock()
	defer k.mu.Unlock()
	if before, ok := k.files[row.Path]; ok {
		if before.attempt != now.attempt {
			return // it was accepted at different times
		}
		now.langs += before.langs
	}
	k.files[row.Path] = now
}

// take says whether a file is known to be done in so many languages, once.
func (k *known) take(rel string, now attempt, langs int, recipe string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	f, ok := k.files[rel]
	delete(k.files, rel)
	return ok && f.attempt == now && f.langs == langs && k.recipe == recipe
}

// reset begins anew.
func (k *known) reset(recipe string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.files, k.recipe = map[string]knownFile{}, recipe
}

// recall looks at what the ledger has, before the folder is looked at. It returns
// false if it was ended.
func (d *dropFolder) recall(ctx context.Context) bool {
	if !exists(d.root) {
		return true
	}
	marked := len(markedLanguages(d.base)) > 0
	if d.settings.Place == api.PlaceBeside {
		d.untilRecorded(func() error { _, err := d.inherited(ctx); return err })
		if ctx.Err() != nil {
			return false // the folder must not be marked before that is known
		}
	}
	_ = d.lock() // told with the first file that cannot be written
	d.untilRecorded(func() error { return d.lookThrough(ctx, marked) })
	return ctx.Err() == nil
}

// rowsAtOnce is how many rows of the ledger are read in one go.
const rowsAtOnce = 1000

// lookThrough looks for rows that nothing is to be done for: because their files
// are done, or because they are gone. Without outputs the folder that should have
// them is not the one we wrote to (a disk that is not mounted, perhaps), so that
// they may come back.
func (d *dropFolder) lookThrough(ctx context.Context, outputs bool) error {
	recipe := d.recipe()
	d.known.reset(recipe)
	for last := (store.File{}); ; {
		rows, err := d.opts.Ledger.FilesAfter(ctx, d.id, last.Path, last.Lang, rowsAtOnce)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			if err := d.lookAtRow(ctx, row, recipe, outputs); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		last = rows[len(rows)-1]
	}
}

func (d *dropFolder) lookAtRow(ctx context.Context, row store.File, recipe string, outputs bool) error {
	wanted := slices.Contains(d.settings.To, row.Lang)
	closed := row.State == store.Done || row.State == store.Moved
	switch {
	case !wanted && !closed:
		row.State, row.Size, row.Error = store.Moved, -1, "" // no longer
		return d.opts.Ledger.Finish(ctx, row)
	case wanted && d.settled(row, recipe):
		if d.settings.Original == api.OriginalStay { // others are still to be moved away
			d.known.note(row)
		}
		return nil
	case closed && (!outputs || exists(row.Output)), exists(d.path(row.Path)):
		return nil
	}
	return d.retire(ctx, row.Path)
}
