package drop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
	"dragoman/watch"
	"dragoman/watch/document"
)

// batch is how many files are accepted in one transaction.
const batch = 256

// acceptAll brings what the watch has found into the ledger and the backlog.
func (d *dropFolder) acceptAll(ctx context.Context) {
	for {
		it, err := d.news.Pop(ctx)
		if err != nil {
			return
		}
		var settled []string
		for {
			switch it.Kind {
			case watch.FileSettled:
				settled = append(settled, it.Path)
			case watch.FileGone:
				d.untilRecorded(func() error { return d.gone(ctx, it.Path) })
			case watch.Rescan:
				d.source.Rescan()
			}
			if len(settled) >= batch || d.news.Len() == 0 {
				break
			}
			if it, err = d.news.Pop(ctx); err != nil {
				return
			}
		}
		if len(settled) > 0 {
			d.untilRecorded(func() error { return d.accept(ctx, settled) })
		}
		if d.news.Len() == 0 {
			d.opts.Changed() // nothing waits to be accepted any more
		}
	}
}

// untilRecorded repeats what needs the ledger until that works or the folder
// stops.
func (d *dropFolder) untilRecorded(f func() error) {
	for {
		err := f()
		switch {
		case err == nil:
			d.over(d.backlog.recovered())
			return
		case errors.Is(err, context.Canceled), errors.Is(err, store.ErrClosed):
			return
		}
		d.troubled(&trouble{err: err}, d.backlog.fail)
		if !d.sleep(d.opts.Retry) {
			return
		}
	}
}

// about says which folder a sentence is about.
func (d *dropFolder) about(err error) string { return fmt.Sprintf("drop folder %s: %v", d.root, err) }

// troubled hands trouble on and tells it once.
func (d *dropFolder) troubled(t *trouble, to func(*trouble) (news bool)) {
	if to(t) && t.what != inRoot {
		d.voice.say(aboutTrouble, "error", d.about(t.err))
	}
}

func (d *dropFolder) over(t *trouble) {
	if t != nil && t.what != inRoot {
		d.voice.over(aboutTrouble)
	}
}

// accept has rows made for what is to be translated, and puts the files into
// the backlog.
func (d *dropFolder) accept(ctx context.Context, rels []string) error {
	var rows []store.File
	var work []string
	for _, rel := range rels {
		needed, more, err := d.examine(ctx, rel)
		if err != nil {
			return err
		}
		rows = append(rows, more...)
		if needed {
			work = append(work, rel)
		}
	}
	_, refused, err := d.acceptRows(ctx, rows)
	if err != nil {
		return err
	}
	for _, row := range refused {
		d.report(row, errors.New("the name of its translation is taken by that of another file: rename it"))
		d.noteFailed(row.Path, attempt{row.Size, row.MTime})
		work = slices.DeleteFunc(work, func(rel string) bool { return rel == row.Path })
	}
	if len(work) > 0 {
		d.backlog.put(work...)
		d.opts.Changed()
	}
	return nil
}

// examine says whether something is to be done about a file, and which rows
// must be made or set back before that.
func (d *dropFolder) examine(ctx context.Context, rel string) (needed bool, rows []store.File, err error) {
	now := attemptAt(d.path(rel))
	switch {
	case now.size < 0 && !exists(d.root):
		return true, nil, nil // it waits until the folder is back
	case now.size < 0 && !exists(d.path(rel)):
		return false, nil, d.gone(ctx, rel)
	case d.hasFailed(rel, now):
		return false, nil, nil
	}
	recipe, left := d.recipe(), false
	for _, lang := range d.settings.To {
		row, err := d.opts.Ledger.File(ctx, d.id, rel, lang)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return false, nil, err
		}
		alone, failed := d.leftAlone(ctx, row, now, recipe)
		if failed != nil {
			return false, nil, failed
		}
		if alone {
			left = true
			continue
		}
		same := row.Size == now.size && row.MTime == now.mtime
		switch {
		case err == nil && same && d.settled(row, recipe):
			continue
		case err == nil && row.State == store.Pending && same && d.placed(row):
		case err == nil && row.Size == now.size && d.settled(row, recipe):
			// Only touched, perhaps: the content decides.
		default:
			if row, err = d.fresh(row, rel, lang); err != nil {
				return false, nil, err
			}
			row.Size, row.MTime = now.size, now.mtime
			rows = append(rows, row)
		}
		needed = true
	}
	return needed || (d.settings.Original != api.OriginalStay && !left), rows, nil
}

