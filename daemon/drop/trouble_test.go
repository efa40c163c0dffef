package drop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
)

// faultyLedger is a ledger whose methods fail on demand.
type faultyLedger struct {
	Ledger
	mu   sync.Mutex
	err  error
	what []string
}

var errFault = fmt.Errorf("record: %w", store.ErrBusy)

func (f *faultyLedger) set(err error, methods ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err, f.what = err, methods
}

func (f *faultyLedger) fault(method string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.what {
		if m == method {
			return f.err
		}
	}
	return nil
}

func (f *faultyLedger) Accept(ctx context.Context, rows []store.File) error {
	if err := f.fault("Accept"); err != nil {
		return err
	}
	return f.Ledger.Accept(ctx, rows)
}

func (f *faultyLedger) Finish(ctx context.Context, row store.File) error {
	if err := f.fault("Finish"); err != nil {
		return err
	}
	return f.Ledger.Finish(ctx, row)
}

func (f *faultyLedger) IsOutput(ctx context.Context, file, place string) (claimed, written bool, err error) {
	if err := f.fault("IsOutput"); err != nil {
		return false, false, err
	}
	return f.Ledger.IsOutput(ctx, file, place)
}

// The database is locked by another program: nothing is lost, one message.
func TestLedgerThatCannotBeWritten(t *testing.T) {
	for _, method := range []string{"Accept", "Finish", "IsOutput"} {
		t.Run(method, func(t *testing.T) {
			b := newBench(t, quick)
			faulty := &faultyLedger{Ledger: b.store}
			faulty.set(errFault, method)
			b.opts.Ledger = faulty
			b.start()
			for i := range 30 {
				b.write(fmt.Sprintf("in/%d.txt", i), fmt.Sprintf("one %d", i))
			}
			id := b.add(settings(b.path("in"), "es"))
			if method != "IsOutput" {
				b.wait("the failure", func() bool { return b.status(id).State == api.FolderFailed })
				require.Contains(t, b.status(id).Message, store.ErrBusy.Error())
			} else {
				b.wait("the watch", func() bool { return b.status(id).State == api.FolderWatching })
			}
			faulty.set(nil)
			b.settled(id, 30)
			require.Len(t, files(t, b.path("in/translated")), 30)
			if method == "IsOutput" {
				require.Empty(t, b.told(), "nothing went wrong for the user")
			} else {
				b.toldOf(2) // one message, and one that it is over
			}
			require.Equal(t, api.FolderWatching, b.status(id).State)
		})
	}
}

// No model: work waits, and is not the files' fault.
func TestNoModel(t *testing.T) {
	b := newBench(t, quick)
	var mu sync.Mutex
	missing := true
	b.translator.before = func(context.Context, Request) error {
		mu.Lock()
		defer mu.Unlock()
		if missing {
			return &api.Problem{Status: 503, Code: api.CodeNoModel, Detail: "no model is installed: run `dragoman models pull`"}
		}
		return nil
	}
	b.start()
	for i := range 10 {
		b.write(fmt.Sprintf("in/%d.txt", i), "one two")
	}
	id := b.add(settings(b.path("in"), "es"))
	b.wait("the failure", func() bool { return b.status(id).State == api.FolderFailed })
	b.wait("all to be accepted", func() bool { return b.status(id).Waiting == 10 })
	require.Zero(t, b.status(id).Failed)
	mu.Lock()
	missing = false
	mu.Unlock()
	b.settled(id, 10)
	b.toldOf(2)
	require.Contains(t, b.firstTold(), "error: drop folder "+b.path("in")+": no model is installed")
}

// F25 in part: an output folder that cannot be made.
func TestOutputFolderIsAFile(t *testing.T) {
	b := newBench(t, quick).start()
	b.write("in/a.txt", "one two")
	b.write("in/b.txt", "three")
	b.write("in/translated", "a file is in the way")
	s := settings(b.path("in"), "es")
	id := b.add(s)
	b.wait("the failure", func() bool { return b.status(id).State == api.FolderFailed })
	require.Contains(t, b.firstTold(), "a file of that name is in the way")
	require.NoError(t, os.Remove(b.path("in/translated")))
	b.settled(id, 2)
	b.toldOf(2)
}

