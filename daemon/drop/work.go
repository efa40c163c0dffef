package drop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
	"dragoman/watch/document"
	"dragoman/watch/folder"
)

// A file that cannot be read is tried again after readPause, twice that and so
// on; after readTries it counts as failed.
const (
	readPause = time.Second
	readTries = 5
)

// errUnreadable is a reason to read a file again a little later.
type errUnreadable struct{ error }

// work takes files from the backlog until ctx ends.
func (d *dropFolder) work(ctx context.Context) {
	for {
		during, j, trying := d.backlog.take(ctx)
		if j == nil {
			return
		}
		wrote, err := d.file(during, j, trying)
		if ctx.Err() != nil {
			return
		}
		d.ended(ctx, j, wrote, err)
		d.opts.Changed()
	}
}

// ended gives a file back to the backlog, or takes it out.
func (d *dropFolder) ended(ctx context.Context, j *job, wrote bool, err error) {
	if unreadable, ok := errors.AsType[errUnreadable](err); ok {
		if j.tries < readTries {
			d.backlog.later(j, readPause<<j.tries)
			return
		}
		_, err = d.failAll(ctx, j.rel, unreadable, attemptAt(d.path(j.rel)))
		time.AfterFunc(d.opts.Rescan, func() {
			if ctx.Err() == nil {
				d.see(j.rel)
			}
		})
	}
	if err == nil {
		d.over(d.backlog.done(j, wrote))
		return
	}
	t := asTrouble(err)
	if t == nil {
		t = &trouble{err: err} // of the ledger; the row stays pending
	}
	d.troubled(t, func(t *trouble) bool { return d.backlog.troubled(j, t) })
}

// file does all that is left to do for one file. Trouble of the whole folder is
// a *trouble, any other error one of the ledger.
func (d *dropFolder) file(ctx context.Context, j *job, trying *trouble) (wrote bool, err error) {
	now := attemptAt(d.path(j.rel))
	doc, err := reading(d.settings).Open(d.path(j.rel))
	switch {
	case errors.Is(err, document.ErrChanged):
		return false, nil // told again when it has settled
	case errors.Is(err, fs.ErrNotExist) && !exists(d.root):
		return false, &trouble{err: fmt.Errorf("read %s: %w", d.root, folder.ErrMissing), what: inRoot}
	case errors.Is(err, fs.ErrNotExist):
		d.forgetFailed(j.rel)
		return false, d.retire(ctx, j.rel)
	case err != nil && readAgain(err):
		return false, errUnreadable{err}
	case err != nil:
		_, err = d.failAll(ctx, j.rel, err, now)
		return false, err
	}
	complete := true
	for _, lang := range d.settings.To {
		ok, w, err := d.translate(ctx, j.rel, lang, doc, trying)
		wrote = wrote || w
		if context.Cause(ctx) == errCancelled {
			_, err = d.failAll(context.WithoutCancel(ctx), j.rel, errCancelled, now)
			return wrote, err
		}
		if err != nil {
			return wrote, err
		}
		complete = complete && ok
	}
	if complete {
		d.forgetFailed(j.rel)
		return wrote, d.moveAway(ctx, j.rel, doc.Stamp)
	}
	return wrote, nil
}

// readAgain says whether an error of reading may pass: what the system reports,
// but nothing about what is in the file.
func readAgain(err error) bool {
	_, system := errors.AsType[syscall.Errno](err)
	return system
}