// fresh is the row to be accepted for a file, given what the ledger has. Its
// output keeps its name, unless outputs go elsewhere by now.
func (d *dropFolder) fresh(row store.File, rel, lang string) (store.File, error) {
	fresh := store.File{
		ID: row.ID, Folder: d.id, Path: rel, Lang: lang, SHA256: row.SHA256, Recipe: row.Recipe, Output: row.Output,
		Attempts: row.Attempts, Written: row.Written,
	}
	if row.Output != "" && d.placed(row) {
		return fresh, nil
	}
	name, err := d.pattern.Name(rel, lang, false)
	if err != nil {
		return fresh, err
	}
	fresh.Output = filepath.Join(d.base, filepath.FromSlash(name))
	fresh.SHA256, fresh.Recipe, fresh.Written = "", "", "" // not ours until it was written
	return fresh, nil
}

// acceptRows accepts rows, those of other folders' or inputs' names under a
// name with a hash, and returns them as the ledger has them, and apart those
// that cannot have that name either.
func (d *dropFolder) acceptRows(ctx context.Context, rows []store.File) (accepted, refused []store.File, err error) {
	if len(rows) == 0 {
		return nil, nil, nil
	}
	rows = slices.Clone(rows)
	wanted := make([]string, len(rows)) // Accept keeps the name that a row has
	for i, row := range rows {
		wanted[i] = row.Output
	}
	hashed := map[string]bool{}
	for len(rows) > 0 {
		err := d.opts.Ledger.Accept(ctx, rows)
		taken, isTaken := errors.AsType[*store.TakenError](err)
		if err != nil && !isTaken {
			return nil, nil, err
		}
		if err == nil {
			break
		}
		for _, i := range slices.Backward(taken.Files) {
			row := &rows[i]
			key := row.Lang + "/" + row.Path
			if hashed[key] {
				refused = append(refused, *row)
				rows, wanted = slices.Delete(rows, i, i+1), slices.Delete(wanted, i, i+1)
				continue
			}
			hashed[key] = true
			if row.Output, err = d.distinct(row.Path, row.Lang); err != nil {
				return nil, nil, err
			}
			wanted[i] = row.Output
		}
	}
	for i := range rows {
		if rows[i].Output == wanted[i] {
			continue
		}
		if err := d.rename(ctx, &rows[i], wanted[i]); err != nil {
			if !errors.Is(err, store.ErrTaken) {
				return nil, nil, err
			}
			refused = append(refused, rows[i])
		}
	}
	return rows, refused, nil
}

// rename gives a row another output, or one with a hash where that is taken.
func (d *dropFolder) rename(ctx context.Context, row *store.File, output string) error {
	err := d.opts.Ledger.Claim(ctx, row.ID, output)
	if errors.Is(err, store.ErrTaken) {
		if output, err = d.distinct(row.Path, row.Lang); err == nil {
			err = d.opts.Ledger.Claim(ctx, row.ID, output)
		}
	}
	if err == nil {
		row.Output = output
	}
	return err
}

// distinct is the output's path with a hash in its name.
func (d *dropFolder) distinct(rel, lang string) (string, error) {
	name, err := d.pattern.Name(rel, lang, true)
	return filepath.Join(d.base, filepath.FromSlash(name)), err
}

// placed says whether a row's output lies where it would be put now.
func (d *dropFolder) placed(row store.File) bool {
	return filepath.Dir(row.Output) == filepath.Dir(filepath.Join(d.base, filepath.FromSlash(row.Path)))
}

// settled says whether a row's output is there and was made by this recipe.
func (d *dropFolder) settled(row store.File, recipe string) bool {
	if (row.State != store.Done && row.State != store.Moved) || row.SHA256 == "" || !sameRecipe(row.Recipe, recipe) || !d.placed(row) {
		return false
	}
	info, err := os.Lstat(row.Output)
	return err == nil && info.Mode().IsRegular()
}

