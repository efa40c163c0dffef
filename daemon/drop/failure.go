package drop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"dragoman/daemon/store"
	"dragoman/watch"
	"dragoman/watch/document"
)

// tried is what a file failed with: the ledger keeps it, since the same would
// fail again, at each start. Where it could not even be read as a document, or
// is not wanted any more, that is its content alone.
type tried struct {
	SHA256 string `json:"sha256,omitempty"` // of the input, "" where it was not read
	Recipe string `json:"recipe,omitempty"` // "" while there was no model
	Base   string `json:"base,omitempty"`   // where outputs went; "" where only the content counts
	Name   string `json:"name,omitempty"`   // their pattern
	There  string `json:"there,omitempty"`  // what lay in the output's place
}

// triedWith describes how the content of sum was translated for a row.
func (d *dropFolder) triedWith(row store.File, sum string) tried {
	return tried{SHA256: sum, Recipe: d.recipe(), Base: d.base, Name: d.settings.Name, There: there(row.Output)}
}

// there tells apart what may lie in an output's place.
func there(output string) string {
	info, err := os.Lstat(output)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%v %d %d", info.Mode().Type(), info.Size(), info.ModTime().UnixNano())
}

// leftAlone says whether nothing is to be done for a row because that has failed
// already, or because a user cancelled it.
func (d *dropFolder) leftAlone(ctx context.Context, row store.File, now attempt, recipe string) (bool, error) {
	if row.State != store.Cancelled && (row.State != store.Failed || row.Tried == "") || row.Size != now.size {
		return false, nil
	}
	var before tried
	_ = json.Unmarshal([]byte(row.Tried), &before) // a row from a damaged database has none
	if before.Base != "" {
		after := d.triedWith(row, before.SHA256)
		if sameRecipe(before.Recipe, recipe) {
			after.Recipe = before.Recipe
		}
		if after != before {
			return false, nil
		}
	}
	if row.MTime == now.mtime {
		return true, nil
	}
	if before.SHA256 == "" || before.SHA256 != contentOf(d.path(row.Path), now.size) {
		return false, nil
	}
	row.MTime = now.mtime // it was only touched; the next look is quick
	err := d.opts.Ledger.Finish(ctx, row)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return true, err
}

// contentOf is the checksum of a file, "" where it cannot be read, or where the
// reading would take long: no such file is translated.
func contentOf(path string, size int64) string {
	if size > document.DefaultLimit {
		return ""
	}
	s, err := document.StampOf(path)
	if err != nil {
		return ""
	}
	return s.SHA256
}

// errCancelled is why a user gave a file up.
var errCancelled = errors.New("cancelled")

// failAll marks what is not done of a file as failed, and says how many rows
// that were.
func (d *dropFolder) failAll(ctx context.Context, rel string, cause error, in attempt) (marked int, err error) {
	sum := ""
	for _, lang := range d.settings.To {
		row, err := d.opts.Ledger.File(ctx, d.id, rel, lang)
		if errors.Is(err, store.ErrNotFound) || (err == nil && row.State != store.Pending) {
			continue
		}
		if sum == "" && in.size >= 0 {
			sum = contentOf(d.path(rel), in.size)
		}
		if err == nil {
			err = d.fail(ctx, row, cause, in, tried{SHA256: sum})
		}
		if err != nil {
			return marked, err
		}
		marked++
	}
	return marked, nil
}

// fail marks one translation as failed, once, given the state the file was in and
// what it was tried with. See leftAlone for when it is tried again.
func (d *dropFolder) fail(ctx context.Context, row store.File, cause error, in attempt, with tried) error {
	row.State, row.Error, row.Tried, row.Finished = store.Failed, cause.Error(), "", time.Time{}
	if in.size >= 0 {
		row.Size, row.MTime = in.size, in.mtime
	}
	if errors.Is(cause, errCancelled) {
		row.State = store.Cancelled
		d.failing.mended(row.Path, row.Lang)
	}
	if !passes(cause) {
		words, err := json.Marshal(with)
		if err != nil {
			return err
		}
		row.Tried = string(words)
	}
	row.Attempts++
	if err := d.opts.Ledger.Finish(ctx, row); err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	d.report(row, cause)
	return nil
}

// passes says whether a failure may pass without anything changing that we see.
func passes(cause error) bool {
	_, is := errors.AsType[errUnreadable](cause)
	return is
}

// retry has a file tried again that has failed or was cancelled.
func (d *dropFolder) retry(ctx context.Context, rel string) error {
	var rows []store.File
	for _, lang := range d.settings.To {
		row, err := d.opts.Ledger.File(ctx, d.id, rel, lang)
		switch {
		case errors.Is(err, store.ErrNotFound):
		case err != nil:
			return err
		case row.State == store.Failed, row.State == store.Cancelled:
			row.Accepted = time.Time{} // now
			rows = append(rows, row)
		}
	}
	if len(rows) > 0 {
		if err := d.opts.Ledger.Accept(ctx, rows); err != nil {
			return err
		}
	}
	d.forgetFailed(rel)
	d.see(rel)
	return nil
}

// retryFailed has all files tried again that failed.
func (d *dropFolder) retryFailed(ctx context.Context) error {
	d.mu.Lock()
	clear(d.failed)
	d.mu.Unlock()
	return d.opts.Ledger.RetryFailed(ctx, d.id)
}

// see has a file looked at.
func (d *dropFolder) see(rel string) {
	d.news.Push(watch.Item{Kind: watch.FileSettled, Root: d.root, Path: rel, Seen: time.Now()})
}

// cancel gives a file up that waits or is in work, and says whether there was
// anything of it to give up. It is on the disk before whoever works is told.
func (d *dropFolder) cancel(ctx context.Context, rel string) (bool, error) {
	marked, err := d.failAll(ctx, rel, errCancelled, attemptAt(d.path(rel)))
	known := d.backlog.abort(rel, errCancelled)
	return known || marked > 0, err
}
