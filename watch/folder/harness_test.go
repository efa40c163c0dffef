package folder

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/watch"
)

// running is a Folder at work on a real directory.
type running struct {
	t    *testing.T
	root string
	f    *Folder

	outside string // on the same disk

	items chan watch.Item

	mu      sync.Mutex
	notices []Notice
	noticed chan Notice
}

// start runs a folder until the test ends and then waits for it.
func start(t *testing.T, o Options, change func(*Folder)) *running {
	t.Helper()
	r := &running{t: t, root: o.Root, outside: t.TempDir(), items: make(chan watch.Item, 10_000), noticed: make(chan Notice, 1000)}
	o.Notify = func(n Notice) {
		r.mu.Lock()
		r.notices = append(r.notices, n)
		r.mu.Unlock()
		r.noticed <- n
	}
	f, err := New(o)
	require.NoError(t, err)
	if change != nil {
		change(f)
	}
	r.f = f
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx, func(i watch.Item) { r.items <- i }) }()
	t.Cleanup(func() {
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
	})
	return r
}

// scanning makes the folder work without a watcher: what remains are timers,
// which testing/synctest can fake, and files, which it need not.
func scanning(f *Folder) {
	f.open = func() (*notifier, error) { return nil, errors.New("no watcher in this test") }
}

// write puts a whole file in place at once. A live test has a short quiet
// period, in which a slow machine may not get from creating to writing.
func (r *running) write(rel, content string) {
	r.t.Helper()
	outside := filepath.Join(r.outside, "file")
	require.NoError(r.t, os.WriteFile(outside, []byte(content), 0o644))
	require.NoError(r.t, os.MkdirAll(filepath.Dir(r.path(rel)), 0o755))
	require.NoError(r.t, os.Rename(outside, r.path(rel)))
}

func (r *running) path(rel string) string { return filepath.Join(r.root, filepath.FromSlash(rel)) }

// want waits in real time for news of exactly these paths, in any order.
func (r *running) want(kind watch.Kind, rels ...string) {
	r.t.Helper()
	open := map[string]bool{}
	for _, rel := range rels {
		open[rel] = true
	}
	limit := time.After(30 * time.Second) // only for a test that fails
	for len(open) > 0 {
		select {
		case i := <-r.items:
			require.Equal(r.t, kind, i.Kind, "%+v", i)
			require.True(r.t, open[i.Path], "not expected: %q", i.Path)
			delete(open, i.Path)
		case <-limit:
			require.Empty(r.t, open, "not told")
		}
	}
}

func (r *running) wantNotice(over bool) error {
	r.t.Helper()
	select {
	case n := <-r.noticed:
		require.Equal(r.t, over, n.Over, "%v", n)
		return n.Err
	case <-time.After(30 * time.Second):
		require.Fail(r.t, "no notice")
	}
	return nil
}

// after lets fake time pass and returns what was told in it, as "kind path".
func (r *running) after(d time.Duration) []string {
	time.Sleep(d)
	synctest.Wait()
	told := []string{}
	for {
		select {
		case i := <-r.items:
			told = append(told, i.Kind.String()+" "+i.Path)
		default:
			return told
		}
	}
}

func (r *running) problems() (told, over []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range r.notices {
		if n.Over {
			over = append(over, n.Err.Error())
			continue
		}
		told = append(told, n.Err.Error())
	}
	return told, over
}