// gone follows an input that was removed.
func (d *dropFolder) gone(ctx context.Context, rel string) error {
	if d.backlog.drop(rel) {
		return nil // whoever works on it will see
	}
	d.forgetFailed(rel)
	return d.retire(ctx, rel)
}

// retire closes the rows of an input that is no longer there. They are kept as
// long as there are outputs, in whatever language and place, so that those are
// not taken for inputs even when they are changed.
func (d *dropFolder) retire(ctx context.Context, rel string) error {
	if !exists(d.root) {
		return nil // all may come back
	}
	d.mu.Lock()
	delete(d.unsure, rel)
	d.mu.Unlock()
	rows, err := d.opts.Ledger.Files(ctx, store.FileQuery{Folder: d.id, Path: rel})
	if err != nil {
		return err
	}
	keep, err := d.anyOutput(ctx, rel, rows)
	if err != nil {
		return err
	}
	switch {
	case len(rows) == 0:
		return nil
	case !keep:
		err := d.opts.Ledger.Forget(ctx, d.id, rel)
		d.opts.Changed()
		return err
	}
	for _, row := range rows {
		if row.State == store.Done || row.State == store.Moved {
			continue
		}
		// The size matches none, should a file of that name come back.
		row.State, row.Size, row.Error = store.Moved, -1, ""
		if err := d.opts.Ledger.Finish(ctx, row); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		d.opts.Changed()
	}
	return nil
}

// anyOutput says whether an output of an input is there, or in a folder that is
// not there itself (a disk that is not mounted, perhaps).
func (d *dropFolder) anyOutput(ctx context.Context, rel string, rows []store.File) (bool, error) {
	outputs, err := d.opts.Ledger.Claims(ctx, d.id, rel)
	if err != nil {
		return false, err
	}
	if len(outputs) == 0 {
		return false, nil
	}
	at := newLocator()
	for _, output := range outputs {
		if !exists(output) {
			folder := filepath.Dir(output)
			if at.leadsInto(output, d.base) {
				folder = d.base
			}
			if exists(folder) {
				continue
			}
		}
		if slices.ContainsFunc(rows, func(row store.File) bool { return row.Output == output && owned(row) }) {
			return true, nil
		}
		_, ours, err := d.opts.Ledger.IsOutput(ctx, output, at.placeOf(output))
		if err != nil || ours {
			return ours, err
		}
	}
	return false, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// owned says whether what lies at a row's output was put there by us: it was
// finished once, or was about to be written, see put.
func owned(row store.File) bool { return row.SHA256 != "" || row.Recipe != "" }

// recipe is what shapes outputs now.
func (d *dropFolder) recipe() string { return d.recipeOf(d.opts.Recipe()) }

// recipeOf is what shapes the outputs of a model, "" while there is none.
func (d *dropFolder) recipeOf(model string) string {
	if model == "" {
		return ""
	}
	recipe := d.settings.From + " " + model
	if s := d.settings; s.Encoding != "" || len(s.JSONPaths) > 0 || len(s.Columns) > 0 {
		recipe += fmt.Sprintf(" reading %q %q %q", s.Encoding, s.JSONPaths, s.Columns)
	}
	return recipe
}

// sameRecipe: what is not known yet is taken to be the same.
func sameRecipe(had, now string) bool { return now == "" || had == now }

// hasFailed says whether the file failed in this run in the state it has, and
// has no row that tells.
func (d *dropFolder) hasFailed(rel string, now attempt) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	before, known := d.failed[rel]
	return known && before == now
}

func (d *dropFolder) noteFailed(rel string, in attempt) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failed[rel] = in
}

func (d *dropFolder) forgetFailed(rel string) {
	d.mu.Lock()
	delete(d.failed, rel)
	d.mu.Unlock()
	d.failing.mended(rel, d.settings.To...)
}

// setStamp says which content a row is about.
func setStamp(row *store.File, s document.Stamp) {
	row.Size, row.MTime, row.SHA256 = s.Size, s.ModTime.UnixNano(), s.SHA256
}
