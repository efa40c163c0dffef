package folder

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/watch"
)

// polling is a session without events that is stepped through by hand.
type polling struct {
	*session
	t    *testing.T
	root string
	now  time.Time
	told []string
}

func newPolling(t *testing.T, o Options) *polling {
	t.Helper()
	p := &polling{t: t, root: t.TempDir(), now: time.Now()}
	o.Root, o.NoEvents, o.Quiet = p.root, true, time.Millisecond
	o.Notify = func(Notice) {}
	f, err := New(o)
	require.NoError(t, err)
	p.session = newSession(f, func(i watch.Item) { p.told = append(p.told, i.Kind.String()+" "+i.Path) })
	return p
}

// write makes a file, or writes it in place.
func (p *polling) write(rel, content string) {
	p.t.Helper()
	require.NoError(p.t, os.WriteFile(p.abs(rel), []byte(content), 0o644))
}

func (p *polling) abs(rel string) string { return p.root + "/" + rel }

// after lets d pass in steps, as Run does, and returns what was told.
func (p *polling) after(d time.Duration) []string {
	p.told = []string{}
	for end := p.now.Add(d); p.now.Before(end); {
		p.now = p.now.Add(time.Second)
		p.step(p.t.Context(), p.now)
	}
	return p.told
}

// slow makes the session believe that a look at every file took so long.
func (p *polling) slow(took time.Duration) {
	p.took = [2]time.Duration{took, took}
	p.nextScan = p.now.Add(p.pace())
}

// Where looking at every file takes long, that is done seldom; what is new or
// gone is still found at the usual pace.
func TestPollingOfLargeFoldersCostsLittle(t *testing.T) {
	p := newPolling(t, Options{Recursive: true, Poll: 30 * time.Second, Rescan: time.Hour})
	require.NoError(t, os.MkdirAll(p.abs("sub/deep"), 0o755))
	for i := range 10 {
		p.write(fmt.Sprintf("sub/%d.txt", i), "x")
	}
	require.Len(t, p.after(5*time.Second), 10)
	p.after(2 * time.Minute) // folders that have just changed are listed twice
	require.Equal(t, 30*time.Second, p.pace())
	require.Contains(t, p.f.State().Reason, "looked at every 30 seconds: ")

	p.slow(300 * time.Millisecond)
	require.Equal(t, 16*time.Minute, p.pace())
	scan := p.lastScan
	p.write("sub/0.txt", "in place")
	p.write("sub/deep/new.txt", "x")
	require.NoError(t, os.Remove(p.abs("sub/1.txt")))
	require.NoError(t, os.MkdirAll(p.abs("made/below"), 0o755))
	p.write("made/below/a.txt", "x")
	require.NoError(t, os.Rename(p.abs("sub/2.txt"), p.abs("sub/moved.txt")))
	// The listing of sub sees what was written in place, too.
	require.ElementsMatch(t, []string{
		"settled sub/0.txt", "settled sub/deep/new.txt", "gone sub/1.txt", "settled made/below/a.txt", "gone sub/2.txt", "settled sub/moved.txt",
	}, p.after(time.Minute))
	p.write("sub/deep/new.txt", "in place")
	require.Empty(t, p.after(4*time.Minute))
	p.write("made/below/b.txt", "x")
	require.Equal(t, []string{"settled made/below/b.txt"}, p.after(time.Minute))
	require.NoError(t, os.RemoveAll(p.abs("made")))
	require.ElementsMatch(t, []string{"gone made/below/a.txt", "gone made/below/b.txt"}, p.after(time.Minute))
	require.Equal(t, scan, p.lastScan, "all that without looking at every file")
	require.Equal(t, []string{"settled sub/deep/new.txt"}, p.after(11*time.Minute))
	require.NotEqual(t, scan, p.lastScan)
}

// Files that are known when the watch begins are not told, until they change or
// go.
func TestKnownFilesAreNotTold(t *testing.T) {
	p := newPolling(t, Options{Poll: 30 * time.Second, Rescan: time.Hour})
	p.write("known.txt", "x")
	p.write("other.txt", "x")
	info, err := os.Stat(p.abs("known.txt"))
	require.NoError(t, err)
	p.f.opts.Known = func(rel string, size, mtime int64) bool {
		return rel == "known.txt" && size == 1 && mtime == info.ModTime().UnixNano()
	}
	require.Equal(t, []string{"settled other.txt"}, p.after(5*time.Second))
	p.write("known.txt", "changed")
	require.Equal(t, []string{"settled known.txt"}, p.after(time.Minute))
	p.forgetSent()
	require.Len(t, p.after(time.Minute), 2)
	require.NoError(t, os.Remove(p.abs("known.txt")))
	require.Equal(t, []string{"gone known.txt"}, p.after(time.Minute))
}

// The pace follows the cost, within bounds.
func TestPaceOfPolling(t *testing.T) {
	p := newPolling(t, Options{Poll: 30 * time.Second, Rescan: 15 * time.Minute})
	require.Empty(t, p.after(time.Second))
	for took, want := range map[time.Duration]time.Duration{
		time.Microsecond: 30 * time.Second, 12 * time.Millisecond: 30 * time.Second, 13 * time.Millisecond: time.Minute,
		60 * time.Millisecond: 4 * time.Minute, time.Hour: 15 * time.Minute,
	} {
		p.slow(took)
		require.Equal(t, want, p.pace(), took)
	}
	p.slow(60 * time.Millisecond)
	p.noteState()
	require.Contains(t, p.f.State().Reason, "looked at every 30 seconds for new files and every 4 minutes for changed ones: ")
	p.measured(time.Microsecond)
	require.Equal(t, 30*time.Second, p.pace(), "one quick look is enough")
	p.measured(time.Second)
	require.Equal(t, 30*time.Second, p.pace(), "one slow look is not")
	p.measured(time.Second)
	require.Equal(t, 15*time.Minute, p.pace())
}
