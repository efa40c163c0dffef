package drop

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
	"dragoman/watch/document"
	"dragoman/watch/ledger"
)

// ledgerError tells an error of the ledger from one of writing.
type ledgerError struct{ error }

// put writes an output to the place that its row has claimed.
//
// A file that is there already is replaced only if its content is what we wrote:
// the ledger has the checksum of that, and from before a write on also of what is
// being written, so that it is known after a kill. Any other file is the user's,
// be it a translation that was corrected by hand, or an output whose row was
// lost. It is left alone; if it has the very content that would be written it
// becomes ours, else the output gets another name.
func (d *dropFolder) put(ctx context.Context, row *store.File, recipe string, data []byte, mode fs.FileMode) error {
	if err := d.lock(); err != nil {
		return &trouble{err: err, what: inOutput}
	}
	folder, err := d.refuseOutput(row.Output)
	if err != nil {
		return err
	}
	if err := d.makeFolders(row.Output); err != nil {
		return err
	}
	sum := checksum(data)
	err = d.write(ctx, row, folder, recipe, data, mode, sum)
	if errors.Is(err, errNotOurs) {
		if err = d.another(ctx, row); err == nil {
			err = d.write(ctx, row, folder, recipe, data, mode, sum)
		}
	}
	if errors.Is(err, errNotOurs) {
		return fmt.Errorf("%s was changed by hand and is kept: move it away to have the file translated again", row.Output)
	}
	if err == nil {
		row.Written = sum
	}
	return err
}

// errNotOurs is the error of an output whose place has another file.
var errNotOurs = errors.New("another file is in the output's place")

// write writes an output, unless what is in its place is not ours. folder is the
// spot of the one that it is in.
func (d *dropFolder) write(ctx context.Context, row *store.File, folder spot, recipe string, data []byte, mode fs.FileMode, sum string) error {
	row.Place = folder.join(filepath.Base(row.Output)).path
	there, err := document.StampOf(row.Output)
	missing := errors.Is(err, fs.ErrNotExist)
	ours := strings.Fields(row.Written)
	if err == nil && there.SHA256 != sum && !slices.Contains(ours, there.SHA256) {
		// Written by a row that is no longer there, or by another folder once.
		before, err := d.opts.Ledger.WrittenTo(ctx, row.Place)
		if err != nil {
			return ledgerError{err}
		}
		ours = append(ours, before...)
	}
	switch {
	case err == nil && there.SHA256 == sum:
		return nil
	case err == nil && !slices.Contains(ours, there.SHA256):
		return errNotOurs
	case err != nil && !missing:
		if _, err := os.Lstat(row.Output); err != nil {
			return &document.WriteError{Dir: filepath.Dir(row.Output), Err: err}
		}
		return errNotOurs // a folder, or a file that we may not read
	}
	if !slices.Contains(strings.Fields(row.Written), sum) {
		row.Written = strings.TrimSpace(row.Written + " " + sum)
		if err := d.begin(ctx, row, recipe); err != nil {
			return err
		}
	}
	if !missing {
		return document.WriteAtomic(row.Output, data, mode)
	}
	err = document.WriteNew(row.Output, data, mode)
	if errors.Is(err, fs.ErrExist) {
		return errNotOurs
	}
	return err
}

// another gives a row a name with a hash, and says so where the user changed
// what had the first.
func (d *dropFolder) another(ctx context.Context, row *store.File) error {
	other, err := d.distinct(row.Path, row.Lang)
	if err != nil || other == row.Output {
		return errors.Join(err, errNotOurs)
	}
	if err := d.opts.Ledger.Claim(ctx, row.ID, other); err != nil {
		if errors.Is(err, store.ErrTaken) {
			return errors.New("another file has the name of its translation: rename one of them")
		}
		return ledgerError{err}
	}
	if row.Written != "" {
		d.notify("info", fmt.Sprintf("%s was changed by hand and is kept; the new translation is %s", row.Output, other))
	}
	row.Output = other
	return nil
}

// checksum is that of a document's stamp.
func checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
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
	d.locking.Lock()
	defer d.locking.Unlock()
	taken := false
	for _, lang := range d.settings.To {
		if held := d.locks[lang]; held != nil {
			if held.Held() {
				continue
			}
			_ = held.Release() // of a folder that is gone
			delete(d.locks, lang)
		}
		if !taken {
			if err := d.refuseBase(); err != nil {
				return err
			}
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
	if d.settings.Original == api.OriginalBin {
		if _, err := document.BringBack(d.root, d.settings.Recursive); err != nil {
			return err
		}
	}
	return nil
}
