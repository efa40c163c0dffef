package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/daemon/drop"
	"dragoman/daemon/instance"
	"dragoman/daemon/ipc"
	"dragoman/daemon/queue"
	"dragoman/daemon/store"
	"dragoman/daemon/telemetry"
	"dragoman/daemon/words"
	"dragoman/inference"
	"dragoman/inference/openvino/locate"
	"dragoman/inference/power"
)

// Options say where the daemon's things are and who is told what. The functions
// may be nil.
type Options struct {
	Paths      config.Paths
	Executable string // of this process; models and runtimes are looked for beside it
	Version    string
	Owner      string // security identifier of the user who may connect, on Windows; "" is this one
	LogLevel   *slog.LevelVar
	Restart    string // the command, for people, that restarts this process; "" in the foreground

	HoldRuntime func(locate.Candidate)   // keeps a runtime from being removed while it is used
	Ready       func()                   // clients are answered from now on
	Status      func(text string)        // one line for the service manager
	Reload      <-chan struct{}          // asks for the settings to be read again
	Reloading   func() (reloaded func()) // is told before, reloaded afterwards

	Look time.Duration // between looks at the daemon's own files; 30 s if 0

	Machine power.Machine // whose meters and supply count; this one if nil
}

// errStopping is the cause of the end of all work when the daemon stops.
var errStopping = errors.New("the dragoman service is being stopped")

// Daemon is a running service.
type Daemon struct {
	opts      Options
	self      instance.Info
	started   time.Time
	current   atomic.Pointer[config.Settings]
	atStart   config.Config            // settings that some parts keep until the end
	unapplied atomic.Pointer[[]string] // what of the settings is not in force

	settingsSeen    atomic.Pointer[config.Stamp] // version of the file that was read last
	settingsLooked  config.Stamp                 // version at the last look, housekeep's alone
	settingsChanged chan struct{}                // capacity 1: the file is another
	listener        *ipc.Listener

	store   *store.Store
	models  *models
	queue   *queue.Queue[inference.Progress, translation]
	folders *drop.Manager
	events  *events
	totals  totals
	found   findings
	hints   hints
	words   *words.Words // the person's own
	notices notices
	pauses  pauses
	pulls   pulls
	supply  *supply

	telemetry *telemetry.Recorder
	history   historyWriter
	libre     libre

	texts        atomic.Int64           // ids given
	watched      atomic.Pointer[string] // recipe that files were compared with, nil before
	memoryFailed sync.Once              // the log was told

	reloads       sync.Mutex // one at a time
	folderChanges sync.Mutex // the same, from the check to what is kept and watched
}

// Run is the service, from its start until ctx ends, which is no error. It
// answers clients at once and loads the model meanwhile.
func Run(ctx context.Context, o Options) (err error) {
	d := &Daemon{opts: o.complete(), started: time.Now(), settingsChanged: make(chan struct{}, 1)}
	d.noteSettings()
	settings, err := config.Read(o.Paths.ConfigFile, os.Getenv)
	if err != nil {
		return err
	}
	d.self = instance.Info{PID: os.Getpid(), Version: o.Version, Executable: o.Executable, Restart: o.Restart}
	release, err := instance.Take(o.Paths.StateDir, d.self)
	if err != nil {
		return err
	}
	defer release()
	d.current.Store(&settings)
	d.words = words.Open(words.Options{Data: o.Paths.DataDir, Cache: o.Paths.CacheDir, Patience: wordsPatience, Tell: d.tellOfWords})
	d.atStart = settings.Config
	d.setLogLevel()
	if d.store, err = store.Open(ctx, o.Paths.StateFile(), store.Options{}); err != nil {
		return err
	}
	defer func() {
		// What was promised is on the disk already; the next start mends the rest.
		if err := d.store.Close(); err != nil {
			slog.Warn("Database is not closed as usual", "err", err)
		}
	}()
	if err := d.assemble(ctx, settings.Config); err != nil {
		return err
	}
	if d.listener, err = ipc.Listen(d.endpoint()); err != nil {
		return err
	}
	return d.serveUntil(ctx)
}

func (o Options) complete() Options {
	if o.HoldRuntime == nil {
		o.HoldRuntime = func(locate.Candidate) {}
	}
	if o.Ready == nil {
		o.Ready = func() {}
	}
	if o.Status == nil {
		o.Status = func(string) {}
	}
	if o.Look == 0 {
		o.Look = lookEvery
	}
	if o.Machine == nil {
		o.Machine = power.ThisMachine()
	}
	if o.Reloading == nil {
		o.Reloading = func() func() { return func() {} }
	}
	return o
}