// translate brings the translation of one file into one language up to date.
func (d *dropFolder) translate(ctx context.Context, rel, lang string, doc *document.Document, trying *trouble) (ok, wrote bool, err error) {
	row, err := d.opts.Ledger.File(ctx, d.id, rel, lang)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return false, false, err
	}
	recipe := d.recipe()
	in := attempt{doc.Stamp.Size, doc.Stamp.ModTime.UnixNano()}
	if left, err := d.leftAlone(ctx, row, in, recipe); left || err != nil {
		return false, false, err
	}
	if err == nil && row.SHA256 == doc.Stamp.SHA256 && d.settled(row, recipe) {
		return true, false, d.touched(ctx, row, doc.Stamp)
	}
	if row, err = d.pending(ctx, row, rel, lang, doc.Stamp); err != nil || row.ID == 0 {
		return false, false, err
	}
	if trying != nil && trying.what == inOutput { // rather than translate in vain
		err := d.refuseBase()
		if err == nil {
			err = d.lock()
		}
		if err == nil {
			err = document.CheckWritable(d.base, int(doc.Stamp.Size))
		}
		if err != nil {
			return false, false, &trouble{err: err, what: inOutput}
		}
	}
	data, model, err := d.translated(ctx, row, doc)
	switch {
	case model != "":
		recipe = d.recipeOf(model) // another may have been loaded meanwhile
	case recipe == "":
		recipe = d.recipe()
	}
	switch {
	case err == nil:
		err = d.put(ctx, &row, recipe, data, doc.Mode)
	case ctx.Err() != nil:
		return false, false, err
	case errors.Is(err, api.ErrNoModel), errors.Is(err, api.ErrBusy):
		return false, false, &trouble{err: err, what: inModel}
	}
	if t := blocked(err); t != nil {
		return false, false, t
	}
	if inLedger, ok := errors.AsType[ledgerError](err); ok {
		return false, false, inLedger.error
	}
	if err != nil {
		return false, false, d.fail(ctx, row, err, in, d.triedWith(row, doc.Stamp.SHA256))
	}
	setStamp(&row, doc.Stamp)
	row.State, row.Error, row.Tried, row.Recipe, row.Finished = store.Done, "", "", recipe, time.Time{}
	row.Attempts++
	if err := d.opts.Ledger.Finish(ctx, row); err != nil && !errors.Is(err, store.ErrNotFound) {
		return false, true, err
	}
	d.failing.mended(rel, lang)
	d.tellNotes(rel, doc.Notes)
	d.report(row, nil)
	return true, true, nil
}

// blocked says whether an error of writing is trouble of the whole folder.
func blocked(err error) *trouble {
	if t := asTrouble(err); t != nil {
		return t
	}
	if write, ok := errors.AsType[*document.WriteError](err); ok && !document.InTheWay(write) {
		return &trouble{err: err, what: inOutput}
	}
	return nil
}

// pending is the row of a file that will be translated now. Its ID is 0 where
// there can be none, which has been told.
func (d *dropFolder) pending(ctx context.Context, row store.File, rel, lang string, s document.Stamp) (store.File, error) {
	if row.State == store.Pending && d.placed(row) {
		return row, nil
	}
	row, err := d.fresh(row, rel, lang)
	if err != nil {
		return row, err
	}
	row.Size, row.MTime = s.Size, s.ModTime.UnixNano()
	accepted, refused, err := d.acceptRows(ctx, []store.File{row})
	if err != nil || len(accepted) == 0 || len(refused) > 0 {
		return store.File{}, err
	}
	return accepted[0], nil
}

// touched gives a row the file's new time, so that the next look is quick.
func (d *dropFolder) touched(ctx context.Context, row store.File, s document.Stamp) error {
	if row.MTime == s.ModTime.UnixNano() && row.Size == s.Size {
		return nil
	}
	setStamp(&row, s)
	return d.opts.Ledger.Finish(ctx, row)
}

// report tells what became of a file.
func (d *dropFolder) report(row store.File, cause error) {
	j := api.Job{
		ID: row.ID, Kind: api.JobFile, State: api.JobDone, Lane: api.LaneBatch, Origin: api.OriginFolder,
		From: d.settings.From, To: row.Lang, Folder: d.id, Path: row.Path, Output: row.Output, Accepted: row.Accepted, Finished: time.Now(),
	}
	if cause != nil {
		j.State, j.Error = api.JobFailed, cause.Error()
		if errors.Is(cause, errCancelled) {
			j.State = api.JobCancelled
		} else {
			d.failing.add(row.Path, row.Lang, fmt.Sprintf("translate %s to %s: %v", d.path(row.Path), row.Lang, cause))
		}
	}
	d.opts.Done(j)
}
