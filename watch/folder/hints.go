package folder

import (
	"errors"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// notifier is what this package uses of fsnotify.Watcher.
type notifier struct {
	events <-chan fsnotify.Event
	errs   <-chan error
	add    func(dir string) error
	close  func() error
}

func openNotifier() (*notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return &notifier{events: w.Events, errs: w.Errors, add: w.Add, close: w.Close}, nil
}

// hints runs a notifier. One goroutine drains it and another registers folders,
// because on Windows the library answers add on the goroutine that delivers
// events: adding from the draining one can wait for ever.
type hints struct {
	n    *notifier
	news *inbox

	mu   sync.Mutex
	dirs []string // to register, absolute
	wake chan struct{}

	stopping   chan struct{}
	registered chan struct{} // closed when the registering goroutine has ended
	drained    chan struct{}
}

func startHints(n *notifier) *hints {
	h := &hints{
		n: n, news: newInbox(), wake: make(chan struct{}, 1), stopping: make(chan struct{}),
		registered: make(chan struct{}), drained: make(chan struct{}),
	}
	go h.drain()
	go h.register()
	return h
}

// put asks for dir to be watched; the answer comes as registration in news, in
// order. It never blocks.
func (h *hints) put(dir string) {
	h.mu.Lock()
	h.dirs = append(h.dirs, dir)
	h.mu.Unlock()
	signal(h.wake)
}

// stop ends both goroutines. The notifier is closed while it is drained and
// never beside an add.
func (h *hints) stop() {
	close(h.stopping)
	<-h.registered
	_ = h.n.close() // nothing could be done about it, and nothing depends on it
	<-h.drained
}

func (h *hints) register() {
	defer close(h.registered)
	for {
		select {
		case <-h.stopping:
			return
		case <-h.wake:
		}
		for {
			select {
			case <-h.stopping:
				return
			default:
			}
			h.mu.Lock()
			if len(h.dirs) == 0 {
				h.mu.Unlock()
				break
			}
			dir := h.dirs[0]
			h.dirs = h.dirs[1:]
			h.mu.Unlock()
			h.news.register(registration{dir: dir, err: h.n.add(dir)})
		}
	}
}

// drain ends when the notifier is closed, by stop or because it broke.
func (h *hints) drain() {
	defer close(h.drained)
	for {
		select {
		case ev, ok := <-h.n.events:
			if !ok {
				h.news.lose(errBroken)
				return
			}
			if ev.Op != fsnotify.Chmod {
				h.news.touch(ev.Name, ev.Op)
			}
		case err, ok := <-h.n.errs:
			if !ok {
				h.news.lose(errBroken)
				return
			}
			h.news.lose(err)
		}
	}
}

var errBroken = errors.New("the watcher has ended")

// registration is the answer to put.
type registration struct {
	dir string
	err error
}

// inbox holds news until the folder takes it. Putting in never blocks, so the
// notifier's buffers are emptied at once; what is too much becomes "look at
// everything".
type inbox struct {
	wake chan struct{} // capacity 1: "look", never "how many"

	mu         sync.Mutex
	touched    map[string]fsnotify.Op
	registered []registration
	lost       error
}

const maxTouched = 10_000

func newInbox() *inbox {
	return &inbox{wake: make(chan struct{}, 1), touched: map[string]fsnotify.Op{}}
}

func (b *inbox) touch(path string, op fsnotify.Op) {
	b.mu.Lock()
	if before, known := b.touched[path]; known || len(b.touched) < maxTouched {
		b.touched[path] = before | op
	} else if b.lost == nil {
		b.lost = fsnotify.ErrEventOverflow
	}
	b.mu.Unlock()
	signal(b.wake)
}

func (b *inbox) register(r registration) {
	b.mu.Lock()
	b.registered = append(b.registered, r)
	b.mu.Unlock()
	signal(b.wake)
}

func (b *inbox) lose(err error) {
	b.mu.Lock()
	b.lost = err
	b.mu.Unlock()
	signal(b.wake)
}

// take empties the inbox.
func (b *inbox) take() (touched map[string]fsnotify.Op, registered []registration, lost error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	touched, registered, lost = b.touched, b.registered, b.lost
	b.touched, b.registered, b.lost = map[string]fsnotify.Op{}, nil, nil
	return touched, registered, lost
}

func signal(wake chan<- struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}
