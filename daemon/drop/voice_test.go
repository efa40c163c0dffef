package drop

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// standing are the messages that were said and not taken back.
func (b *bench) standing() (all []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, message := range b.saying {
		all = append(all, message)
	}
	return all
}

// silent waits until nothing is said any more.
func (b *bench) silent(why string) {
	b.t.Helper()
	b.wait("silence after "+why, func() bool { return len(b.standing()) == 0 })
}

// What is said of a folder is taken back when it is over, however that came
// about.
func TestWhatIsOverIsTakenBack(t *testing.T) {
	b := newBench(t, quick)
	b.translator.before = failing
	b.start()
	b.write("in/bad.txt", "please fail")
	s := settings(b.path("in"), "es")
	id := b.add(s)
	failed := func(n int) {
		t.Helper()
		b.wait("the failure", func() bool { return b.status(id).Failed == int64(n) && len(b.standing()) == 1 })
	}
	failed(1)
	b.write("in/bad.txt", "good now")
	b.settled(id, 1)
	b.silent("a file that is good now")

	b.write("in/bad.txt", "fail again")
	failed(1)
	require.NoError(t, os.Remove(b.path("in/bad.txt")))
	b.silent("a file that is gone")

	b.write("in/bad.txt", "fail once more")
	failed(1)
	require.NoError(t, b.m.Pause(id))
	b.silent("a pause")
	require.NoError(t, b.m.Rescan(t.Context(), id))
	require.NoError(t, b.m.Resume(id))
	failed(1)

	require.NoError(t, os.Rename(b.path("in"), b.path("away")))
	b.wait("a missing folder", func() bool { return len(b.standing()) == 2 })
	require.NoError(t, os.Rename(b.path("away"), b.path("in")))
	b.wait("the folder to be back", func() bool { return len(b.standing()) == 1 })
	require.NoError(t, b.m.Remove(id))
	b.silent("the removal")
}

// What somebody else takes back while it is being said does not stand afterwards.
func TestWordsAreTakenBackAfterTheyWereSaid(t *testing.T) {
	var standing atomic.Bool
	var other sync.WaitGroup
	var v *voice
	v = newVoice(Options{
		Say: func(string, api.Notice) {
			other.Go(func() { v.over("subject") })
			for range 1000 {
				runtime.Gosched() // it would be through by now
			}
			standing.Store(true)
		},
		Withdraw: func(string) { standing.Store(false) },
	}.complete(), 1)
	v.say("subject", "warning", "words")
	other.Wait()
	require.False(t, standing.Load())
	require.Empty(t, v.said)
}

// A hundred files that fail must not hide everything else: there is one notice.
func TestFailuresOfAFolderHaveOneNotice(t *testing.T) {
	b := newBench(t, quick)
	b.translator.before = failing
	b.start()
	for i := range 20 {
		b.write(fmt.Sprintf("in/%d.txt", i), "please fail")
	}
	id := b.add(settings(b.path("in"), "es"))
	b.wait("all to fail", func() bool { return b.status(id).Failed == 20 && strings.Contains(b.standing()[0], "; 19 more ") })
	require.Len(t, b.standing(), 1)
	require.Contains(t, b.standing()[0], " in this folder failed: see `dragoman jobs --state failed`")
	for i := range 19 {
		b.write(fmt.Sprintf("in/%d.txt", i), "good now")
	}
	b.settled(id, 19)
	require.Len(t, b.standing(), 1)
	require.Contains(t, b.standing()[0], b.path("in/19.txt")+" to es: the model does not like it")
	require.NotContains(t, b.standing()[0], "more")
}
