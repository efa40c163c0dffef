package agent

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/tray"
	"dragoman/tray/message"
	"dragoman/tray/notify"
	"dragoman/tray/target"
	"dragoman/watch/clip"
)

// Options are the parts that an Agent joins. Functions that are nil are what
// this desktop cannot do.
type Options struct {
	Client       *api.Client
	Appears      <-chan struct{} // tells that the service may be there by now; nil where nobody can
	Notifier     *notify.Notifier
	Desktop      Desktop
	SettingsFile string
	MemoryFile   string   // what the tray keeps that is no setting
	Languages    []string // that the person prefers, BCP 47, first most
}

// Desktop is what an Agent has done by others.
type Desktop struct {
	Open         func(ctx context.Context, path string) error // a file or folder, with its program
	OpenSettings func(ctx context.Context) error
	ShowHistory  func(ctx context.Context, texts *message.Texts) error
	ShowHelp     func(ctx context.Context, texts *message.Texts) error
	// ChooseFolder asks for a folder; "" where the person chose none. See
	// SetChooser.
	ChooseFolder func(ctx context.Context, title string) (string, error)
	// ListenHotkey is desktop.ListenHotkey.
	ListenHotkey   func(ctx context.Context, keys, description string, pressed func()) error
	StartService   func(ctx context.Context) error
	RestartService func(ctx context.Context) error
	StopService    func(ctx context.Context) error
	Autostart      func() (bool, error)
	SetAutostart   func(on bool) error
	OnBattery      func() (bool, error)
}

// Agent is one person's session. Everything in it belongs to the goroutine of
// Run, except what says otherwise.
type Agent struct {
	opts     Options
	settings *settings
	applied  *config.Config // those that the judge and the texts follow
	problem  string         // with the settings, as it was told
	memory   *memory
	unkept   bool // whether it was told that the memory cannot be written
	texts    *message.Texts
	inbox    chan func()   // what others want done by Run's goroutine
	again    chan struct{} // has the service looked for at once

	views  chan tray.View
	clicks chan tray.Click

	snapshot        api.Snapshot
	silent          bool // the service gives no answer
	languages       []api.Language
	model           string // of which languages are
	desktopLanguage string // as target.Base returns it

	clipboard  *clip.Clipboard // nil while there is none
	impossible tray.Why        // why
	judge      *clip.Judge
	copies     int       // so far, those that are not translated among them
	longAt     time.Time // of the last copy that was too long

	waiting []task
	busy    map[bool]bool // whether one is in work, by whether it is long
	results []result
	number  int           // of the last result
	noted   chan struct{} // closed when all notes so far are shown
	failed  string        // the last failure that was told, to tell it once

	autostart bool
	battery   battery
	hotkey    hotkey
	quit      context.CancelFunc
	work      sync.WaitGroup
}

// New returns an Agent that does nothing before Run.
func New(o Options) *Agent {
	a := &Agent{
		opts:     o,
		settings: openSettings(o.SettingsFile),
		memory:   openMemory(o.MemoryFile),
		inbox:    make(chan func()),
		again:    make(chan struct{}, 1),
		views:    make(chan tray.View, 1),
		clicks:   make(chan tray.Click),
		busy:     map[bool]bool{},

		desktopLanguage: target.Base(o.Languages),
	}
	a.judge = clip.NewJudge(clip.Policy{})
	a.impossible = tray.ClipNoDisplay
	a.apply(a.settings.now())
	return a
}

// Views are what the tray shows; of several that wait only the last is kept.
func (a *Agent) Views() <-chan tray.View { return a.views }

// Clicks takes what was chosen in the menu.
func (a *Agent) Clicks() chan<- tray.Click { return a.clicks }

// SetClipboard gives the Agent a clipboard, or says why there is none (clip.Open's
// error). It may be called from any goroutine, and waits for Run.
func (a *Agent) SetClipboard(ctx context.Context, c *clip.Clipboard, err error) {
	a.do(ctx, func() { a.takeClipboard(ctx, c, err) })
}

// SetChooser gives the Agent what asks for a folder, once it is known that the
// desktop has such. It may be called from any goroutine.
func (a *Agent) SetChooser(ctx context.Context, choose func(ctx context.Context, title string) (string, error)) {
	a.do(ctx, func() { a.opts.Desktop.ChooseFolder = choose })
}

// TranslateNow translates what a selection holds, whatever the settings say of
// copies: for a hotkey. It may be called from any goroutine.
func (a *Agent) TranslateNow(ctx context.Context) { a.do(ctx, func() { a.translateNow(ctx) }) }

