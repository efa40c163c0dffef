package ledger

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"dragoman/watch"
	"dragoman/watch/document"
)

// Lock keeps other processes from translating into the same folder and
// language. Its file also marks the folder as one of translations, which
// watch/folder never takes for input.
type Lock struct {
	f *flock.Flock
}

// TakeLock makes outputDir (not its parent) if needed and takes its lock for
// lang. It returns ErrBusy where another process holds it and a
// *document.WriteError where the folder cannot be written.
func TakeLock(outputDir, lang string) (*Lock, error) {
	base, err := ownName(outputDir, lang)
	if err != nil {
		return nil, err
	}
	if err := document.MakeFolders(outputDir, "x"); err != nil {
		return nil, err
	}
	l := &Lock{f: flock.New(base+".lock", flock.SetPermissions(0o600))}
	// Some network file systems cannot lock; then the user sees to it that
	// there is one process. A folder that cannot be written shows here too.
	locked, err := l.f.TryLock()
	switch {
	case err != nil && !noLocks(err):
		return nil, &document.WriteError{Dir: outputDir, Err: err}
	case err == nil && !locked:
		l.f.Close()
		return nil, fmt.Errorf("translate into %s: %w to %q; stop it first", outputDir, ErrBusy, lang)
	}
	return l, nil
}

// Held says whether the lock's file still is where it was taken: a folder that
// was removed or replaced has to be locked anew.
func (l *Lock) Held() bool {
	open, err := l.f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(l.f.Path())
	return err == nil && os.SameFile(open, named)
}

// Release lets another process take the lock. The file stays, as the mark of
// the folder.
func (l *Lock) Release() error { return l.f.Close() }

// ownName is how the names of our files for lang in outputDir begin.
func ownName(outputDir, lang string) (string, error) {
	if _, err := document.OutputName("x", lang, false); err != nil {
		return "", fmt.Errorf("open the ledger of %s: %q is not a language code", outputDir, lang)
	}
	return filepath.Join(outputDir, watch.OwnPrefix+"."+lang), nil
}
