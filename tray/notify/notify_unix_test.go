//go:build unix

package notify

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/require"
)

// startBus runs a session bus for one test and makes it the process's.
func startBus(t *testing.T) string {
	t.Helper()
	daemon, err := exec.LookPath("dbus-daemon")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("no dbus-daemon here (package dbus)")
	}
	require.NoError(t, err)
	cmd := exec.Command(daemon, "--session", "--nofork", "--nopidfile", "--print-address=1")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))
	return strings.TrimSpace(address)
}

// desk is a notification service that speaks the real protocol and shows
// nothing; each test says what it is able to do.
type desk struct {
	conn *dbus.Conn
	able []string

	mu     sync.Mutex
	last   uint32
	notes  []seen
	closed []uint32
}

type seen struct {
	app, icon, title, body string
	replaces               uint32
	actions                []string
	hints                  map[string]dbus.Variant
}

func (d *desk) GetCapabilities() ([]string, *dbus.Error) { return d.able, nil }

func (d *desk) Notify(app string, replaces uint32, icon, title, body string, actions []string, hints map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.notes = append(d.notes, seen{app, icon, title, body, replaces, actions, hints})
	if replaces == 0 {
		d.last++
		replaces = d.last
	}
	return replaces, nil
}

func (d *desk) CloseNotification(id uint32) *dbus.Error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = append(d.closed, id)
	return nil
}

func (d *desk) seen() []seen {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.notes)
}

func (d *desk) taken() []uint32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.closed)
}

func startDesk(t *testing.T, address string, able ...string) *desk {
	t.Helper()
	conn, err := dbus.Connect(address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	d := &desk{conn: conn, able: able}
	require.NoError(t, conn.Export(d, path, service))
	reply, err := conn.RequestName(service, dbus.NameFlagDoNotQueue)
	require.NoError(t, err)
	require.Equal(t, dbus.RequestNameReplyPrimaryOwner, reply)
	return d
}

func open(t *testing.T) *Notifier {
	n := Open(Options{App: "dragoman", Icon: "dragoman", Desktop: "dragoman-tray"})
	t.Cleanup(n.Close)
	return n
}

func TestShowReplacesAndWithdraws(t *testing.T) {
	d := startDesk(t, startBus(t), "body", "body-markup", "actions")
	n := open(t)
	buttons := []Action{{Default, "Open"}, {"copy", "Copy"}}
	require.NoError(t, n.Show(t.Context(), Note{Key: "1", Title: "English to Spanish", Body: "a <b> & c\x00\x07\xff", Actions: buttons, Private: true}))
	require.NoError(t, n.Show(t.Context(), Note{Key: "1", Body: "longer"}))
	require.NoError(t, n.Show(t.Context(), Note{Key: "2", Body: "other"}))
	notes := d.seen()
	require.Len(t, notes, 3)

	first := notes[0]
	require.Equal(t, "a &lt;b&gt; &amp; c\uFFFD", first.body)
	require.Equal(t, []string{Default, "Open", "copy", "Copy"}, first.actions)
	require.Equal(t, "user", first.hints["x-gnome-privacy-scope"].Value())
	require.Equal(t, true, first.hints["transient"].Value())
	require.Equal(t, "dragoman-tray", first.hints["desktop-entry"].Value())
	require.EqualValues(t, 1, notes[1].replaces, "the note of the same key")
	require.NotContains(t, notes[1].hints, "transient")
	require.Zero(t, notes[2].replaces)

	require.NoError(t, n.Withdraw(t.Context(), "1"))
	require.NoError(t, n.Withdraw(t.Context(), "never shown"))
	require.Equal(t, []uint32{1}, d.taken())
	n.Close()
	require.Equal(t, []uint32{1, 2}, d.taken(), "buttons that do nothing are not left behind")
}

func TestAServiceWithoutMarkupAndButtonsGetsNone(t *testing.T) {
	d := startDesk(t, startBus(t), "body")
	require.NoError(t, open(t).Show(t.Context(), Note{Key: "1", Body: "1 < 2", Actions: []Action{{"copy", "Copy"}}}))
	require.Equal(t, "1 < 2", d.seen()[0].body)
	require.Empty(t, d.seen()[0].actions)
}

func TestClicksAreToldAndRubbishIsNot(t *testing.T) {
	d := startDesk(t, startBus(t), "actions")
	n := open(t)
	require.NoError(t, n.Show(t.Context(), Note{Key: "k", Body: "x", Actions: []Action{{"copy", "Copy"}}}))
	emit := func(signal string, values ...any) {
		require.NoError(t, d.conn.Emit(path, service+"."+signal, values...))
	}
	emit("ActionInvoked", "one", "copy")       // wrong type
	emit("ActionInvoked", uint32(1))           // too short
	emit("ActionInvoked", uint32(1), int32(7)) // wrong type
	emit("ActionInvoked", uint32(99), "copy")  // another program's
	emit("ActionInvoked", uint32(1), "copy")
	select {
	case e := <-n.Events():
		require.Equal(t, Event{Key: "k", Action: "copy"}, e)
	case <-time.After(10 * time.Second):
		t.Fatal("no click arrived")
	}
	require.Empty(t, n.Events())

	emit("NotificationClosed", uint32(1), uint32(2))
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
			d := startDesk(t, startBus(t))
			require.NoError(t, n.Show(ctx, Note{Key: "1", Body: "x"}))
			require.Len(t, d.seen(), 1)
			require.Zero(t, d.seen()[0].replaces, "a new service knows nothing of earlier notes")
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
	address := startBus(t)
	conn, err := dbus.Connect(address)
	require.NoError(t, err)
	defer conn.Close()
	_, err = conn.RequestName(service, dbus.NameFlagDoNotQueue)
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
