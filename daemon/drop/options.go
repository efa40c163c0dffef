package drop

import (
	"context"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
	"dragoman/watch/document/segment"
)

// Request is one text of a file to be translated.
type Request struct {
	Folder         int64  // it comes from
	Path           string // of the file, below the folder, with slashes
	Job            int64  // the row of the ledger
	Text, From, To string // From may be api.Auto
	Glossary       string // of the folder, see api.FolderSettings
	// Follow is given what says how far the translation is, if that can be said,
	// which any goroutine may ask until done is called.
	Follow func(now func() Progress) (done func())
}

// Result is a translated text.
type Result struct {
	Text      string
	Model     string // as Options.Recipe names the one that translated it; "" if that is not known
	From      string // detected where api.Auto was asked
	Sentences int    // that were translated
	Kept      int    // left as they are: the model does not know their words
}

// Translator translates. It may wait for as long as it needs (for a model, or
// for other work) until ctx ends. Errors that are api.ErrNoModel or api.ErrBusy
// are not the file's fault: the file is tried again later.
type Translator interface {
	Translate(ctx context.Context, r Request) (Result, error)
	// Align is segment.Align of texts in languages; from may be api.Auto where it is not
	// known.
	Align(ctx context.Context, pairs []segment.Pair, from, to string) ([][]segment.Link, error)
}

// Ledger is what has to be remembered. *store.Store is one, and says what its
// methods do.
type Ledger interface {
	File(ctx context.Context, folder int64, path, lang string) (store.File, error)
	Files(ctx context.Context, q store.FileQuery) ([]store.File, error)
	FilesAfter(ctx context.Context, folder int64, path, lang string, limit int) ([]store.File, error)
	Accept(ctx context.Context, files []store.File) error
	Claim(ctx context.Context, id int64, output string) error
	Finish(ctx context.Context, f store.File) error
	RetryFailed(ctx context.Context, folder int64) error
	Forget(ctx context.Context, folder int64, path string) error
	Claims(ctx context.Context, folder int64, path string) ([]string, error)
	Claimant(ctx context.Context, file string) (store.File, error)
	IsOutput(ctx context.Context, file, place string) (claimed, written bool, err error)
	WrittenTo(ctx context.Context, place string) ([]string, error)
	Inherited(ctx context.Context, folder int64) (inherited, known bool, err error)
	SetInherited(ctx context.Context, folder int64, inherited bool) error
	Counts(ctx context.Context) (map[int64]store.Counts, error)
}

// Options of a Manager. Zero durations and numbers stand for what is named.
type Options struct {
	Ledger     Ledger
	Translator Translator
	// Recipe names what else shapes an output: model and vocabulary. Files that
	// were translated by another are translated anew. "" is not known yet, and
	// fits all; call RescanAll when it is.
	Recipe func() string

	Quiet  time.Duration // without a change before a file counts as complete; 1 s
	Rescan time.Duration // between looks where the system reports changes; 15 min
	Poll   time.Duration // between looks where it does not; 30 s
	Retry  time.Duration // until a folder that failed is tried again, doubled each time up to 20 times; 30 s
	// How long an original must stay unchanged, by our own clock, before it is
	// moved away where the system does not tell whether a program still has it open
	// for writing: a file of another user, or on most network disks; 1 min.
	Unsure   time.Duration
	InFlight int // files in work a folder, so that one waits for the disk while another has the model; 3

	// The following may be nil, are called from several goroutines and must not
	// block for long.
	Notify func(api.Notice) // what has happened that the user should know
	// Say tells what goes on until Withdraw of the same key; later words replace
	// earlier ones.
	Say      func(key string, n api.Notice)
	Withdraw func(key string)
	Changed  func()        // Folders would answer differently
	Done     func(api.Job) // a file was translated into a language, or failed
}

func (o Options) complete() Options {
	if o.Recipe == nil {
		o.Recipe = func() string { return "" }
	}
	if o.Rescan <= 0 {
		o.Rescan = 15 * time.Minute
	}
	if o.Poll <= 0 {
		o.Poll = 30 * time.Second
	}
	if o.Retry <= 0 {
		o.Retry = 30 * time.Second
	}
	if o.Unsure <= 0 {
		o.Unsure = time.Minute
	}
	if o.InFlight <= 0 {
		o.InFlight = 3
	}
	if o.Notify == nil {
		o.Notify = func(api.Notice) {}
	}
	if o.Say == nil {
		o.Say = func(string, api.Notice) {}
	}
	if o.Withdraw == nil {
		o.Withdraw = func(string) {}
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	if o.Done == nil {
		o.Done = func(api.Job) {}
	}
	return o
}
