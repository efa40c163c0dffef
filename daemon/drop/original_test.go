package drop

import (
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/watch/document"
)

// A program goes on writing to a file that was translated meanwhile: it stays
// until that has come to an end.
func TestOriginalsThatAreOpenForWritingStay(t *testing.T) {
	b := newBench(t, quick)
	gate := newHeld()
	b.translator.before = gate.wait
	b.start()
	b.write("in/a.txt", "one two")
	s := settings(b.path("in"), "es")
	s.Original = api.OriginalDone
	id := b.add(s)
	gate.entered(t)
	f, err := os.OpenFile(b.path("in/a.txt"), os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	defer f.Close()
	gate.open()
	b.settled(id, 1)
	b.write("in/b.txt", "three")
	b.wait("another to be moved", func() bool { return exists(b.path("in/done/b.txt")) })
	require.FileExists(t, b.path("in/a.txt"))
	_, err = f.WriteString(" three")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	b.wait("the original to be moved", func() bool { return exists(b.path("in/done/a.txt")) })
	require.Equal(t, map[string]string{
		"done/a.txt": "one two three", "translated/a.es.txt": "es: three two one", "done/b.txt": "three", "translated/b.es.txt": "es: three",
	}, files(t, b.path("in")))
}

// Where nobody tells whether a file is open, time has to.
func TestOriginalsThatMayBeOpenStayForAWhile(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		p, err := newPlan(1, settings(dir, "es"))
		require.NoError(t, err)
		d := newDropFolder(Options{}.complete(), p)
		// Of a file that is not there the system tells nothing either.
		stamp := document.Stamp{Size: 1, ModTime: time.Unix(1, 0), SHA256: "x"}
		require.False(t, d.complete("a.txt", stamp))
		for range 3 {
			time.Sleep(50 * time.Second)
			require.False(t, d.complete("a.txt", stamp))
			stamp.ModTime = stamp.ModTime.Add(1)
			require.False(t, d.complete("a.txt", stamp), "it has changed")
		}
		time.Sleep(time.Minute + time.Second)
		require.Positive(t, d.backlog.len(), "it is looked at again")
		require.True(t, d.complete("a.txt", stamp))
		require.False(t, d.complete("a.txt", stamp), "another file of that name")
		time.Sleep(time.Hour)
	})
}
