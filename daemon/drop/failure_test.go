package drop

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
)

// touch gives a file another time.
func (b *bench) touch(rel string, at time.Time) {
	b.t.Helper()
	require.NoError(b.t, os.Chtimes(b.path(rel), at, at))
}

// marker waits until a new file is done, and so whatever was found before it.
func (b *bench) marker(id int64, name string) {
	b.t.Helper()
	b.write("in/"+name+".txt", name)
	b.wait(name, func() bool {
		row, err := b.store.File(b.t.Context(), id, name+".txt", "es")
		return err == nil && row.State == store.Done && b.status(id).Waiting == 0
	})
}

// What a user cancelled stays so, whatever else happens, until it has another
// content or is asked for again.
func TestCancelledStaysCancelled(t *testing.T) {
	b := newBench(t, quick)
	gate := newHeld()
	b.translator.before = gate.wait
	b.start()
	b.write("in/a.txt", "one two")
	s := settings(b.path("in"), "es")
	id := b.add(s)
	gate.entered(t)
	known, err := b.m.Cancel(t.Context(), id, "a.txt")
	require.NoError(t, err)
	require.True(t, known)
	row, err := b.store.File(t.Context(), id, "a.txt", "es")
	require.NoError(t, err)
	require.Equal(t, store.Cancelled, row.State, "on the disk before it is answered")
	gate.open()

	asked := b.translator.count("a.txt", "es")
	alone := func(what string) {
		t.Helper()
		require.Equal(t, asked, b.translator.count("a.txt", "es"), what)
		require.Equal(t, int64(1), b.status(id).Cancelled, what)
	}
	b.restart(id, s)
	b.marker(id, "m1")
	alone("a start")
	require.NoError(t, b.m.Rescan(t.Context(), id))
	b.marker(id, "m2")
	alone("a rescan")
	b.mu.Lock()
	b.recipe = "another"
	b.mu.Unlock()
	b.restart(id, s)
	b.marker(id, "m3")
	alone("another model")
	b.touch("in/a.txt", time.Unix(1e9, 0))
	b.restart(id, s)
	b.marker(id, "m4")
	alone("only touched")
	row, err = b.store.File(t.Context(), id, "a.txt", "es")
	require.NoError(t, err)
	require.Equal(t, time.Unix(1e9, 0).UnixNano(), row.MTime, "the next look is quick")

	require.NoError(t, b.m.Retry(t.Context(), id, "a.txt"))
	b.settled(id, 5)
	require.Equal(t, "es: two one", b.read("in/translated/a.es.txt"))
}

func TestCancelledIsTakenWithAnotherContent(t *testing.T) {
	b := newBench(t, quick)
	gate := newHeld()
	b.translator.before = gate.wait
	b.start()
	b.write("in/a.txt", "one two")
	s := settings(b.path("in"), "es")
	id := b.add(s)
	gate.entered(t)
	_, err := b.m.Cancel(t.Context(), id, "a.txt")
	require.NoError(t, err)
	gate.open()
	b.write("in/a.txt", "two one") // of the same size
	b.touch("in/a.txt", time.Unix(1e9, 0))
	b.restart(id, s)
	b.settled(id, 1)
	require.Equal(t, "es: one two", b.read("in/translated/a.es.txt"))
	require.Zero(t, b.status(id).Cancelled)
}

// A file is cancelled and retried while its folder is paused, too.
func TestCancelAndRetryWhilePaused(t *testing.T) {
	b := newBench(t, quick)
	gate := newHeld()
	b.translator.before = gate.wait
	b.start()
	b.write("in/a.txt", "one two")
	id := b.add(settings(b.path("in"), "es"))
	gate.entered(t)
	require.NoError(t, b.m.Pause(id))
	known, err := b.m.Cancel(t.Context(), id, "a.txt")
	require.NoError(t, err)
	require.True(t, known)
	require.Equal(t, int64(1), b.status(id).Cancelled)
	gate.open()
	require.NoError(t, b.m.Resume(id))
	b.marker(id, "m")
	require.Equal(t, int64(1), b.status(id).Cancelled)
	require.NoError(t, b.m.Pause(id))
	require.NoError(t, b.m.Retry(t.Context(), id, "a.txt"))
	require.NoError(t, b.m.Resume(id))
	b.settled(id, 2)
}