// assemble makes the parts; none of them works yet.
func (d *Daemon) assemble(ctx context.Context, settings config.Config) error {
	d.events, d.telemetry = newEvents(d.store.NextRevision), telemetry.New()
	d.models = &models{paths: d.opts.Paths, exe: d.opts.Executable, hold: d.opts.HoldRuntime, machine: d.opts.Machine, changed: d.changed, telemetry: d.telemetry, one: make(chan struct{}, 1)}
	d.queue = queue.New[inference.Progress, translation](queue.Options{
		MaxInteractive: settings.Queue.Interactive, MaxBatch: settings.Queue.Batch,
		InteractiveWorkers: interactiveWorkers, BatchWorkers: batchWorkers(settings), NextID: d.nextText,
		Changed: d.events.changed, Ended: d.ended,
	})
	d.history = newHistoryWriter(d.store)
	d.pulls.changed, d.pulls.fetch = d.events.changed, d.fetchModel
	d.supply = newSupply(d.opts.Machine)
	d.folders = drop.New(drop.Options{
		Ledger: d.store, Translator: fileTranslator{d}, Recipe: d.models.recipe,
		Quiet: settings.Folders.Quiet, Rescan: settings.Folders.Rescan, Poll: settings.Folders.Poll,
		Notify: d.notify, Say: d.sayOfFolder, Withdraw: d.withdraw, Changed: d.events.changed, Done: d.jobEnded,
	})
	if message := d.store.SetAside(); message != "" {
		d.notify(api.Notice{Time: time.Now(), Level: "warning", Message: message})
	}
	err := d.bound(ctx)
	if errors.Is(err, store.ErrFull) { // the bounds are set, and what is too much goes later
		slog.Warn("History and memory could not be cut", "err", err)
		err = nil
	}
	return errors.Join(err, d.loadFolders(ctx), d.restorePause(ctx))
}

func (d *Daemon) nextText() int64 { return api.FirstText + d.texts.Add(1) }

// interactiveWorkers is how many urgent texts are under way side by side. The
// model takes one at a time; the others may be answered by the memory.
const interactiveWorkers = 4

// batchWorkers is how many files are under way side by side: while one waits
// for the disk, another has the model.
func batchWorkers(settings config.Config) int {
	if settings.Queue.Workers > 0 {
		return settings.Queue.Workers
	}
	return 3
}

// serveUntil works until ctx ends or a part fails, and stops all parts in
// order: clients, work, what must still be written.
func (d *Daemon) serveUntil(ctx context.Context) error {
	work, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	server, bound := d.newServer(work, d.listener)
	d.models.load(d.settings())
	g, failed := errgroup.WithContext(work)
	g.Go(func() error { return d.queue.Run(work) })
	g.Go(func() error { return d.watchFolders(work) })
	g.Go(func() error { return d.housekeep(work) })
	g.Go(func() error { return d.history.run(work) })
	g.Go(func() error { return closedIsFine(server.Serve(bound)) })
	if err := d.configureLibre(); err != nil { // the user was told
		d.unapplied.Store(&[]string{err.Error()})
	}
	slog.Info("Service is running", "version", d.opts.Version, "address", d.listener.Addr().String())
	d.opts.Ready()
	d.reloadUntil(ctx, failed)

	slog.Info("Service is stopping")
	stop(errStopping)
	closing, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	d.libre.close()
	d.pulls.close()
	if err := server.Shutdown(closing); err != nil {
		_ = server.Close() // those who have not read their answer in time
	}
	err := g.Wait()
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, errStopping)) {
		err = nil
	}
	return errors.Join(err, d.models.close())
}

// reloadUntil reads the settings anew whenever that is asked for, until one of
// the contexts ends.
func (d *Daemon) reloadUntil(ctx, failed context.Context) {
	for {
		select {
		case <-d.opts.Reload:
		case <-d.settingsChanged:
		case <-ctx.Done():
			return
		case <-failed.Done():
			return
		}
		done := d.opts.Reloading()
		_ = d.reload() // the user was told
		done()
	}
}

func (d *Daemon) settings() config.Config { return d.current.Load().Config }

// changed is called when the model's state changed.
func (d *Daemon) changed() {
	d.events.changed()
	state, about, message := d.models.state()
	switch state {
	case api.StateWarming:
		d.opts.Status(about.Warming)
	case api.StateFault:
		d.opts.Status(message)
	default:
		d.opts.Status(fmt.Sprintf("ready: %s on %s", about.Name, about.Encoder))
		d.supply.measureAnew(about)
		d.telemetry.Fell(fallOf(about))
		d.lookAgain()
	}
}

// watchFolders begins when it is known whether there is a model, and which: files
// are compared with what was made by it, and need to be looked at only once.
func (d *Daemon) watchFolders(ctx context.Context) error {
	if _, release, err := d.models.acquire(ctx); err == nil {
		release()
	}
	recipe := d.models.recipe()
	d.watched.Store(&recipe)
	return d.folders.Run(ctx)
}

// lookAgain has all files looked at when they were last compared with what
// another model made, or none.
func (d *Daemon) lookAgain() {
	before, now := d.watched.Load(), d.models.recipe()
	if before != nil && *before != now {
		d.watched.Store(&now)
		d.folders.RescanAll()
	}
}
