package drop

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
)

// Manager runs any number of drop folders. Its methods may be called from
// several goroutines, before, while and after Run.
type Manager struct {
	opts    Options
	wake    chan struct{} // capacity 1: a folder is to be started
	changes sync.Mutex    // held by whoever changes a folder

	mu      sync.Mutex
	folders map[int64]*entry
	counts  map[int64]store.Counts // as they could be read last
}

// entry is a folder of the Manager's.
type entry struct {
	plan   plan
	broken *broken     // nil for one that can work
	halted bool        // must not be started: it is being changed
	work   *dropFolder // nil while it does not work
	stop   context.CancelFunc
	ended  chan struct{}
}

// New makes a Manager without folders. Nothing happens before Run.
func New(o Options) *Manager {
	return &Manager{opts: o.complete(), wake: make(chan struct{}, 1), folders: map[int64]*entry{}}
}

// Check completes settings, for a folder that is new (id 0) or known, and says
// what is wrong with them: an *api.Problem with status 400 or 409. A folder that
// does not exist yet is fine.
func (m *Manager) Check(id int64, s api.FolderSettings) (api.FolderSettings, error) {
	p, err := m.check(id, s)
	return p.settings, err
}

func (m *Manager) check(id int64, s api.FolderSettings) (plan, error) {
	p, err := newPlan(id, s)
	if err != nil {
		return p, err
	}
	at := newLocator()
	m.mu.Lock()
	defer m.mu.Unlock()
	for other, e := range m.folders {
		switch {
		case other == id, e.broken != nil && e.plan.root != p.root:
			continue
		case e.broken != nil:
			return p, conflict("%s is drop folder %d already, which is not watched: %s", p.root, other, e.broken.message(other))
		}
		if err := p.checkBeside(e.plan, at); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Add takes a folder on, under the id that the ledger knows it by.
func (m *Manager) Add(id int64, s api.FolderSettings) error { return m.put(id, s) }

// Update gives a folder other settings. What is in work is stopped and begun
// anew under them. The path stays: to the ledger it is another folder elsewhere.
func (m *Manager) Update(id int64, s api.FolderSettings) error {
	e, err := m.entry(id)
	if err != nil {
		return err
	}
	if filepath.Clean(s.Path) != e.plan.root {
		return wrong("the drop folder %s cannot become %s: remove it and add the other", e.plan.root, s.Path)
	}
	return m.put(id, s)
}

func (m *Manager) put(id int64, s api.FolderSettings) error {
	m.changes.Lock()
	defer m.changes.Unlock()
	p, err := m.check(id, s)
	if err != nil {
		return err
	}
	m.halt(id)
	m.mu.Lock()
	m.folders[id] = &entry{plan: p}
	m.mu.Unlock()
	m.start()
	return nil
}

// Remove stops work on a folder and returns when it has ended. Files and ledger
// stay as they are.
func (m *Manager) Remove(id int64) error {
	m.changes.Lock()
	defer m.changes.Unlock()
	if _, err := m.entry(id); err != nil {
		return err
	}
	m.halt(id)
	m.mu.Lock()
	delete(m.folders, id)
	m.mu.Unlock()
	m.start() // what clashed with it
	return nil
}

// Pause stops work on a folder until Resume; its rows stay pending. Nothing of
// it is watched meanwhile.
func (m *Manager) Pause(id int64) error { return m.setPaused(id, true) }

// Resume goes on after Pause.
func (m *Manager) Resume(id int64) error { return m.setPaused(id, false) }

func (m *Manager) setPaused(id int64, paused bool) error {
	m.changes.Lock()
	defer m.changes.Unlock()
	e, err := m.entry(id)
	if err != nil {
		return err
	}
	if e.broken != nil && e.broken.hopeless {
		return e.broken.problem() // what it is paused with would be kept
	}
	if e.broken == nil {
		m.halt(id)
	}
	m.mu.Lock()
	e.plan.settings.Paused, e.halted = paused, false
	m.mu.Unlock()
	m.start()
	return nil
}

// Rescan looks at every file of a folder anew, those that failed too. A folder
// that failed is tried again at once: who asks has perhaps done something about
// it.
func (m *Manager) Rescan(ctx context.Context, id int64) error {
	m.revive()
	e, err := m.whole(id)
	if err != nil {
		return err
	}
	w := m.atWork(e)
	if err := cmp.Or(w, m.resting(e)).retryFailed(ctx); err != nil {
		return err
	}
	if w != nil {
		w.rescan()
		w.hurry()
	}
	return nil
}

// RescanAll looks at every file of all folders, as when the recipe has changed.
func (m *Manager) RescanAll() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.folders {
		if e.work != nil {
			e.work.rescan()
			e.work.hurry()
		}
	}
}

// Retry tries a file again that has failed or was cancelled.
func (m *Manager) Retry(ctx context.Context, id int64, path string) error {
	e, err := m.whole(id)
	if err != nil {
		return err
	}
	w := m.atWork(e)
	if err := cmp.Or(w, m.resting(e)).retry(ctx, path); err != nil {
		return err
	}
	if w != nil {
		w.hurry()
	}
	return nil
}

// Cancel gives a file up that waits or is in work, until its content changes or
// it is retried. It says whether there was such a file.
func (m *Manager) Cancel(ctx context.Context, id int64, path string) (bool, error) {
	e, err := m.whole(id)
	if err != nil {
		return false, err
	}
	return cmp.Or(m.atWork(e), m.resting(e)).cancel(ctx, path)
}

// resting is a folder that does not work, for what concerns its ledger alone.
func (m *Manager) resting(e *entry) *dropFolder {
	m.mu.Lock()
	defer m.mu.Unlock()
	return newDropFolder(m.opts, e.plan)
}

func (m *Manager) entry(id int64) (*entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.folders[id]; ok {
		return e, nil
	}
	return nil, &api.Problem{Type: "about:blank", Title: "No such folder", Status: 404, Code: api.CodeNotFound, Detail: fmt.Sprintf("there is no drop folder %d: see `dragoman folders list`", id)}
}

func (m *Manager) atWork(e *entry) *dropFolder {
	m.mu.Lock()
	defer m.mu.Unlock()
	return e.work
}

// start lets Run start what should work and does not.
func (m *Manager) start() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
	m.opts.Changed()
}

