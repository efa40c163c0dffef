package drop

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"dragoman/daemon/api"
	"dragoman/watch"
	"dragoman/watch/document"
	"dragoman/watch/folder"
	"dragoman/watch/ledger"
)

// queued is how many changed files of a folder are remembered one by one before
// they are accepted; beyond it the folder is looked through again.
const queued = 10_000

// dropFolder is one folder at work, from one start to the next stop.
type dropFolder struct {
	plan
	opts    Options
	news    *watch.Queue
	backlog *backlog
	now     chan struct{} // capacity 1: ends a sleep
	voice   *voice
	failing failures
	known   known
	others  func() []plan // of all folders
	within  string        // where outputs lie among the inputs, see placeWithin
	place   placeFinder
	passed  sync.Once // see passOver

	inheriting sync.Mutex
	inherits   *bool // see inherited; nil while not known

	locking sync.Mutex              // held for as long as a look through all outputs takes
	locks   map[string]*ledger.Lock // by language

	mu      sync.Mutex
	source  *folder.Folder           // nil before run
	fault   string                   // why it cannot be watched
	failed  map[string]attempt       // files that failed in this run without a row
	unmoved map[string]struct{}      // originals that could not be moved away
	unsure  map[string]unsureSince   // originals that may be open for writing
	noted   map[string]bool          // what was told of documents, see tellNotes
	names   map[string]recognise     // by language
	working []*inWork                // being translated, or waiting for that
	sleep   func(time.Duration) bool // set by run: false when it ends first; for one goroutine at a time
}

// attempt is the state of a file that failed.
type attempt struct{ size, mtime int64 }

func attemptAt(path string) attempt {
	info, err := os.Stat(path)
	if err != nil {
		return attempt{size: -1}
	}
	return attempt{info.Size(), info.ModTime().UnixNano()}
}

type recognise func(base string) (input string, ok bool)

func newDropFolder(o Options, p plan) *dropFolder {
	v := newVoice(o, p.id)
	d := &dropFolder{
		voice: v, failing: failures{voice: v},
		plan: p, opts: o, news: watch.NewQueue(queued), backlog: newBacklog(o.Retry), now: make(chan struct{}, 1),
		failed: map[string]attempt{}, locks: map[string]*ledger.Lock{}, unmoved: map[string]struct{}{}, unsure: map[string]unsureSince{}, noted: map[string]bool{}, names: map[string]recognise{},
	}
	for _, lang := range p.settings.To {
		d.names[lang] = p.pattern.Recognise(lang)
	}
	return d
}

// run works until ctx ends.
func (d *dropFolder) run(ctx context.Context) {
	d.sleep = func(pause time.Duration) bool {
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-timer.C:
			return true
		case <-d.now:
			return true
		case <-ctx.Done():
			return false
		}
	}
	source, err := folder.New(d.watching(ctx))
	for err != nil { // such as a file in the folder's place
		d.setFault(err)
		if !d.sleep(d.opts.Poll) {
			return
		}
		source, err = folder.New(d.watching(ctx))
	}
	d.mu.Lock()
	d.source, d.fault = source, ""
	d.mu.Unlock()
	d.voice.over(aboutFault)
	defer func() {
		for _, lock := range d.locks {
			_ = lock.Release() // the system does it when the process ends
		}
	}()
	if !d.recall(ctx) {
		return
	}
	var all sync.WaitGroup
	all.Go(func() { _ = source.Run(ctx, d.news.Push) })
	all.Go(func() { d.acceptAll(ctx) })
	for range d.opts.InFlight {
		all.Go(func() { d.work(ctx) })
	}
	all.Wait()
}

// watching is how the folder is to be watched.
func (d *dropFolder) watching(ctx context.Context) folder.Options {
	s := d.settings
	d.within = placeWithin(d.root, d.base)
	o := folder.Options{
		Root: d.root, Recursive: s.Recursive, Include: s.Include, Exclude: s.Exclude,
		TakeHidden: s.Hidden, TakeTemp: s.Temp, NoEvents: s.Poll,
		Quiet: d.opts.Quiet, Rescan: d.opts.Rescan, Poll: d.opts.Poll,
		Accept: document.Supported,
		Own:    func(rel string) bool { return d.own(ctx, rel) },
		Known: func(rel string, size, mtime int64) bool {
			return d.known.take(rel, attempt{size, mtime}, len(s.To), d.recipe())
		},
		Changed: func() {
			d.known.reset("") // the first look is over
			d.opts.Changed()
		},
		Notify: d.tell,
	}
	if s.Place != api.PlaceBeside {
		o.OutputDir = d.base
	}
	if s.Original == api.OriginalDone {
		o.Skip = []string{document.DoneDir}
	}
	return o
}

func (d *dropFolder) tell(n folder.Notice) {
	if n.Over {
		d.voice.over(aboutWatch + n.Key)
		return
	}
	d.voice.say(aboutWatch+n.Key, "warning", n.String())
}

// notify tells what has happened.
func (d *dropFolder) notify(level, message string) {
	d.opts.Notify(api.Notice{Time: time.Now(), Level: level, Message: message})
	d.opts.Changed()
}

// tellNotes tells what a user should know of an output, of the first file that it is true
// of: a folder of PDFs has the same note for each.
func (d *dropFolder) tellNotes(rel string, notes []string) {
	for _, note := range notes {
		d.mu.Lock()
		known := d.noted[note]
		d.noted[note] = true
		d.mu.Unlock()
		if !known {
			d.notify("info", fmt.Sprintf("%s: %s. It is not told of other files in this folder", d.path(rel), note))
		}
	}
}

func (d *dropFolder) setFault(err error) {
	d.mu.Lock()
	d.fault = err.Error()
	d.mu.Unlock()
	d.voice.say(aboutFault, "error", err.Error())
}

// waiting is how many files are to be done, of which so many are pending in the
// ledger: more are in the backlog where originals have to be moved away.
func (d *dropFolder) waiting(pending int) int { return max(pending, d.backlog.len()) + d.news.Len() }

// status says how the folder is doing.
func (d *dropFolder) status() (state api.FolderState, message string) {
	if cause := d.backlog.cause(); cause != nil && cause.what != inRoot {
		return api.FolderFailed, cause.Error()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fault != "" {
		return api.FolderFailed, d.fault
	}
	if d.source == nil {
		return api.FolderStarting, ""
	}
	s := d.source.State()
	switch s.Mode {
	case folder.Watching:
		state = api.FolderWatching
	case folder.Polling:
		state = api.FolderPolling
	case folder.Missing:
		state = api.FolderMissing
	default:
		state = api.FolderStarting
	}
	return state, s.Reason
}

func (d *dropFolder) rescan() {
	d.known.reset("")
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.source != nil {
		d.source.Rescan()
	}
}

// hurry tries at once what was put off because of trouble.
func (d *dropFolder) hurry() {
	d.backlog.hurry()
	select {
	case d.now <- struct{}{}:
	default:
	}
}

// path is where the file rel lies.
func (d *dropFolder) path(rel string) string { return filepath.Join(d.root, filepath.FromSlash(rel)) }
