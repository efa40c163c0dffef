package folder

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/require"

	"dragoman/internal/usertest"
	"dragoman/watch"
)

// byEvents makes the scan too slow to help: what is told was found by events.
var byEvents = Options{Recursive: true, Quiet: 20 * time.Millisecond, Rescan: time.Hour, Poll: time.Hour}

// live starts a folder with a real watcher and waits until it watches.
func live(t *testing.T, o Options, change func(*Folder)) *running {
	t.Helper()
	if o.Root == "" {
		o.Root = t.TempDir()
	}
	if sendsNoEvents(o.Root) {
		t.Skip("the temporary folder is on a file system without events")
	}
	require.NoError(t, os.WriteFile(filepath.Join(o.Root, "first.txt"), nil, 0o644))
	r := start(t, o, change)
	r.want(watch.FileSettled, "first.txt") // F8: found by the first scan, which came after watching
	return r
}

func TestEventsFindFiles(t *testing.T) {
	r := live(t, byEvents, nil)
	r.write("a.txt", "x")
	r.want(watch.FileSettled, "a.txt")
	f, err := os.OpenFile(r.path("a.txt"), os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString("changed in place")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	r.want(watch.FileSettled, "a.txt")

	// The way editors save: a temporary file renamed over the real one.
	r.write("a.txt.tmp", "saved by an editor")
	require.NoError(t, os.Rename(r.path("a.txt.tmp"), r.path("a.txt")))
	r.want(watch.FileSettled, "a.txt")

	require.NoError(t, os.Remove(r.path("a.txt")))
	r.want(watch.FileGone, "a.txt")
}

// F15: a tree made in one go, and symbolic links in a new folder.
func TestNewTreesAreFollowed(t *testing.T) {
	r := live(t, byEvents, nil)
	r.write("a/b/c/deep.txt", "x")
	r.want(watch.FileSettled, "a/b/c/deep.txt")
	r.write("a/b/c/later.txt", "x")
	r.want(watch.FileSettled, "a/b/c/later.txt")

	// Moved in from outside: one event for the whole tree.
	outside := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(outside, "x", "y"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(outside, "x", "y", "in.txt"), nil, 0o644))
	require.NoError(t, os.Rename(filepath.Join(outside, "x"), r.path("x")))
	r.want(watch.FileSettled, "x/y/in.txt")
	require.NoError(t, os.Rename(r.path("x"), filepath.Join(outside, "x")))
	r.want(watch.FileGone, "x/y/in.txt")
	require.NoError(t, os.Rename(filepath.Join(outside, "x"), r.path("x")))
	r.want(watch.FileSettled, "x/y/in.txt")
}

