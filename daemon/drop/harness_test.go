package drop

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
	"dragoman/watch"
	"dragoman/watch/document/segment"
)

// fakeTranslator stands for the model: it turns the words of each line round
// and puts the target language in front, so that every output tells of what and
// into what it was made. A word "fail" makes it fail.
type fakeTranslator struct {
	notAligning
	before func(ctx context.Context, r Request) error // may be nil
	end    string                                     // of each translation: another model has another

	mu    sync.Mutex
	asked map[string]int // by path and language
	all   int
}

// notAligning is a fake: a model that does not show which words stand for which.
type notAligning struct{}

func (notAligning) Align(context.Context, []segment.Pair, string, string) ([][]segment.Link, error) {
	return nil, segment.ErrNoAlignment
}

func (f *fakeTranslator) Translate(ctx context.Context, r Request) (Result, error) {
	f.mu.Lock()
	if f.asked == nil {
		f.asked = map[string]int{}
	}
	f.asked[r.Path+" "+r.To]++
	f.all++
	end := f.end
	f.mu.Unlock()
	if f.before != nil {
		if err := f.before(ctx, r); err != nil {
			return Result{}, err
		}
	}
	return Result{Text: reversed(r.Text, r.To) + end, From: r.From, Sentences: 1}, ctx.Err()
}

func (f *fakeTranslator) count(rel, lang string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked[rel+" "+lang]
}

func (f *fakeTranslator) total() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.all
}

func reversed(text, lang string) string {
	if strings.TrimSpace(text) == "" {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		words := strings.Fields(line)
		slices.Reverse(words)
		lines[i] = strings.Join(words, " ")
	}
	return lang + ": " + strings.Join(lines, "\n")
}

// slowly makes translations take random milliseconds.
func slowly(most time.Duration) func(context.Context, Request) error {
	return func(ctx context.Context, _ Request) error {
		select {
		case <-time.After(rand.N(most)):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// bench is a Manager with a real ledger at work on real folders.
type bench struct {
	t          *testing.T
	dir        string
	store      *store.Store
	translator *fakeTranslator
	opts       Options
	m          *Manager
	stop       func()

	mu      sync.Mutex
	recipe  string
	notices []api.Notice
	saying  map[string]string
	jobs    []api.Job
	news    chan struct{}
}

// quick makes tests quick; what they find is found by events or the first scan.
var quick = Options{Quiet: 20 * time.Millisecond, Rescan: time.Hour, Poll: 50 * time.Millisecond, Retry: 50 * time.Millisecond, Unsure: 50 * time.Millisecond}

func newBench(t *testing.T, o Options) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), translator: &fakeTranslator{}, recipe: "fake", saying: map[string]string{}, news: make(chan struct{}, 1)}
	b.opts = o
	b.openStore()
	t.Cleanup(func() { b.end() })
	return b
}

func (b *bench) openStore() {
	b.t.Helper()
	s, err := store.Open(b.t.Context(), filepath.Join(b.dir, "state", "state.db"), store.Options{})
	require.NoError(b.t, err)
	b.store = s
}

func (b *bench) changed() {
	select {
	case b.news <- struct{}{}:
	default:
	}
}

// start runs a new Manager, as a process that starts does.
func (b *bench) start() *bench {
	b.t.Helper()
	o := b.opts
	if o.Ledger == nil {
		o.Ledger = b.store
	}
	if o.Translator == nil {
		o.Translator = b.translator
	}
	o.Recipe = func() string { b.mu.Lock(); defer b.mu.Unlock(); return b.recipe }
	o.Changed = b.changed
	o.Notify = func(n api.Notice) {
		b.mu.Lock()
		b.notices = append(b.notices, n)
		b.mu.Unlock()
		b.changed()
	}
	o.Say = func(key string, n api.Notice) {
		b.mu.Lock()
		b.saying[key] = n.Message
		b.mu.Unlock()
		o.Notify(n)
	}
	o.Withdraw = func(key string) {
		b.mu.Lock()
		message := b.saying[key]
		delete(b.saying, key)
		b.mu.Unlock()
		o.Notify(api.Notice{Level: "info", Message: "no longer: " + message})
	}
	o.Done = func(j api.Job) {
		b.mu.Lock()
		b.jobs = append(b.jobs, j)
		b.mu.Unlock()
		b.changed()
	}
	b.m = New(o)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- b.m.Run(ctx) }()
	b.stop = func() {
		cancel()
		require.ErrorIs(b.t, <-ended, context.Canceled)
		b.stop = nil
	}
	return b
}