// A failed file is tried again when something that it depends on has changed,
// or when a user asks, and not with each start.
func TestFailedIsTriedAgainWhenSomethingChanged(t *testing.T) {
	b := newBench(t, quick)
	b.translator.before = failing
	b.start()
	b.write("in/bad.txt", "please fail")
	s := settings(b.path("in"), "es")
	id := b.add(s)
	b.wait("the failure", func() bool { return b.status(id).Failed == 1 })
	tries := 1
	again := func(what string, change func()) {
		t.Helper()
		tries++
		change()
		b.wait(what, func() bool { return b.translator.count("bad.txt", "es") == tries && b.status(id).Failed == 1 })
	}
	b.restart(id, s)
	b.marker(id, "m1")
	b.touch("in/bad.txt", time.Unix(1e9, 0))
	b.restart(id, s)
	b.marker(id, "m2")
	require.Equal(t, tries, b.translator.count("bad.txt", "es"), "neither a start nor a new time")

	again("another content", func() { b.write("in/bad.txt", "fail please") })
	again("another model", func() {
		b.mu.Lock()
		b.recipe = "another"
		b.mu.Unlock()
		b.m.RescanAll()
	})
	again("a rescan", func() { require.NoError(t, b.m.Rescan(t.Context(), id)) })
	again("a retry", func() { require.NoError(t, b.m.Retry(t.Context(), id, "bad.txt")) })
	again("another language", func() { s.From = "de"; require.NoError(t, b.m.Update(id, s)) })
	again("another place", func() { s.Output = "Spanish"; require.NoError(t, b.m.Update(id, s)) })
	again("something in its place", func() {
		b.write("in/Spanish/bad.es.txt", "mine")
		b.m.RescanAll()
	})
}

// A file that is no text fails whatever the model; that is told once.
func TestWhatIsNoTextFailsOnce(t *testing.T) {
	b := newBench(t, quick)
	b.recipe = ""
	b.start()
	b.write("in/bad.txt", "abc\x00")
	s := settings(b.path("in"), "es")
	id := b.add(s)
	b.wait("the failure", func() bool { return b.status(id).Failed == 1 })
	b.mu.Lock()
	b.recipe = "first"
	b.mu.Unlock()
	b.m.RescanAll()
	b.marker(id, "m1")
	b.restart(id, s)
	b.marker(id, "m2")
	require.Len(t, b.told(), 1)
	require.Equal(t, int64(1), b.status(id).Failed)
}

// What the system may allow later is tried again by itself and at each start.
func TestFailureThatMayPass(t *testing.T) {
	d := newDropFolder(Options{Ledger: noLedger{}}.complete(), plan{settings: api.FolderSettings{To: []string{"es"}}})
	b := newBench(t, quick)
	d.opts.Ledger = b.store
	d.root, d.base = b.path("in"), b.path("in/translated")
	b.write("in/a.txt", "one two")
	folder, err := b.store.PutFolder(t.Context(), store.Folder{Path: d.root, Settings: []byte("{}")})
	require.NoError(t, err)
	d.id = folder
	require.NoError(t, b.store.Accept(t.Context(), []store.File{{Folder: folder, Path: "a.txt", Lang: "es", Output: filepath.Join(d.base, "a.es.txt")}}))
	now := attemptAt(d.path("a.txt"))
	state := func(cause error) (store.File, bool) {
		_, err := d.failAll(t.Context(), "a.txt", cause, now)
		require.NoError(t, err)
		row, err := b.store.File(t.Context(), folder, "a.txt", "es")
		require.NoError(t, err)
		left, err := d.leftAlone(t.Context(), row, now, "")
		require.NoError(t, err)
		return row, left
	}
	row, left := state(errUnreadable{os.ErrPermission})
	require.Equal(t, store.Failed, row.State)
	require.Equal(t, "permission denied", row.Error)
	require.False(t, left)
	require.NoError(t, b.store.Accept(t.Context(), []store.File{row}))
	_, left = state(os.ErrInvalid)
	require.True(t, left)
}
