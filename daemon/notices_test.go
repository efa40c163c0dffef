package daemon

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// told is a daemon of which only the notices work.
func told() *Daemon {
	revision := uint64(0)
	return &Daemon{events: newEvents(func() uint64 { revision++; return revision })}
}

func messages(d *Daemon) (all []string) {
	for _, n := range d.notices.now() {
		all = append(all, n.Message)
	}
	return all
}

func TestKeyedNotices(t *testing.T) {
	d := told()
	first := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	d.say("disk", api.Notice{Time: first, Level: "error", Message: "disk full"})
	d.notify(api.Notice{Level: "info", Message: "done"})
	at := d.events.now()
	d.say("disk", api.Notice{Time: first.Add(time.Hour), Level: "error", Message: "disk full"})
	require.Equal(t, at, d.events.now(), "the same again is no news")
	require.Equal(t, []string{"done", "disk full"}, messages(d))
	require.Equal(t, first, d.notices.now()[1].Time, "since when it is so")

	d.say("disk", api.Notice{Level: "error", Message: "disk gone"})
	require.Equal(t, []string{"disk gone", "done"}, messages(d), "one a key")
	require.False(t, d.notices.now()[0].Time.IsZero())
	missed, at := d.events.since(at)
	require.Len(t, missed, 1)
	require.Equal(t, "disk gone", missed[0].Notice.Message)

	d.withdraw("other")
	require.Equal(t, at, d.events.now())
	d.withdraw("disk")
	require.Equal(t, []string{"done"}, messages(d))
	require.Greater(t, d.events.now(), at, "clients see that it is gone")
	d.say("disk", api.Notice{Level: "error", Message: "disk gone"})
	require.Len(t, messages(d), 2, "again after it was over")
}

func TestWhatGoesOnOutlivesWhatHappened(t *testing.T) {
	d := told()
	d.say("disk", api.Notice{Level: "error", Message: "disk full"})
	for i := range 3 * noticesShown {
		d.notify(api.Notice{Level: "warning", Message: fmt.Sprintf("file %d failed", i)})
	}
	all := messages(d)
	require.Len(t, all, noticesShown)
	require.Equal(t, "disk full", all[noticesShown-1])
	require.Equal(t, fmt.Sprintf("file %d failed", 3*noticesShown-1), all[0])
}

// What goes on and is not shown is counted, and shown when others are over.
func TestMoreGoesOnThanIsShown(t *testing.T) {
	d := told()
	for i := range noticesShown + 2 {
		d.say(fmt.Sprint(i), api.Notice{Level: "error", Message: fmt.Sprintf("folder %d", i)})
	}
	d.notify(api.Notice{Level: "info", Message: "done"})
	all := messages(d)
	require.Len(t, all, noticesShown)
	require.Equal(t, "done", all[0])
	require.Contains(t, all[noticesShown-1], "4 older notices")
	for i := range 3 {
		d.withdraw(fmt.Sprint(noticesShown + 1 - i))
	}
	all = messages(d)
	require.Len(t, all, noticesShown)
	require.Equal(t, "folder 0", all[noticesShown-1], "none is forgotten")
	for i := range 2 * noticesKept {
		d.say(fmt.Sprint("file ", i), api.Notice{Level: "error", Message: "file"})
	}
	require.Len(t, d.notices.list, noticesKept, "bounded all the same")
}
