//go:build unix

package desktest

import (
	"strings"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/require"
)

// Item is an icon as a panel sees it.
type Item struct {
	Conn  *dbus.Conn
	Owner string // its unique name
	Path  dbus.ObjectPath
}

// Property is one of org.kde.StatusNotifierItem.
func (i *Item) Property(t require.TestingT, name string) any {
	v, err := i.Conn.Object(i.Owner, i.Path).GetProperty(itemName + "." + name)
	require.NoError(t, err)
	return v.Value()
}

// Tooltip is its title, which holds all that the library lets a program say.
func (i *Item) Tooltip(t require.TestingT) string {
	return i.Property(t, "ToolTip").([]any)[2].(string)
}

// Pixels returns the picture: its size, then alpha, red, green and blue of
// each pixel.
func (i *Item) Pixels(t require.TestingT) (width, height int32, argb []byte) {
	pictures := i.Property(t, "IconPixmap").([][]any)
	require.Len(t, pictures, 1)
	return pictures[0][0].(int32), pictures[0][1].(int32), pictures[0][2].([]byte)
}

// Entry is an item of the menu as a panel sees it.
type Entry struct {
	ID                               int32
	Label                            string
	Enabled, Visible, Check, Checked bool
	Separator                        bool
	Children                         []Entry
}

// Menu asks for the whole menu.
func (i *Item) Menu(t require.TestingT) []Entry {
	type node struct {
		ID    int32
		Props map[string]dbus.Variant
		Kids  []dbus.Variant
	}
	var revision uint32
	var root node
	// The library answers the first call with one level, whatever was asked.
	for range 2 {
		path := i.Property(t, "Menu").(dbus.ObjectPath)
		call := i.Conn.Object(i.Owner, path).Call(menuName+".GetLayout", 0, int32(0), int32(-1), []string{})
		require.NoError(t, call.Store(&revision, &root))
	}
	return readEntry(root.ID, root.Props, root.Kids).Children
}

func readEntry(id int32, props map[string]dbus.Variant, kids []dbus.Variant) Entry {
	e := Entry{ID: id, Enabled: true, Visible: true}
	for name, v := range props {
		switch name {
		case "label":
			e.Label = v.Value().(string)
		case "enabled":
			e.Enabled = v.Value().(bool)
		case "visible":
			e.Visible = v.Value().(bool)
		case "type":
			e.Separator = v.Value() == "separator"
		case "toggle-type":
			e.Check = v.Value() == "checkmark"
		case "toggle-state":
			e.Checked = v.Value().(int32) == 1
		}
	}
	for _, k := range kids {
		parts := k.Value().([]any)
		e.Children = append(e.Children, readEntry(parts[0].(int32), parts[1].(map[string]dbus.Variant), parts[2].([]dbus.Variant)))
	}
	return e
}

// Find returns the first visible entry of a label, those at the top before
// those of the sub-menus.
func Find(entries []Entry, label string) (Entry, bool) {
	for _, e := range entries {
		if e.Visible && e.Label == label {
			return e, true
		}
	}
	for _, e := range entries {
		if !e.Visible {
			continue
		}
		if found, ok := Find(e.Children, label); ok {
			return found, true
		}
	}
	return Entry{}, false
}

// Click does what a panel does for a person.
func (i *Item) Click(t *testing.T, id int32) {
	t.Helper()
	menu := i.Conn.Object(i.Owner, i.Property(t, "Menu").(dbus.ObjectPath))
	require.NoError(t, menu.Call(menuName+".Event", 0, id, "clicked", dbus.MakeVariant(0), uint32(0)).Err)
}

// Choose clicks on the entry of a label.
func (i *Item) Choose(t *testing.T, label string) {
	t.Helper()
	e, found := Find(i.Menu(t), label)
	require.True(t, found, "no entry %q", label)
	i.Click(t, e.ID)
}

// Signals counts what comes from an icon.
type Signals struct {
	mu    sync.Mutex
	count map[string]int
}

// Signals begins to count.
func (i *Item) Signals(t *testing.T) *Signals {
	t.Helper()
	s := &Signals{count: map[string]int{}}
	require.NoError(t, i.Conn.AddMatchSignal(dbus.WithMatchSender(i.Owner)))
	c := make(chan *dbus.Signal, 4096)
	i.Conn.Signal(c)
	go func() {
		for signal := range c {
			if signal.Sender == i.Owner {
				s.mu.Lock()
				s.count[signal.Name[strings.LastIndex(signal.Name, ".")+1:]]++
				s.mu.Unlock()
			}
		}
	}()
	return s
}

// Take returns the counts by the signals' names since the last call.
func (s *Signals) Take() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.count
	s.count = map[string]int{}
	return taken
}