// Tell shows a sentence to the person, where notifications are on. It may be
// called from any goroutine.
func (a *Agent) Tell(ctx context.Context, id message.ID, pairs ...any) {
	a.do(ctx, func() { a.tell(ctx, "told."+string(id), a.texts.Say(id, pairs...)) })
}

// TellNoHost says once, for good, that the desktop shows no icons.
func (a *Agent) TellNoHost(ctx context.Context, id message.ID, pairs ...any) {
	a.do(ctx, func() {
		if a.memory.NoHostTold || !a.settings.now().Tray.Notifications {
			return
		}
		a.tell(ctx, "host", a.texts.Say(id, pairs...))
		a.remember(ctx, func(k *kept) { k.NoHostTold = true })
	})
}

// Run works until ctx ends or the person quits.
func (a *Agent) Run(ctx context.Context) {
	ctx, a.quit = context.WithCancel(ctx)
	defer a.quit()
	defer a.work.Wait()
	a.work.Go(func() { a.opts.Client.Follow(ctx, a.again, func(e api.Event) { a.hear(ctx, e) }) })
	a.readAutostart()
	a.refresh(ctx)
	var copies <-chan clip.Copy
	var watched *clip.Clipboard
	tick := newTick()
	defer tick.Stop()
	for {
		if a.clipboard != watched {
			if watched, copies = a.clipboard, nil; watched != nil {
				copies = watched.Watch(ctx)
			}
		}
		a.battery.tick(tick, a.watchesBattery())
		a.listenToKeys(ctx)
		a.show()
		select {
		case <-ctx.Done():
			return
		case f := <-a.inbox:
			f()
		case c, ok := <-copies:
			if !ok {
				copies = nil
				continue
			}
			a.copied(ctx, c)
			a.lookForService()
		case click := <-a.clicks:
			a.refresh(ctx)
			a.clicked(ctx, click)
			a.lookForService()
		case e := <-a.opts.Notifier.Events():
			a.refresh(ctx)
			a.answered(ctx, e)
			a.lookForService()
		case <-a.opts.Appears:
			a.lookForService()
		case <-tick.C:
			a.refresh(ctx)
			a.lookAtBattery(ctx)
		}
	}
}

// do has f done by Run's goroutine.
func (a *Agent) do(ctx context.Context, f func()) {
	select {
	case a.inbox <- f:
	case <-ctx.Done():
	}
}

// aside runs f beside Run's goroutine and then, by that, what it returns.
func (a *Agent) aside(ctx context.Context, f func() func()) {
	a.work.Go(func() {
		if then := f(); then != nil {
			a.do(ctx, then)
		}
	})
}

// try runs f aside and tells the person where it fails.
func (a *Agent) try(ctx context.Context, what string, f func(context.Context) error) {
	a.aside(ctx, func() func() {
		err := f(ctx)
		if err == nil || errors.Is(err, context.Canceled) {
			return nil
		}
		slog.Warn("What was asked for failed", "what", what, "err", err)
		return func() {
			if errors.Is(err, errSilent) {
				a.fellSilent(ctx)
				a.tellSilent(ctx)
				return
			}
			a.tell(ctx, "failed."+what, err.Error())
		}
	})
}

// request is try for what the service is asked.
func (a *Agent) request(ctx context.Context, what string, f func(context.Context) error) {
	a.try(ctx, what, func(ctx context.Context) error { return a.ask(ctx, f) })
}

// refresh takes over settings that were changed in their file, and what another
// session of the person's has kept.
func (a *Agent) refresh(ctx context.Context) {
	a.memory.refresh()
	now, err := a.settings.refresh()
	if now != a.applied {
		a.apply(now)
	}
	problem := ""
	if err != nil {
		problem = err.Error()
	}
	if problem != a.problem && problem != "" {
		a.tell(ctx, "settings", problem)
	}
	a.problem = problem
}

func (a *Agent) apply(now *config.Config) {
	a.applied = now
	a.judge.SetPolicy(policy(now.Clipboard))
	preferred := a.opts.Languages
	if own := now.Tray.Language; own != "" {
		preferred = append([]string{own}, preferred...)
	}
	a.texts = message.New(preferred...)
}

// show gives the newest view to the tray.
func (a *Agent) show() {
	v := tray.Render(a.state())
	select {
	case <-a.views: // nobody has taken the one before
	default:
	}
	a.views <- v // the only sender: there is room
}
