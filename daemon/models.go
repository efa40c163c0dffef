package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/daemon/telemetry"
	"dragoman/inference"
	"dragoman/inference/openvino/locate"
	"dragoman/inference/power"
)

// loaded is a model that translates, until nobody uses it any more and a newer
// one has taken its place.
type loaded struct {
	*inference.Translator
	about api.Model
	dir   string // of the checkpoint
	key   string // of its content
	users sync.WaitGroup

	library library
}

// models keeps the model warm. Loading goes on in the background; whoever needs
// a model waits for it, or is told why there is none.
type models struct {
	paths   config.Paths
	exe     string
	hold    func(locate.Candidate) // keeps a runtime from being removed
	machine power.Machine
	changed func()

	telemetry *telemetry.Recorder
	prepared  atomic.Int64 // percent, 0 where nothing is being prepared

	one      chan struct{} // room for one that is being loaded: more at once may be more than the memory holds
	mu       sync.Mutex
	settings config.Config // that were asked for last
	current  *loaded
	loading  *loading // nil while none is under way
	failure  error    // of the last loading, if it failed
	failed   time.Time
	closed   bool
}

// loading is one attempt to load what the settings name.
type loading struct {
	settings config.Config
	start    time.Time
	cancel   context.CancelFunc // once newer settings have overtaken it
	done     chan struct{}      // closed when it has ended or is overtaken
}

// retryModel is how long after a failure a request may cause another attempt:
// a runtime may have been installed meanwhile.
const retryModel = 10 * time.Second

// longestLoad is how long an attempt waits for one that it has overtaken, which
// may hang, as on a network's file system.
const longestLoad = time.Minute

// load begins to load the model of the settings. What is loaded serves until
// the new one is ready, and goes on serving if that fails, but where the settings
// forbid it.
func (m *models) load(settings config.Config) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settings = settings
	if m.current != nil && !m.allowed(settings, m.current.dir) {
		m.current.giveBack()
		m.current = nil
	}
	m.loadLocked()
}

// allowed tells whether the settings allow the model in dir, by its folder or by
// its name, which other folders may have too.
func (m *models) allowed(c config.Config, dir string) bool {
	name := filepath.Base(dir)
	return c.AllowModel(dir) == nil || c.AllowModel(name) == nil && slices.Contains(m.paths.ModelDirs(m.exe, name), dir)
}

func (m *models) loadLocked() {
	if m.closed {
		return
	}
	m.overtakeLocked()
	ctx, cancel := context.WithCancel(context.Background())
	m.loading = &loading{settings: m.settings, start: time.Now(), cancel: cancel, done: make(chan struct{})}
	go m.attempt(ctx, m.loading)
}

// overtakeLocked ends the attempt that is under way, and lets go who waits for it:
// it may hang. What it prepares appears whole or not at all.
func (m *models) overtakeLocked() {
	if m.loading != nil {
		m.loading.cancel()
		close(m.loading.done)
		m.loading = nil
	}
}

func (m *models) attempt(ctx context.Context, l *loading) {
	defer l.cancel()
	select {
	case m.one <- struct{}{}:
		defer func() { <-m.one }()
	case <-ctx.Done():
	case <-time.After(longestLoad):
	}
	next, err := m.open(ctx, l.settings)
	m.prepared.Store(0)
	took := time.Since(l.start)
	if ctx.Err() != nil {
		slog.Debug("Model is not needed any more", "took", took)
		next.giveBack()
		return // whoever has overtaken it tells of the change
	}
	if err != nil {
		slog.Error("Model could not be loaded", "err", err)
	} else {
		slog.Info("Model is loaded", "model", next.about.Name, "encoder", next.about.Encoder, "runtime", next.about.Runtime, "took", took)
		next.about.WarmUS = took.Microseconds()
		m.telemetry.Started(took)
	}
	m.settle(l, next, err).giveBack()
	m.changed()
}

// settle takes the outcome of an attempt and returns the model that is no
// longer needed. An attempt that newer settings have overtaken counts for
// nothing.
func (m *models) settle(l *loading, next *loaded, err error) (old *loaded) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.loading != l {
		return next
	}
	close(l.done)
	m.loading, m.failure, m.failed = nil, err, time.Now()
	if err != nil {
		return nil
	}
	old, m.current = m.current, next
	return old
}