// end stops everything.
func (b *bench) end() {
	if b.stop != nil {
		b.stop()
	}
	if b.store != nil {
		require.NoError(b.t, b.store.Close())
		b.store = nil
	}
}

// restart ends the process as far as a test can within one, and starts anew.
func (b *bench) restart(id int64, s api.FolderSettings) {
	b.t.Helper()
	b.end()
	b.openStore()
	b.start()
	require.NoError(b.t, b.m.Add(id, s))
}

// add takes on a folder as the daemon does.
func (b *bench) add(s api.FolderSettings) int64 {
	b.t.Helper()
	id, err := b.store.PutFolder(b.t.Context(), store.Folder{Path: s.Path, Settings: []byte("{}")})
	require.NoError(b.t, err)
	require.NoError(b.t, b.m.Add(id, s))
	return id
}

func (b *bench) path(rel string) string { return filepath.Join(b.dir, filepath.FromSlash(rel)) }

// write puts a whole file in place at once, with its folders.
func (b *bench) write(rel, content string) string {
	b.t.Helper()
	path := b.path(rel)
	require.NoError(b.t, os.MkdirAll(filepath.Dir(path), 0o755))
	outside := filepath.Join(b.dir, "outside")
	require.NoError(b.t, os.WriteFile(outside, []byte(content), 0o644))
	require.NoError(b.t, os.Rename(outside, path))
	return path
}

func (b *bench) read(rel string) string {
	b.t.Helper()
	content, err := os.ReadFile(b.path(rel))
	require.NoError(b.t, err)
	return string(content)
}

// wait waits until cond holds; it is looked at whenever something has changed.
func (b *bench) wait(what string, cond func() bool) {
	b.t.Helper()
	const patience = time.Minute // without any progress; only for a test that fails
	limit, done := time.NewTimer(patience), b.translator.total()
	defer limit.Stop()
	for !cond() {
		select {
		case <-b.news:
			if now := b.translator.total(); now > done {
				done = now
				limit.Reset(patience)
			}
		case <-limit.C:
			b.t.Fatalf("waited in vain for %s; folders: %+v, notices: %v", what, b.m.Folders(), b.told())
		}
	}
}

// settled waits until a folder has that many rows that are done and nothing is
// left to do.
func (b *bench) settled(id int64, done int) {
	b.t.Helper()
	b.wait("all files", func() bool {
		s := b.status(id)
		return s.Waiting == 0 && int(s.Done) == done && s.State != api.FolderStarting
	})
}

func (b *bench) status(id int64) api.FolderStatus {
	b.t.Helper()
	for _, f := range b.m.Folders() {
		if f.ID == id {
			return f.Status
		}
	}
	b.t.Fatalf("no folder %d", id)
	return api.FolderStatus{}
}

func (b *bench) told() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var messages []string
	for _, n := range b.notices {
		messages = append(messages, n.Level+": "+n.Message)
	}
	return messages
}

// firstTold waits for the first notice, which may come a little later than what it
// is about shows.
func (b *bench) firstTold() string {
	b.t.Helper()
	b.wait("a notice", func() bool { return len(b.told()) > 0 })
	return b.told()[0]
}

// toldOf waits for so many notices and makes sure that there are no more.
func (b *bench) toldOf(n int) {
	b.t.Helper()
	b.wait(fmt.Sprint(n, " notices"), func() bool { return len(b.told()) >= n })
	require.Len(b.t, b.told(), n)
}

// files are the visible files below a folder, by path, with what is in them.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() || strings.HasPrefix(entry.Name(), watch.OwnPrefix) {
			return nil // links to folders are not followed
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		found[filepath.ToSlash(rel)] = string(content)
		return err
	})
	if os.IsNotExist(err) {
		return found
	}
	require.NoError(t, err)
	return found
}

// temporaries are unfinished files below a folder.
func temporaries(t *testing.T, dir string) (found []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(entry.Name(), watch.OwnPrefix+"-") && strings.HasSuffix(entry.Name(), ".tmp") {
			found = append(found, path)
		}
		return err
	}))
	return found
}

func settings(path string, to ...string) api.FolderSettings {
	return api.FolderSettings{Path: path, From: "en", To: to, Recursive: true}
}
