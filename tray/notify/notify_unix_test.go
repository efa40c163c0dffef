//go:build unix

package notify

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/require"

	"dragoman/tray/desktest"
)

// startBus runs a session bus for one test and makes it the process's.
func startBus(t *testing.T) *desktest.Bus {
	t.Helper()
	b := desktest.StartBus(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", b.Address())
	return b
}

func open(t *testing.T) *Notifier {
	n := Open(Options{App: "dragoman", Icon: "dragoman", Desktop: "dragoman-tray"})
	t.Cleanup(n.Close)
	return n
}

func TestShowReplacesAndWithdraws(t *testing.T) {
	d := desktest.StartDesk(t, startBus(t), "body", "body-markup", "actions")
	n := open(t)
	buttons := []Action{{Default, "Open"}, {"copy", "Copy"}}
	require.NoError(t, n.Show(t.Context(), Note{Key: "1", Title: "English to Spanish", Body: "a <b> & c\x00\x07\xff", Actions: buttons, Private: true}))
	require.NoError(t, n.Show(t.Context(), Note{Key: "1", Body: "longer"}))
	require.NoError(t, n.Show(t.Context(), Note{Key: "2", Body: "other"}))
	notes := d.Notes()
	require.Len(t, notes, 3)

	first := notes[0]
	require.Equal(t, "a &lt;b&gt; &amp; c\uFFFD", first.Body)
	require.Equal(t, []string{Default, "Open", "copy", "Copy"}, first.Actions)
	require.Equal(t, "user", first.Hints["x-gnome-privacy-scope"].Value())
	require.Equal(t, true, first.Hints["transient"].Value())
	require.Equal(t, "dragoman-tray", first.Hints["desktop-entry"].Value())
	require.EqualValues(t, 1, notes[1].Replaces, "the note of the same key")
	require.NotContains(t, notes[1].Hints, "transient")
	require.Zero(t, notes[2].Replaces)

	require.NoError(t, n.Withdraw(t.Context(), "1"))
	require.NoError(t, n.Withdraw(t.Context(), "never shown"))
	require.Equal(t, []uint32{1}, d.Closed())
	n.Close()
	require.Equal(t, []uint32{1, 2}, d.Closed(), "buttons that do nothing are not left behind")
}

func TestAServiceWithoutMarkupAndButtonsGetsNone(t *testing.T) {
	d := desktest.StartDesk(t, startBus(t), "body")
	require.NoError(t, open(t).Show(t.Context(), Note{Key: "1", Body: "1 < 2", Actions: []Action{{"copy", "Copy"}}}))
	require.Equal(t, "1 < 2", d.Notes()[0].Body)
	require.Empty(t, d.Notes()[0].Actions)
}

func TestClicksAreToldAndRubbishIsNot(t *testing.T) {
	d := desktest.StartDesk(t, startBus(t), "actions")
	n := open(t)
	require.NoError(t, n.Show(t.Context(), Note{Key: "k", Body: "x", Actions: []Action{{"copy", "Copy"}}}))
	d.Emit(t, "ActionInvoked", "one", "copy")       // wrong type
	d.Emit(t, "ActionInvoked", uint32(1))           // too short
	d.Emit(t, "ActionInvoked", uint32(1), int32(7)) // wrong type
	d.Emit(t, "ActionInvoked", uint32(99), "copy")  // another program's
	d.Emit(t, "ActionInvoked", uint32(1), "copy")
	select {
	case e := <-n.Events():
		require.Equal(t, Event{Key: "k", Action: "copy"}, e)
	case <-time.After(10 * time.Second):
		t.Fatal("no click arrived")
	}
	require.Empty(t, n.Events())

	d.Emit(t, "NotificationClosed", uint32(1), uint32(2))
	require.Eventually(t, func() bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		return len(n.keys) == 0
	}, 10*time.Second, time.Millisecond)
}

func TestNoService(t *testing.T) {
	startBus(t)
	require.ErrorIs(t, open(t).Show(t.Context(), Note{Body: "x"}), ErrNoService)
}

func TestNoBus(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+t.TempDir()+"/none")
	require.ErrorContains(t, open(t).Show(t.Context(), Note{Body: "x"}), "session bus")
}

func TestTheBusComesBack(t *testing.T) {
	n := open(t)
	for range 2 {
		ctx, end := context.WithCancel(t.Context())
		t.Run("bus", func(t *testing.T) {
			d := desktest.StartDesk(t, startBus(t))
			require.NoError(t, n.Show(ctx, Note{Key: "1", Body: "x"}))
			require.Len(t, d.Notes(), 1)
			require.Zero(t, d.Notes()[0].Replaces, "a new service knows nothing of earlier notes")
		})
		end()
		require.Eventually(t, func() bool {
			n.mu.Lock()
			defer n.mu.Unlock()
			return !n.conn.Connected()
		}, 10*time.Second, time.Millisecond)
	}
}

func TestAHungServiceDoesNotHoldTheCaller(t *testing.T) {
	bus := startBus(t)
	conn := bus.Connect(t)
	_, err := conn.RequestName(service, dbus.NameFlagDoNotQueue)
	require.NoError(t, err)
	never := make(chan struct{})
	defer close(never)
	require.NoError(t, conn.ExportMethodTable(map[string]any{"GetCapabilities": func() ([]string, *dbus.Error) {
		<-never
		return nil, nil
	}}, path, service))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, open(t).Show(ctx, Note{Body: "x"}), context.DeadlineExceeded)
}

func TestNumbersOfAServiceThatEndedCountNoMore(t *testing.T) {
	bus := startBus(t)
	n := open(t)
	first := bus.Connect(t)
	takes := func(conn *dbus.Conn) {
		require.NoError(t, conn.ExportMethodTable(map[string]any{
			"GetCapabilities": func() ([]string, *dbus.Error) { return []string{"actions"}, nil },
			"Notify": func(string, uint32, string, string, string, []string, map[string]dbus.Variant, int32) (uint32, *dbus.Error) {
				return 1, nil
			},
		}, path, service))
		_, err := conn.RequestName(service, dbus.NameFlagDoNotQueue)
		require.NoError(t, err)
	}
	takes(first)
	require.NoError(t, n.Show(t.Context(), Note{Key: "ours", Body: "x"}))
	require.NoError(t, first.Close())
	second := bus.Connect(t)
	takes(second)
	require.Eventually(t, func() bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		return len(n.keys) == 0
	}, desktest.Soon, time.Millisecond)
	require.NoError(t, second.Emit(path, service+".ActionInvoked", uint32(1), "copy")) // for a note of somebody else
	require.NoError(t, n.Show(t.Context(), Note{Key: "next", Body: "x"}))
	require.Empty(t, n.Events())
}

func TestABusThatHangsDoesNotHoldTheCaller(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", socket) // takes connections and says nothing
	require.NoError(t, err)
	defer l.Close()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+socket)
	require.ErrorContains(t, open(t).Show(t.Context(), Note{Body: "x"}), "session bus")
}
