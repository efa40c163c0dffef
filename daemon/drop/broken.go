package drop

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"dragoman/daemon/api"
)

// broken is why a folder that was kept cannot be taken on. It is listed all the
// same, so that it can be changed and removed, and is tried again.
type broken struct {
	err      error
	hopeless bool // its settings cannot be read: only others help
	voice    *voice
}

// Load takes a folder on that was kept, like Add. One that cannot be taken on is
// kept as one that failed, and tried again at the pace of Options.Poll, by Rescan
// and when another folder is changed. unreadable is why the settings are not
// known, of which there are Path and what else makes sense.
func (m *Manager) Load(id int64, s api.FolderSettings, unreadable error) {
	m.changes.Lock()
	defer m.changes.Unlock()
	e := m.loaded(id, s, unreadable)
	m.mu.Lock()
	m.folders[id] = e
	m.mu.Unlock()
	m.start()
}

// loaded checks a folder that was kept.
func (m *Manager) loaded(id int64, s api.FolderSettings, unreadable error) *entry {
	p, err := m.check(id, s)
	if err = cmp.Or(unreadable, err); err == nil {
		return &entry{plan: p}
	}
	b := &broken{err: err, hopeless: unreadable != nil, voice: newVoice(m.opts, id)}
	b.say(id, s.Path)
	return &entry{plan: plan{id: id, settings: s, root: filepath.Clean(s.Path)}, broken: b}
}

func (b *broken) say(id int64, path string) {
	b.voice.say(aboutLoading, "error", fmt.Sprintf("drop folder %d (%s) is not watched: %s", id, path, b.message(id)))
}

// message is the reason and the way out.
func (b *broken) message(id int64) string {
	return fmt.Sprintf("%v; change it by `dragoman folders set %d` or remove it by `dragoman folders remove %[2]d`", b.err, id)
}

// problem is the reason as an answer to who wants something of the folder.
func (b *broken) problem() error {
	if p, ok := errors.AsType[*api.Problem](b.err); ok {
		return p
	}
	return &api.Problem{Type: "about:blank", Title: "Folder is not watched", Status: 409, Code: api.CodeConflict, Detail: b.err.Error()}
}

// revive tries again to take on what could not be, the oldest first, and says
// whether there is more to be tried.
func (m *Manager) revive() (left bool) {
	if !m.anyBroken() {
		return false // most of the time: the lock may be held for long
	}
	m.changes.Lock()
	defer m.changes.Unlock()
	m.mu.Lock()
	ids := slices.Sorted(maps.Keys(m.folders))
	m.mu.Unlock()
	for _, id := range ids {
		m.mu.Lock()
		e := m.folders[id]
		m.mu.Unlock()
		if e.broken == nil || e.broken.hopeless {
			continue
		}
		p, err := m.check(id, e.plan.settings)
		m.mu.Lock()
		if err == nil {
			m.folders[id] = &entry{plan: p}
		} else {
			e.broken.err, left = err, true
		}
		m.mu.Unlock()
		if err == nil {
			e.broken.voice.fallSilent()
			m.opts.Changed()
		} else {
			e.broken.say(id, e.plan.root)
		}
	}
	return left
}

func (m *Manager) anyBroken() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.folders {
		if e.broken != nil {
			return true
		}
	}
	return false
}

// whole finds a folder that can work, and else says why it cannot.
func (m *Manager) whole(id int64) (*entry, error) {
	e, err := m.entry(id)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.broken != nil {
		return nil, e.broken.problem()
	}
	return e, nil
}