func TestSymbolicLinksStayInside(t *testing.T) {
	outside, root := t.TempDir(), t.TempDir()
	secret := filepath.Join(outside, "secret.txt")
	require.NoError(t, os.WriteFile(secret, []byte("x"), 0o644))
	for _, dir := range []string{"new", "translated"} {
		require.NoError(t, os.Mkdir(filepath.Join(root, dir), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "real.txt"), []byte("x"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(root, "translated", "real.es.txt"), []byte("x"), 0o644))
	for link, target := range map[string]string{
		"new/good.txt":   "../real.txt",
		"new/out.txt":    secret,
		"new/up":         "..",
		"new/self":       ".",
		"new/dir":        outside,
		"new/none.txt":   "nothing.txt",
		"new/loop.txt":   "loop.txt",
		"new/output.txt": "../translated/real.es.txt",
	} {
		if err := os.Symlink(target, filepath.Join(root, filepath.FromSlash(link))); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	o := byEvents
	o.Root = root
	require.NoError(t, os.WriteFile(filepath.Join(root, "first.txt"), nil, 0o644))
	r := start(t, o, nil)
	r.want(watch.FileSettled, "first.txt", "real.txt", "new/good.txt")
	require.NoError(t, os.Symlink(secret, r.path("late.txt")))
	r.write("last.txt", "x")
	r.want(watch.FileSettled, "last.txt")
}

// F16: as many items as files, whatever the watcher loses.
func TestManyFilesAtOnce(t *testing.T) {
	r := live(t, byEvents, nil)
	var rels []string
	for i := range 2000 {
		rel := fmt.Sprintf("%d/%d.txt", i%7, i)
		rels = append(rels, rel)
		r.write(rel, rel)
	}
	r.want(watch.FileSettled, rels...)
}

// F24 with a watcher: the watch dies with the folder and must be made again.
func TestRootIsReplaced(t *testing.T) {
	o := byEvents
	o.Root = filepath.Join(t.TempDir(), "drop")
	o.Poll = 20 * time.Millisecond
	require.NoError(t, os.Mkdir(o.Root, 0o755))
	r := live(t, o, nil)
	require.NoError(t, os.Rename(o.Root, o.Root+" away"))
	require.ErrorIs(t, r.wantNotice(false), ErrMissing)
	require.NoError(t, os.Mkdir(o.Root, 0o755))
	require.ErrorIs(t, r.wantNotice(true), ErrMissing)
	r.want(watch.FileGone, "first.txt") // another folder, without that file
	r.write("new/a.txt", "x")
	r.want(watch.FileSettled, "new/a.txt")

	require.NoError(t, os.RemoveAll(o.Root))
	require.ErrorIs(t, r.wantNotice(false), ErrMissing)
}

// F14: inotify's limits, by a watcher that has none of the folders to give.
func TestWatchLimitIsNamedAndScanned(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the limits are inotify's")
	}
	o := byEvents
	o.Root = t.TempDir()
	o.Poll = 20 * time.Millisecond
	o.Rescan = 100 * time.Millisecond // on a busy machine the pace of looks would be minutes, see pace
	require.NoError(t, os.MkdirAll(filepath.Join(o.Root, "deep", "er"), 0o755))
	limited := make(chan bool, 1)
	limited <- true
	r := start(t, o, func(f *Folder) {
		f.open = func() (*notifier, error) { return limitedNotifier(o.Root, limited), nil }
	})
	err := r.wantNotice(false)
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.ErrorContains(t, err, "fs.inotify.max_user_watches")
	r.write("deep/er/a.txt", "x")
	r.want(watch.FileSettled, "deep/er/a.txt")
	r.write("deep/er/b.txt", "x")
	r.want(watch.FileSettled, "deep/er/b.txt")
	told, _ := r.problems()
	require.Len(t, told, 1, "once, not once a folder and scan")

	<-limited // the user raises the limit
	limited <- false
	require.ErrorIs(t, r.wantNotice(true), syscall.ENOSPC)
}

// limitedNotifier stands for inotify with max_user_watches used up: only the
// root can be watched while limited holds true.
func limitedNotifier(root string, limited chan bool) *notifier {
	events, errs := make(chan fsnotify.Event), make(chan error)
	return &notifier{
		events: events, errs: errs,
		add: func(dir string) error {
			full := <-limited
			limited <- full
			if full && filepath.Base(dir) != filepath.Base(root) {
				return os.NewSyscallError("inotify_add_watch", syscall.ENOSPC)
			}
			return nil
		},
		close: func() error { close(events); close(errs); return nil },
	}
}

func TestInstanceLimitIsNamedAndScanned(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the limits are inotify's")
	}
	o := byEvents
	o.Root = t.TempDir()
	o.Poll = 20 * time.Millisecond
	o.Rescan = 100 * time.Millisecond // on a busy machine the pace of looks would be minutes, see pace
	full := make(chan bool, 1)
	full <- true
	r := start(t, o, func(f *Folder) {
		f.open = func() (*notifier, error) {
			now := <-full
			full <- now
			if now {
				return nil, os.NewSyscallError("inotify_init1", syscall.EMFILE)
			}
			return openNotifier()
		}
	})
	require.ErrorContains(t, r.wantNotice(false), "fs.inotify.max_user_instances")
	r.write("a.txt", "x")
	r.want(watch.FileSettled, "a.txt")
	<-full
	full <- false
	require.ErrorIs(t, r.wantNotice(true), syscall.EMFILE)
}

// Any error of the watcher may stand for lost events.
func TestErrorOfTheWatcherScans(t *testing.T) {
	o := byEvents
	o.Root = t.TempDir()
	events, errs := make(chan fsnotify.Event), make(chan error)
	r := live(t, o, func(f *Folder) {
		f.open = func() (*notifier, error) {
			return &notifier{
				events: events, errs: errs, add: func(string) error { return nil },
				close: func() error { close(events); close(errs); return nil },
			}, nil
		}
	})
	r.write("unheard.txt", "x")
	errs <- fsnotify.ErrEventOverflow
	r.want(watch.FileSettled, "unheard.txt")
}