// halt ends work on a folder, waits for that and keeps it from being started.
func (m *Manager) halt(id int64) {
	m.mu.Lock()
	e := m.folders[id]
	if e == nil {
		m.mu.Unlock()
		return
	}
	e.halted = true
	if e.work == nil {
		m.mu.Unlock()
		if e.broken != nil {
			e.broken.voice.fallSilent()
		}
		return
	}
	ended, voice := e.ended, e.work.voice
	e.stop()
	m.mu.Unlock()
	<-ended
	voice.fallSilent() // before the next work begins to speak
	m.mu.Lock()
	e.work = nil
	m.mu.Unlock()
}

// Run works until ctx ends and returns its error when all work has stopped.
func (m *Manager) Run(ctx context.Context) error {
	var running sync.WaitGroup
	for {
		var again <-chan time.Time // nil blocks for ever
		if m.revive() {
			again = time.After(m.opts.Poll)
		}
		m.mu.Lock()
		for _, e := range m.folders {
			if e.work != nil || e.halted || e.broken != nil || e.plan.settings.Paused || ctx.Err() != nil {
				continue
			}
			during, stop := context.WithCancel(ctx)
			work, ended := newDropFolder(m.opts, e.plan), make(chan struct{})
			work.others = m.plans
			e.work, e.stop, e.ended = work, stop, ended
			running.Go(func() {
				defer close(ended)
				work.run(during)
			})
		}
		m.mu.Unlock()
		select {
		case <-m.wake:
		case <-again:
		case <-ctx.Done():
			running.Wait()
			m.mu.Lock()
			for _, e := range m.folders {
				if e.work != nil {
					e.stop() // frees what the context holds
					e.work = nil
				}
			}
			m.mu.Unlock()
			return ctx.Err()
		}
	}
}

// Folders returns all folders by id, with how they are doing.
func (m *Manager) Folders() []api.Folder {
	counts, err := m.opts.Ledger.Counts(context.Background())
	m.mu.Lock()
	defer m.mu.Unlock()
	if err == nil {
		m.counts = counts // else what was known before
	}
	folders := make([]api.Folder, 0, len(m.folders))
	for id, e := range m.folders {
		c := m.counts[id]
		f := api.Folder{ID: id, Settings: e.plan.settings, Status: api.FolderStatus{
			State: api.FolderStarting, Waiting: int(c.Pending), Done: c.Done + c.Moved, Failed: c.Failed, Cancelled: c.Cancelled,
			LastFile: c.LastPath, LastDone: c.LastFinished,
		}}
		switch {
		case e.broken != nil:
			f.Status.State, f.Status.Message = api.FolderFailed, e.broken.message(id)
		case e.plan.settings.Paused:
			f.Status.State = api.FolderPaused
		case e.work != nil:
			f.Status.State, f.Status.Message = e.work.status()
			f.Status.Waiting = e.work.waiting(f.Status.Waiting)
			f.Status.Current = e.work.current()
		}
		folders = append(folders, f)
	}
	slices.SortFunc(folders, func(a, b api.Folder) int { return int(a.ID - b.ID) })
	return folders
}
