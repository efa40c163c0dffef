package drop

import (
	"cmp"
	"slices"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
)

// Progress is how far a translation is, in sentences. Total is 0 until they were
// counted.
type Progress struct {
	Running     bool // it does not wait for other work
	Done, Total int
	Rest        time.Duration // that is left, as fast as it went so far, 0 where that is not known
}

// Work is one file that is being translated into one language.
type Work struct {
	ID     int64 // of the ledger's row
	Folder int64
	Path   string // below the folder
	Lang   string
	Done   int // sentences
	Total  int
	Rest   time.Duration // that is left, 0 where that is not known
}

// Running returns what is being translated now, of all folders, by id. Files
// that wait for their turn, or for the disk, are not among them.
func (m *Manager) Running() []Work {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []Work
	for _, e := range m.folders {
		if e.work != nil {
			all = append(all, e.work.running()...)
		}
	}
	slices.SortFunc(all, func(a, b Work) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// inWork is a translation that was asked for.
type inWork struct {
	row store.File
	now func() Progress
}

// follow notes how to find out how far a row's translation is, until done is
// called.
func (d *dropFolder) follow(row store.File, now func() Progress) (done func()) {
	w := &inWork{row, now}
	d.mu.Lock()
	d.working = append(d.working, w)
	d.mu.Unlock()
	d.opts.Changed()
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.working = slices.DeleteFunc(d.working, func(other *inWork) bool { return other == w })
	}
}

// running is what is being translated, the one that began first at the front.
func (d *dropFolder) running() []Work {
	d.mu.Lock()
	working := slices.Clone(d.working)
	d.mu.Unlock()
	var all []Work
	for _, w := range working {
		if p := w.now(); p.Running {
			all = append(all, Work{ID: w.row.ID, Folder: d.id, Path: w.row.Path, Lang: w.row.Lang, Done: p.Done, Total: p.Total, Rest: p.Rest})
		}
	}
	return all
}

// current is the file to be shown as in work, nil if there is none.
func (d *dropFolder) current() *api.FolderWork {
	all := d.running()
	if len(all) == 0 {
		return nil
	}
	return &api.FolderWork{Job: all[0].ID, Path: all[0].Path, To: all[0].Lang, Done: all[0].Done, Total: all[0].Total, RestMS: all[0].Rest.Milliseconds()}
}