// A watcher that ends by itself is replaced.
func TestBrokenWatcherIsReplaced(t *testing.T) {
	o := byEvents
	o.Root = t.TempDir()
	events := make(chan fsnotify.Event)
	first := true
	r := live(t, o, func(f *Folder) {
		f.open = func() (*notifier, error) {
			if !first {
				return openNotifier()
			}
			first = false
			return &notifier{
				events: events, errs: make(chan error), add: func(string) error { return nil },
				close: func() error { return nil },
			}, nil
		}
	})
	close(events)
	r.write("a.txt", "x")
	r.want(watch.FileSettled, "a.txt")
}

// F9 in part: what cannot be opened is told once and keeps nothing else back.
func TestUnreadableFileIsToldOnce(t *testing.T) {
	inFakeTime(t, Options{}, func(t *testing.T, r *running) {
		usertest.Bind(t, r.root, r.outside)
		r.write("bad.txt", "x")
		require.NoError(t, os.Chmod(r.path("bad.txt"), 0))
		r.write("good.txt", "x")
		require.Equal(t, []string{"settled good.txt"}, r.after(time.Hour))
		told, _ := r.problems()
		require.Len(t, told, 2) // the missing watcher of this test, and the file
		require.Contains(t, told[1], r.path("bad.txt"))
		require.NoError(t, os.Chmod(r.path("bad.txt"), 0o644))
		require.Equal(t, []string{"settled bad.txt"}, r.after(2*time.Minute))
	})
}

func TestRunEndsAtOnceAndCanRunAgain(t *testing.T) {
	root := t.TempDir()
	f, err := New(Options{Root: root, Quiet: time.Millisecond})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(root, "a.txt"), nil, 0o644))
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		err := f.Run(ctx, func(i watch.Item) {
			require.Equal(t, root, i.Root)
			require.Equal(t, "a.txt", i.Path)
			cancel()
		})
		require.ErrorIs(t, err, context.Canceled)
	}
}

// On Linux /proc is a file system that reports nothing.
func TestSpecialFileSystemsAreScanned(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks at /proc")
	}
	require.True(t, sendsNoEvents("/proc"))
	require.False(t, sendsNoEvents(filepath.Join(t.TempDir(), "missing")))
}

func TestNamedPipeIsNoInput(t *testing.T) {
	inFakeTime(t, Options{}, func(t *testing.T, r *running) {
		makePipe(t, r.path("pipe.txt"))
		r.write("a.txt", "x")
		require.Equal(t, []string{"settled a.txt"}, r.after(time.Minute))
		require.NoError(t, os.Remove(r.path("a.txt")))
		makePipe(t, r.path("a.txt"))
		require.Equal(t, []string{"gone a.txt"}, r.after(time.Minute))
	})
}

// TestTranslationsOfAnotherWatchAreNoInput: two watches on one folder, for two
// languages, would feed each other for ever.
func TestTranslationsOfAnotherWatchAreNoInput(t *testing.T) {
	for name, o := range map[string]Options{"by events": byEvents, "by scanning": {Recursive: true, Quiet: 20 * time.Millisecond, Rescan: 30 * time.Millisecond, Poll: 30 * time.Millisecond}} {
		t.Run(name, func(t *testing.T) {
			o.Root = t.TempDir()
			earlier := filepath.Join(o.Root, "earlier", "deep")
			require.NoError(t, os.MkdirAll(earlier, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(o.Root, "earlier", watch.OwnPrefix+".fr.jsonl"), nil, 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(earlier, "old.fr.txt"), nil, 0o644))
			r := live(t, o, nil)
			r.write("fr/"+watch.OwnPrefix+".fr.lock", "")
			r.write("fr/a.fr.txt", "Bonjour")
			r.write("fr/deep/b.fr.txt", "Bonjour")
			r.write("other/c.txt", "a folder like any other")
			r.want(watch.FileSettled, "other/c.txt")
			r.write("last.txt", "what was written before it would be told before it")
			r.want(watch.FileSettled, "last.txt")
		})
	}
}
