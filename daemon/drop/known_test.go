package drop

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/store"
)

// countingLedger counts what is asked for single files.
type countingLedger struct {
	Ledger
	asked atomic.Int64
	more  atomic.Int64 // once it was known that a file is an output
}

func (c *countingLedger) File(ctx context.Context, folder int64, path, lang string) (store.File, error) {
	c.asked.Add(1)
	return c.Ledger.File(ctx, folder, path, lang)
}

func (c *countingLedger) IsOutput(ctx context.Context, file, place string) (bool, bool, error) {
	c.asked.Add(1)
	return c.Ledger.IsOutput(ctx, file, place)
}

func (c *countingLedger) WrittenTo(ctx context.Context, place string) ([]string, error) {
	c.more.Add(1)
	return c.Ledger.WrittenTo(ctx, place)
}

func (c *countingLedger) Claimant(ctx context.Context, file string) (store.File, error) {
	c.more.Add(1)
	return c.Ledger.Claimant(ctx, file)
}

// Outputs among the inputs are known by one question each: they are not read.
func TestStartWithOutputsBeside(t *testing.T) {
	b := newBench(t, quick)
	counting := &countingLedger{Ledger: b.store}
	b.opts.Ledger = counting
	b.start()
	for i := range 20 {
		b.write(fmt.Sprintf("in/%d.txt", i), fmt.Sprint("number ", i))
	}
	s := beside(b.path("in"), "es")
	id := b.add(s)
	b.settled(id, 20)
	b.end()

	b.openStore()
	counting.Ledger = b.store
	counting.asked.Store(0)
	b.start()
	require.NoError(t, b.m.Add(id, s))
	b.marker(id, "new")
	require.GreaterOrEqual(t, counting.asked.Load(), int64(20))
	require.Zero(t, counting.more.Load())
	require.Equal(t, 21, b.translator.total())
}

// A start asks nothing about files that are done. What is no longer as it was is
// found all the same.
func TestStartWithFilesThatAreDone(t *testing.T) {
	b := newBench(t, quick).start()
	for i := range 100 {
		b.write(fmt.Sprintf("in/%d/%d.txt", i%5, i), fmt.Sprint("number ", i))
	}
	s := settings(b.path("in"), "es", "fr")
	id := b.add(s)
	b.settled(id, 200)
	b.end()

	b.openStore()
	counting := &countingLedger{Ledger: b.store}
	b.opts.Ledger = counting
	b.start()
	require.NoError(t, b.m.Add(id, s))
	b.write("in/new.txt", "a new one")
	b.settled(id, 202)
	require.Less(t, counting.asked.Load(), int64(20), "the new one and its outputs")
	require.Equal(t, 202, b.translator.total())
	b.end()

	require.NoError(t, os.Remove(b.path("in/translated/0/0.fr.txt")))
	b.write("in/1/1.txt", "other words")
	b.touch("in/2/2.txt", time.Unix(1e9, 0))
	require.NoError(t, os.RemoveAll(b.path("in/translated/3/3.es.txt")))
	require.NoError(t, os.Mkdir(b.path("in/translated/3/3.es.txt"), 0o755)) // no file any more
	b.openStore()
	b.opts.Ledger = nil
	b.start()
	require.NoError(t, b.m.Add(id, s))
	b.wait("what has changed", func() bool { return b.translator.total() == 202+1+2+1 })
	b.settled(id, 202)
	require.Equal(t, "fr: 0 number", b.read("in/translated/0/0.fr.txt"))
	require.Equal(t, "es: words other", b.read("in/translated/1/1.es.txt"))

	// What was left out of the first look is not left out of a later one.
	require.NoError(t, os.Remove(b.path("in/translated/4/4.es.txt")))
	require.NoError(t, b.m.Rescan(t.Context(), id))
	b.wait("the output", func() bool { return exists(b.path("in/translated/4/4.es.txt")) })
	require.NoError(t, os.Remove(b.path("in/4/9.txt")))
	require.NoError(t, os.RemoveAll(b.path("in/translated/4/9.es.txt")))
	require.NoError(t, os.RemoveAll(b.path("in/translated/4/9.fr.txt")))
	b.write("in/4/14.txt", "words that changed")
	b.wait("the new words", func() bool { return b.read("in/translated/4/14.es.txt") == "es: changed that words" })
}
