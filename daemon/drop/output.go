package drop

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
	"dragoman/watch"
	"dragoman/watch/document"
	"dragoman/watch/ledger"
)

// ledgerError tells an error of the ledger from one of writing.
type ledgerError struct{ error }

// put writes an output to the place that its row has claimed.
//
// A file that is there already is replaced only if the row says that it is
// ours: a translation was finished there before, or one was about to be written
// when the process ended. The latter is recorded (by a recipe in a pending row)
// after the place was seen to be free and before the file appears. Any other
// file is the user's, or an output whose row was lost. It is left alone; if it
// has the very content that would be written it becomes ours, else the output
// gets another name.
func (d *dropFolder) put(ctx context.Context, row *store.File, recipe string, data []byte, mode fs.FileMode) error {
	if err := d.lock(); err != nil {
		return &trouble{err: err, what: inOutput}
	}
	if err := d.makeFolders(row.Output); err != nil {
		return err
	}
	if owned(*row) {
		return document.WriteAtomic(row.Output, data, mode)
	}
	if !exists(row.Output) {
		if err := d.begin(ctx, row, recipe); err != nil {
			return err
		}
		err := document.WriteNew(row.Output, data, mode)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	if holds(row.Output, data) {
		return nil
	}
	other, err := d.distinct(row.Path, row.Lang)
	if err != nil {
		return err
	}
	if err := d.opts.Ledger.Claim(ctx, row.ID, other); err != nil {
		if errors.Is(err, store.ErrTaken) {
			return errors.New("another file has the name of its translation: rename one of them")
		}
		return ledgerError{err}
	}
	row.Output = other
	if err := d.begin(ctx, row, recipe); err != nil {
		return err
	}
	// The hash in the name says that whatever is there is ours.
	return document.WriteAtomic(other, data, mode)
}

// begin records that what appears at the row's output is ours.
func (d *dropFolder) begin(ctx context.Context, row *store.File, recipe string) error {
	if row.Recipe = recipe; recipe == "" {
		row.Recipe = "unknown"
	}
	rows := []store.File{*row}
	if err := d.opts.Ledger.Accept(ctx, rows); err != nil {
		return ledgerError{err}
	}
	*row = rows[0]
	return nil
}

// holds says whether a regular file at path has exactly this content.
func holds(path string, data []byte) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return false
	}
	there, err := os.ReadFile(path)
	return err == nil && bytes.Equal(there, data)
}

// makeFolders makes what is missing between the output folder and an output.
func (d *dropFolder) makeFolders(output string) error {
	below, err := filepath.Rel(d.base, output)
	if err != nil {
		return err
	}
	return document.MakeFolders(d.base, filepath.ToSlash(below))
}

// lock keeps other processes, such as `dragoman watch`, from writing to the
// same folder in the same language, and marks the folder as one of outputs.
// Temporary files that killed processes left are removed when it is taken. A
// folder that was replaced since is locked anew.
func (d *dropFolder) lock() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	// The folder must not have become the watched one, by a link, or every
	// output would be a new input.
	if d.settings.Place != api.PlaceBeside {
		output, outputErr := os.Stat(d.base)
		root, rootErr := os.Stat(d.root)
		if outputErr == nil && rootErr == nil && os.SameFile(output, root) {
			return &document.WriteError{Dir: d.base, Err: errors.New("it leads to the watched folder itself: remove the link")}
		}
	}
	taken := false
	for _, lang := range d.settings.To {
		if held := d.locks[lang]; held != nil {
			if held.Held() {
				continue
			}
			_ = held.Release() // of a folder that is gone
			delete(d.locks, lang)
		}
		lock, err := ledger.TakeLock(d.base, lang)
		if err != nil {
			return err
		}
		d.locks[lang], taken = lock, true
	}
	if !taken {
		return nil
	}
	clean := document.CleanFolderTemps // outputs are at the top only
	if d.settings.Recursive {
		clean = document.CleanTemps
	}
	_, err := clean(d.base)
	if done := filepath.Join(d.root, document.DoneDir); err == nil && d.settings.Original == api.OriginalDone {
		_, err = document.CleanTemps(done)
	}
	if err != nil {
		return &document.WriteError{Dir: d.base, Err: err}
	}
	return nil
}

// marked says whether the output folder is there and was written to by us.
func (d *dropFolder) marked() bool {
	for _, lang := range d.settings.To {
		if exists(filepath.Join(d.base, watch.OwnPrefix+"."+lang+".lock")) {
			return true
		}
	}
	return false
}