// Who has mended something need not wait for the next try.
func TestRescanTriesAtOnce(t *testing.T) {
	never := quick
	never.Retry = time.Hour
	t.Run("output", func(t *testing.T) {
		b := newBench(t, never).start()
		b.write("in/a.txt", "one two")
		b.write("in/translated", "a file is in the way")
		id := b.add(settings(b.path("in"), "es"))
		b.wait("the failure", func() bool { return b.status(id).State == api.FolderFailed })
		require.NoError(t, b.m.Rescan(t.Context(), id))
		require.NoError(t, os.Remove(b.path("in/translated")))
		require.NoError(t, b.m.Rescan(t.Context(), id))
		b.settled(id, 1)
		b.toldOf(2)
	})
	for _, method := range []string{"Accept", "Finish"} {
		t.Run(method, func(t *testing.T) {
			b := newBench(t, never)
			faulty := &faultyLedger{Ledger: b.store}
			faulty.set(errFault, method)
			b.opts.Ledger = faulty
			b.start()
			b.write("in/a.txt", "one two")
			id := b.add(settings(b.path("in"), "es"))
			b.wait("the failure", func() bool { return b.status(id).State == api.FolderFailed })
			faulty.set(nil)
			b.m.RescanAll()
			b.settled(id, 1)
			b.toldOf(2)
		})
	}
}

func TestEmptyTranslationIsAFailure(t *testing.T) {
	b := newBench(t, quick)
	b.opts.Translator = silent{}
	b.start()
	b.write("in/a.txt", "one two")
	id := b.add(settings(b.path("in"), "es"))
	b.wait("the failure", func() bool { return b.status(id).Failed == 1 })
	require.Empty(t, files(t, b.path("in/translated")))
	require.Contains(t, b.firstTold(), "came out empty")
}

// silent stands for a model that is silently wrong.
type silent struct{ notAligning }

func (silent) Translate(context.Context, Request) (Result, error) { return Result{Text: " \n"}, nil }

// Times are compared for equality only: a file from the future or the past is a
// file like any other.
func TestClocksThatAreWrong(t *testing.T) {
	b := newBench(t, quick).start()
	require.NoError(t, os.Mkdir(b.path("in"), 0o755))
	s := settings(b.path("in"), "es")
	id := b.add(s)
	for name, year := range map[string]int{"future": 2090, "past": 1980} {
		at := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		require.NoError(t, os.Chtimes(b.write("in/"+name+".txt", "one two"), at, at))
	}
	b.settled(id, 2)
	// The clock was set back between two versions of one length.
	at := time.Date(1970, 1, 2, 0, 0, 0, 0, time.UTC)
	require.NoError(t, os.Chtimes(b.write("in/past.txt", "two one"), at, at))
	b.restart(id, s)
	b.wait("the new words", func() bool { return b.read("in/translated/past.es.txt") == "es: one two" })
	b.settled(id, 2)
	require.Equal(t, 1, b.translator.count("future.txt", "es"))
	require.Empty(t, b.told())
}

func TestTroubleIsToldOnceAndRecoversOnce(t *testing.T) {
	g := gate{first: time.Second}
	require.True(t, g.admits())
	disk := &trouble{err: errors.New("full"), what: inOutput}
	news, pause := g.close(disk)
	require.True(t, news)
	require.Equal(t, time.Second, pause)
	require.False(t, g.admits())
	news, pause = g.close(disk) // one that was in work
	require.False(t, news)
	require.Zero(t, pause)
	last := time.Duration(0)
	for range 10 {
		g.trying = true
		require.True(t, g.admits())
		g.inside = true
		require.False(t, g.admits(), "one at a time")
		news, pause = g.close(disk)
		require.False(t, news)
		require.GreaterOrEqual(t, pause, last)
		last = pause
	}
	require.Equal(t, maxPauses*time.Second, last)
	g.again()
	g.inside = true
	g.again() // mended while a try was under way
	news, pause = g.close(disk)
	require.False(t, news)
	require.Zero(t, pause)
	require.True(t, g.admits())
	require.Equal(t, disk, g.open())
	require.True(t, g.admits())
	require.Nil(t, g.open())
}

// What is refused names files by name, never by what is in them.
func TestNoTextInMessages(t *testing.T) {
	b := newBench(t, quick)
	b.translator.before = failing
	b.start()
	b.write("in/a.txt", "secretword fail")
	b.write("in/b.txt", "secretword\x00")
	id := b.add(settings(b.path("in"), "es"))
	b.wait("both", func() bool { return b.status(id).Failed == 2 })
	require.NotContains(t, strings.Join(b.told(), "\n"), "secretword")
	row, err := b.store.File(t.Context(), id, "a.txt", "es")
	require.NoError(t, err)
	require.Equal(t, "the model does not like it", row.Error)
}
