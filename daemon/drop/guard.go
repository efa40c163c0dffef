package drop

import (
	"fmt"
	"path/filepath"
	"strings"

	"dragoman/daemon/api"
	"dragoman/watch/document"
)

// Whatever was checked when folders were added, links and mounts that are made
// afterwards can lead outputs into a place where files are taken from, and feed
// two folders with each other's outputs for ever. So it is looked at again
// before each output where its folder really is.

// plans returns the settings of all folders.
func (m *Manager) plans() []plan {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]plan, 0, len(m.folders))
	for _, e := range m.folders {
		if e.broken == nil {
			all = append(all, e.plan)
		}
	}
	return all
}

// refuseBase returns a *trouble if outputs must not be written to the output
// folder as it is now.
func (d *dropFolder) refuseBase() error {
	if _, err := d.refuse(d.base); err != nil {
		return &trouble{err: &document.WriteError{Dir: d.base, Err: err}, what: inOutput}
	}
	return nil
}

// refuse says why no output may be written into dir, which is the output folder
// or lies in it, and else where dir really is.
func (d *dropFolder) refuse(dir string) (spot, error) {
	at := newLocator()
	where := at.spot(dir)
	leadsTo := func(what string, args ...any) error {
		return fmt.Errorf("translations would go to %s, %s: remove the link or mount that leads there", where.name, fmt.Sprintf(what, args...))
	}
	switch inRoot := at.leadsInto(dir, d.root); {
	case d.settings.Place == api.PlaceBeside && !inRoot:
		return where, leadsTo("out of the watched folder %s", d.root)
	case d.settings.Place != api.PlaceBeside && inRoot && !d.permitted(where, at):
		return where, leadsTo("where files to be translated are taken from")
	}
	if d.others == nil {
		return where, nil
	}
	for _, other := range d.others() {
		if other.id == d.id {
			continue
		}
		first := d.id < other.id // of two folders that clash by themselves, the older one goes on
		switch {
		case at.leadsInto(d.root, other.root), at.leadsInto(other.root, d.root):
			if !first {
				return where, fmt.Errorf("%s and the drop folder %s are or contain one another by a link or mount, so that files would be translated twice: remove one of them", d.root, other.root)
			}
		case at.leadsInto(dir, other.root):
			return where, leadsTo("where the drop folder %s takes its files from", other.root)
		case at.leadsInto(dir, other.base):
			if !first {
				return where, leadsTo("where the drop folder %s puts its own", other.root)
			}
		}
	}
	return where, nil
}

// permitted says whether a place among the inputs is the one of outputs, which
// the watch leaves out: where that was when the watch began.
func (d *dropFolder) permitted(where spot, at *locator) bool {
	return d.within != "" && where.inside(at.spot(d.root).join(d.within))
}

// placeWithin is where base is below root, links followed, with slashes; "" if it
// is elsewhere.
func placeWithin(root, base string) string {
	at := newLocator()
	top, out := at.spot(root), at.spot(base)
	if !out.inside(top) {
		return ""
	}
	return strings.Trim(out.path[len(strings.TrimSuffix(top.path, "/")):], "/")
}

// refuseOutput is refuse for the folder of an output. What is wrong with the
// whole output folder is a *trouble, else it is a matter of this file.
func (d *dropFolder) refuseOutput(output string) (spot, error) {
	where, err := d.refuse(filepath.Dir(output))
	if err == nil {
		return where, nil
	}
	if base := d.refuseBase(); base != nil {
		return where, base
	}
	return where, fmt.Errorf("write %s: %w", output, err)
}
