package drop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
	"dragoman/watch"
	"dragoman/watch/document"
)

// own says whether rel is not to be translated since it is an output that lies
// among the inputs, of whichever folder and settings.
func (d *dropFolder) own(ctx context.Context, rel string) bool {
	is, err := d.isOutput(ctx, rel)
	if err != nil {
		// It is looked at again later: an output taken for an input would be
		// worse than to wait.
		time.AfterFunc(d.opts.Retry, d.rescan)
		return true
	}
	return is
}

// isOutput asks the ledger who claims a file's name, and else whether the file
// still is what was written to its place. Only for outputs that the ledger may not
// know of is there nothing but the name to go by, and what lies beside the file.
func (d *dropFolder) isOutput(ctx context.Context, rel string) (bool, error) {
	path := d.path(rel)
	place := d.place.of(d.root, rel)
	claimed, written, err := d.opts.Ledger.IsOutput(ctx, path, place)
	switch {
	case err != nil:
		return false, err
	case claimed && written:
		return true, nil
	case claimed:
		row, err := d.opts.Ledger.Claimant(ctx, path)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return false, err
		}
		// A translation that was corrected by hand, or a file that was there
		// before and keeps the translation from having this name.
		if err == nil && !(owned(row) && row.Output == path) {
			d.passOver(rel)
		}
		return true, nil
	case written:
		sums, err := d.opts.Ledger.WrittenTo(ctx, place)
		if err != nil {
			return false, err
		}
		if there, err := document.StampOf(path); err == nil && slices.Contains(sums, there.SHA256) {
			return true, nil
		}
	}
	if d.settings.Place != api.PlaceBeside {
		return false, nil
	}
	inherited, err := d.inherited(ctx)
	if err != nil {
		return false, err
	}
	if d.looksOwn(rel, inherited) {
		d.passOver(rel)
		return true, nil
	}
	return false, nil
}

// looksOwn says whether rel has the name that the output of a file beside it
// would have, which may have been moved away since. Where there may be outputs
// that the ledger does not know of, that file may be gone, and the name is enough.
func (d *dropFolder) looksOwn(rel string, inherited bool) bool {
	for _, named := range d.recognisers(inherited) {
		input, ok := named(filepath.Base(filepath.FromSlash(rel)))
		if !ok {
			continue
		}
		if inherited && (input == "" || d.settings.Original == api.OriginalBin) {
			return true
		}
		if input == "" || !document.Supported(input) {
			continue
		}
		at := filepath.Join(filepath.Dir(filepath.FromSlash(rel)), input)
		for _, root := range []string{d.root, filepath.Join(d.root, document.DoneDir)} {
			if exists(filepath.Join(root, at)) {
				return true
			}
		}
	}
	return false
}

// recognisers tell the names of outputs: of the languages that are wanted, and
// those of which outputs were left by somebody else.
func (d *dropFolder) recognisers(inherited bool) []recognise {
	var all []recognise
	for _, named := range d.names {
		all = append(all, named)
	}
	if !inherited {
		return all
	}
	for _, lang := range markedLanguages(d.base) {
		if _, wanted := d.names[lang]; !wanted {
			all = append(all, d.pattern.Recognise(lang))
		}
	}
	return all
}

// passOver tells once that files are not translated because of their names.
func (d *dropFolder) passOver(rel string) {
	d.passed.Do(func() {
		d.notify("warning", fmt.Sprintf("%s is not translated: by its name it is a translation itself. "+
			"If it is a text of its own, rename it; the same holds for other such files in %s", d.path(rel), d.root))
	})
}

// inherited says whether there were outputs in the output folder when the ledger
// was begun: it was lost, another program made them, or the folder is one that
// was known by another path. Whoever asks must do so before the folder is marked
// by a lock.
func (d *dropFolder) inherited(ctx context.Context) (bool, error) {
	d.inheriting.Lock()
	defer d.inheriting.Unlock()
	if d.inherits != nil {
		return *d.inherits, nil
	}
	if !exists(d.root) {
		return false, nil // to be looked at when it is there
	}
	is, known, err := d.opts.Ledger.Inherited(ctx, d.id)
	if err == nil && !known {
		var rows []store.File
		if rows, err = d.opts.Ledger.Files(ctx, store.FileQuery{Folder: d.id, Limit: 1}); err == nil {
			is = len(rows) == 0 && len(markedLanguages(d.base)) > 0
			err = d.opts.Ledger.SetInherited(ctx, d.id, is)
		}
	}
	if errors.Is(err, store.ErrNotFound) {
		return false, nil // the folder has just been removed
	}
	if err == nil {
		d.inherits = &is
	}
	return is, err
}

// markedLanguages are those of the locks that lie in an output folder: it was
// written to by us.
func markedLanguages(base string) (langs []string) {
	begin := watch.OwnPrefix + "."
	found, _ := os.ReadDir(base)
	for _, entry := range found {
		if lang, ok := strings.CutSuffix(entry.Name(), ".lock"); ok && strings.HasPrefix(lang, begin) {
			langs = append(langs, lang[len(begin):])
		}
	}
	return langs
}

// placeFinder finds the places of files below a root, which costs little since no
// folder below it is reached by a link.
type placeFinder struct {
	mu   sync.Mutex
	info os.FileInfo // of the root when it was looked at
	spot spot
}

// of returns what File.Place of the ledger would be for the file rel below root.
func (p *placeFinder) of(root, rel string) string {
	path := filepath.Join(root, filepath.FromSlash(rel))
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return newLocator().placeOf(path)
	}
	info, err := os.Stat(root)
	if err != nil {
		return newLocator().placeOf(path)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.info == nil || !os.SameFile(p.info, info) {
		os.SameFile(info, info) // makes Windows read the identity now, not when the path has changed
		p.info, p.spot = info, newLocator().spot(root)
	}
	return p.spot.join(rel).path
}

// placeOf returns what File.Place of the ledger is for a file. A disk has another
// name after the next start of the system, and a stick another place, so that it
// is only the path within the file system.
func (l *locator) placeOf(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return l.spot(filepath.Dir(path)).join(filepath.Base(path)).path
}
