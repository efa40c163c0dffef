//go:build unix

package desktest

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/require"
)

// Names of the Desktop Notifications Specification 1.2.
const (
	NotificationService = "org.freedesktop.Notifications"
	NotificationPath    = "/org/freedesktop/Notifications"
)

// Desk is a notification service that shows nothing.
type Desk struct {
	Conn *dbus.Conn
	able []string

	mu      sync.Mutex
	last    uint32
	notes   []Note
	closed  []uint32
	changed chan struct{} // closed and made anew with each note
}

// Note is what a program wanted shown.
type Note struct {
	ID          uint32 // that the service gave, or that of Replaces
	Replaces    uint32
	App, Icon   string
	Title, Body string
	Actions     []string // key, label, key, label
	Hints       map[string]dbus.Variant
	Expire      int32 // ms, -1 as the service likes
}

// StartDesk begins a service that is able to do what GetCapabilities names, such
// as "body-markup" and "actions".
func StartDesk(t *testing.T, b *Bus, able ...string) *Desk {
	t.Helper()
	d := &Desk{Conn: b.Connect(t), able: able, changed: make(chan struct{})}
	require.NoError(t, d.Conn.ExportMethodTable(map[string]any{
		"GetServerInformation": func() (name, vendor, version, specification string, err *dbus.Error) {
			return "a desk", "", "1", "1.2", nil
		},
		"GetCapabilities": func() ([]string, *dbus.Error) { return d.able, nil },
		"Notify":          d.notify, "CloseNotification": d.close,
	}, NotificationPath, NotificationService))
	own(t, d.Conn, NotificationService)
	return d
}

func (d *Desk) notify(app string, replaces uint32, icon, title, body string, actions []string, hints map[string]dbus.Variant, expire int32) (uint32, *dbus.Error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	id := replaces
	if id == 0 {
		d.last++
		id = d.last
	}
	d.notes = append(d.notes, Note{id, replaces, app, icon, title, body, actions, hints, expire})
	close(d.changed)
	d.changed = make(chan struct{})
	return id, nil
}

func (d *Desk) close(id uint32) *dbus.Error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = append(d.closed, id)
	return nil
}

// Notes are all so far, those that replace another too.
func (d *Desk) Notes() []Note {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.notes)
}

// Closed are the numbers of the notes that were taken away.
func (d *Desk) Closed() []uint32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.closed)
}

// Wait returns the first note, of those so far and those to come, that is as
// wanted.
func (d *Desk) Wait(t *testing.T, wanted func(Note) bool) Note {
	t.Helper()
	limit := time.After(Soon)
	for {
		d.mu.Lock()
		notes, changed := slices.Clone(d.notes), d.changed
		d.mu.Unlock()
		if i := slices.IndexFunc(notes, wanted); i >= 0 {
			return notes[i]
		}
		select {
		case <-changed:
		case <-limit:
			require.Fail(t, "waited in vain for a note", "shown: %q", notes)
		}
	}
}

// Click does what a person does with a button, or with the note itself: "default".
func (d *Desk) Click(t *testing.T, id uint32, action string) {
	t.Helper()
	d.Emit(t, "ActionInvoked", id, action)
}

// Emit sends a signal of the service's with any values.
func (d *Desk) Emit(t *testing.T, signal string, values ...any) {
	t.Helper()
	require.NoError(t, d.Conn.Emit(NotificationPath, NotificationService+"."+signal, values...))
}
