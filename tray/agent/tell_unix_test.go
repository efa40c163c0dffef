//go:build unix

package agent

import (
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/tray/desktest"
	"dragoman/tray/notify"
)

var errNoRoom = errors.New("the queue is full")

// startDesk gives an agent a desktop that takes notes.
func startDesk(t *testing.T, a *Agent) *desktest.Desk {
	t.Helper()
	bus := desktest.StartBus(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", bus.Address())
	desk := desktest.StartDesk(t, bus, "body", "actions")
	a.opts.Notifier = notify.Open(notify.Options{App: "dragoman"})
	t.Cleanup(a.opts.Notifier.Close)
	return desk
}

func TestNotesAreShownInTheirOrder(t *testing.T) {
	a := newAgent(t, "")
	desk := startDesk(t, a)
	var want, got []string
	for i := range 50 {
		want = append(want, strconv.Itoa(i))
		a.tell(t.Context(), "key", want[i])
	}
	a.withdraw(t.Context(), "key")
	a.work.Wait()
	for _, n := range desk.Notes() {
		got = append(got, n.Body)
	}
	require.Equal(t, want, got)
	require.Len(t, desk.Closed(), 1, "after all of them")
}

func TestAFailureIsToldOnce(t *testing.T) {
	a := newAgent(t, "")
	desk := startDesk(t, a)
	tell := func(asked bool, reason error) {
		a.translationFailed(t.Context(), task{key: "r1", asked: asked}, reason)
	}
	told := func() int {
		a.work.Wait()
		return len(desk.Notes())
	}
	tell(false, errNoRoom)
	tell(false, errNoRoom)
	require.Equal(t, 1, told(), "the same one again is no news")
	tell(true, errNoRoom)
	require.Equal(t, 2, told(), "who asked waits for an answer")
	a.translated(t.Context(), task{}, result{key: "r2", translation: "Hola."})
	tell(false, errNoRoom)
	require.Equal(t, 4, told(), "another one, after a success")
}
