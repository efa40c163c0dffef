//go:build unix

package desktest

import (
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
	"github.com/stretchr/testify/require"
)

// Names of the StatusNotifierItem protocol.
const (
	WatcherName = "org.kde.StatusNotifierWatcher"
	WatcherPath = "/StatusNotifierWatcher"
	itemName    = "org.kde.StatusNotifierItem"
	menuName    = "com.canonical.dbusmenu"
)

// Panel is a status notifier watcher and host: it keeps what registers itself.
type Panel struct {
	Conn  *dbus.Conn
	items chan *Item
	props *prop.Properties
}

// StartPanel begins one; host says whether it shows icons too.
func StartPanel(t *testing.T, b *Bus, host bool) *Panel {
	t.Helper()
	p := &Panel{Conn: b.Connect(t), items: make(chan *Item, 8)}
	var err error
	p.props, err = prop.Export(p.Conn, WatcherPath, prop.Map{WatcherName: {
		"IsStatusNotifierHostRegistered": {Value: host, Emit: prop.EmitTrue},
		"ProtocolVersion":                {Value: int32(0)},
	}})
	require.NoError(t, err)
	require.NoError(t, p.Conn.ExportMethodTable(map[string]any{
		"RegisterStatusNotifierItem": func(service string, sender dbus.Sender) *dbus.Error {
			p.items <- &Item{Conn: p.Conn, Owner: string(sender), Path: dbus.ObjectPath(service)}
			return nil
		},
	}, WatcherPath, WatcherName))
	own(t, p.Conn, WatcherName)
	return p
}

// ShowsIcons lets the host come.
func (p *Panel) ShowsIcons(t *testing.T) {
	t.Helper()
	p.props.SetMust(WatcherName, "IsStatusNotifierHostRegistered", true)
	require.NoError(t, p.Conn.Emit(WatcherPath, WatcherName+".StatusNotifierHostRegistered"))
}

// Stop ends it, as a crash does.
func (p *Panel) Stop(t *testing.T) {
	t.Helper()
	require.NoError(t, p.Conn.Close())
}

// Item waits for the next icon.
func (p *Panel) Item(t *testing.T) *Item {
	t.Helper()
	select {
	case i := <-p.items:
		return i
	case <-time.After(Soon):
		require.Fail(t, "no icon has come")
		return nil
	}
}