// giveBack closes a model when the last text that it translates is done.
func (l *loaded) giveBack() {
	if l == nil {
		return
	}
	go func() {
		l.users.Wait()
		if err := l.Close(); err != nil {
			slog.Warn("Model could not be given back", "err", err)
		}
	}()
}

// open loads a model.
func (m *models) open(ctx context.Context, c config.Config) (*loaded, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	dir, err := c.FindModel(m.paths, m.exe, "")
	if err != nil {
		return nil, err
	}
	runtime, err := m.findRuntime(c)
	if err != nil {
		return nil, err
	}
	library := newLibrary(runtime)
	m.hold(runtime)
	weights := cmp.Or(c.Inference.Weights, "int8")
	t, err := inference.Open(ctx, inference.Options{
		Runtime: runtime, ModelDir: dir, Recipe: weights, Encoder: c.Inference.Encoder, Decoder: c.Inference.Decoder, Threads: c.Inference.Threads,
		Cache:        inference.Cache{Dir: m.paths.CacheDir, QuotaBytes: c.Cache.QuotaMB * 1e6},
		Acceleration: m.acceleration(runtime, c.Power.Measure), Observe: m.telemetry.Graph,
		Preparing: func(percent int) { m.prepared.Store(int64(percent)); m.changed() },
	})
	if err != nil {
		return nil, err
	}
	key, err := t.ModelKey()
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return &loaded{
		Translator: t,
		dir:        dir,
		key:        key,
		library:    library,
		about: api.Model{
			Name: filepath.Base(dir), Weights: weights, Encoder: cmp.Or(c.Inference.Encoder, "CPU"), Decoder: "CPU",
			Runtime: t.Runtime().Version(),
		},
	}, nil
}

func (m *models) findRuntime(c config.Config) (locate.Candidate, error) {
	search := locate.Host(c.Inference.Runtime, m.paths.DataDir)
	search.Getenv = c.Getenv
	return locate.Find(search)
}

// acquire waits for a model and keeps it from being closed until release.
func (m *models) acquire(ctx context.Context) (l *loaded, release func(), err error) {
	for {
		l, wait, err := m.look()
		switch {
		case l != nil:
			return l, l.users.Done, nil
		case err != nil:
			return nil, nil, err
		}
		select {
		case <-wait.done:
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		}
	}
}

// look returns the model, in use, or what to wait for, or why there is none.
func (m *models) look() (*loaded, *loading, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.current != nil {
		m.current.users.Add(1)
		return m.current, nil, nil
	}
	if m.loading == nil && time.Since(m.failed) > retryModel {
		m.loadLocked()
	}
	if m.loading == nil {
		return nil, nil, fmt.Errorf("%w: %w", errNoModel, m.failure)
	}
	return nil, m.loading, nil
}

// errNoModel is the error of work that needs a model while there is none.
var errNoModel = errors.New("nothing can be translated")

// state is what the snapshot says of the model. Message is why the last attempt
// failed.
func (m *models) state() (s api.State, about api.Model, message string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s = api.StateReady
	if m.current != nil {
		about = m.current.about
		place(&about, m.current.Devices())
	}
	if m.failure != nil {
		message = m.failure.Error()
		if m.current == nil {
			s = api.StateFault
		}
	}
	if m.loading != nil {
		about.Warming = "loading the model; the first start prepares it for this machine, which takes longer"
		if percent := m.prepared.Load(); percent > 0 {
			about.Warming = fmt.Sprintf("preparing the model for this machine: %d %%", percent)
		}
		if m.current == nil {
			s, message = api.StateWarming, ""
		}
	}
	return s, about, message
}

// recipe stands for everything that shapes a translation besides text and
// languages.
func (l *loaded) recipe() string { return l.about.Weights + " " + l.key }

// recipe is that of the model that serves now, "" while there is none.
func (m *models) recipe() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.current == nil {
		return ""
	}
	return m.current.recipe()
}

// forget drops what the model that serves keeps of texts.
func (m *models) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.current != nil {
		m.current.Forget()
	}
}

// close gives the model back; no text may be under way any more. A model that
// is still being loaded is given back when it is there.
func (m *models) close() error {
	m.mu.Lock()
	m.closed = true
	m.overtakeLocked()
	last := m.current
	m.current, m.failure = nil, errStopping
	m.mu.Unlock()
	if last == nil {
		return nil
	}
	// Not under the lock: it waits for who tries a device, and that may be about
	// to tell of a change, which asks for the state.
	return last.Close()
}
