//go:build unix

package systray

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"dragoman/assets/icons"
	"dragoman/daemon/api"
	"dragoman/tray"
	"dragoman/tray/desktest"
)

func state() tray.State {
	return tray.State{
		Snapshot: api.Snapshot{
			State:   api.StateReady,
			Model:   api.Model{Encoder: "NPU 4000", Decoder: "CPU"},
			Folders: []api.Folder{{ID: 3, Settings: api.FolderSettings{Path: "/home/ana/my_letters"}, Status: api.FolderStatus{State: api.FolderWatching}}},
		},
		Target:  tray.Target{Language: "es", Recent: []string{"es"}, Languages: []api.Language{{Code: "es"}, {Code: "de"}}},
		Results: []tray.Result{{Key: "9", Source: "Good morning"}},
	}
}

// visible turns a view's items into what a panel should see of them.
func visible(items []tray.Item) (seen []desktest.Entry) {
	for _, i := range items {
		if i.Hidden {
			continue
		}
		e := desktest.Entry{Label: mnemonics(i.Label), Enabled: i.Enabled, Visible: true, Check: i.Checkable, Checked: i.Checked, Separator: i.Separator}
		e.Children = visible(i.Children)
		if i.Separator {
			e.Enabled = true
		}
		seen = append(seen, e)
	}
	return seen
}

// shown leaves out what is hidden, and the numbers.
func shown(entries []desktest.Entry) (seen []desktest.Entry) {
	for _, e := range entries {
		if e.Visible {
			e.ID, e.Children = 0, shown(e.Children)
			seen = append(seen, e)
		}
	}
	return seen
}

// number finds an entry by its label.
func number(t *testing.T, entries []desktest.Entry, label string) int32 {
	t.Helper()
	e, found := desktest.Find(entries, label)
	require.True(t, found, "no entry %q", label)
	return e.ID
}

// settles waits until the panel sees the view. It looks at the picture last: the
// library must not change one that is being read (see painter.face), and has
// changed it when the tooltip is new.
func settles(t *testing.T, i *desktest.Item, v tray.View) {
	t.Helper()
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		require.Equal(c, visible(v.Menu), shown(i.Menu(t)))
		require.Equal(c, v.Tooltip, i.Tooltip(t))
		require.Equal(c, tray.Program, i.Property(t, "Title"))
	}, desktest.Soon, 20*time.Millisecond)
	width, height, argb := i.Pixels(t)
	require.Equal(t, []int32{iconSize, iconSize}, []int32{width, height})
	require.True(t, bytes.Equal(pixmap(t, v.Icon), argb), "another icon")
}

// pixmap is the icon as the protocol wants it.
func pixmap(t *testing.T, s icons.State) (argb []byte) {
	t.Helper()
	p, err := png.Decode(bytes.NewReader(icons.PNG(s, iconSize)))
	require.NoError(t, err)
	for y := range iconSize {
		for x := range iconSize {
			c := color.NRGBAModel.Convert(p.At(x, y)).(color.NRGBA)
			argb = append(argb, c.A, c.R, c.G, c.B)
		}
	}
	return argb
}

func TestAPanelSeesTheView(t *testing.T) {
	b := desktest.StartBus(t)
	d := desktest.StartPanel(t, b, true)
	a := startAgent(t, "on", "DBUS_SESSION_BUS_ADDRESS="+b.Address())
	s := state()
	first := tray.Render(s)
	a.show(t, first)
	i := d.Item(t)
	settles(t, i, first)
	require.Equal(t, "dragoman", i.Property(t, "Id"))
	require.Equal(t, "Active", i.Property(t, "Status"))
	require.Equal(t, true, i.Property(t, "ItemIsMenu"), "a click opens the menu")
	before := numbers(i.Menu(t))

	t.Run("clicks come in order", func(t *testing.T) {
		menu := i.Menu(t)
		for range 20 {
			i.Click(t, number(t, menu, "Good morning"))
			i.Click(t, number(t, menu, "Until tomorrow"))
			require.Equal(t, "click result 9", a.line(t))
			require.Equal(t, "click pause tomorrow", a.line(t))
		}
		i.Click(t, menu[0].ID) // a line that only tells
		i.Click(t, number(t, menu, "Help"))
		require.Equal(t, "click help ", a.line(t))
	})

	t.Run("each icon", func(t *testing.T) {
		for _, icon := range icons.States {
			v := first
			v.Icon, v.Tooltip = icon, string(icon)
			a.show(t, v)
			settles(t, i, v)
		}
		a.show(t, first)
		settles(t, i, first)
	})

	t.Run("only what differs is sent", func(t *testing.T) {
		heard := i.Signals(t)
		a.show(t, first)
		s.Autostart = true
		a.show(t, tray.Render(s))
		settles(t, i, tray.Render(s))
		require.Equal(t, map[string]int{"ItemsPropertiesUpdated": 1, "LayoutUpdated": 1, "PropertiesChanged": 1}, heard.Take())
	})

	t.Run("a menu grows and shrinks in its place", func(t *testing.T) {
		s.Results = append(s.Results, tray.Result{Key: "8", Source: "a_b & c"}, tray.Result{Key: "7", Source: "שלום"})
		s.Target.Languages = nil
		for i := range 120 {
			s.Target.Languages = append(s.Target.Languages, api.Language{Code: fmt.Sprintf("x-l%d", i)})
		}
		s.Snapshot.Folders = append(s.Snapshot.Folders, api.Folder{ID: 4, Settings: api.FolderSettings{Path: "/b", Paused: true}})
		s.Snapshot.State = api.StatePaused
		a.show(t, tray.Render(s))
		settles(t, i, tray.Render(s))
		i.Click(t, number(t, i.Menu(t), "a__b & c"))
		require.Equal(t, "click result 8", a.line(t))
		s.Snapshot = api.Snapshot{State: api.StateStopped}
		s.Target, s.Results = tray.Target{}, nil
		a.show(t, tray.Render(s))
		settles(t, i, tray.Render(s))
		a.show(t, first)
		settles(t, i, first)
		require.Subset(t, numbers(i.Menu(t)), before, "places were made anew")
		require.Equal(t, before, numbers(i.Menu(t))[:len(before)], "new places are behind the old ones")
	})

	t.Run("text that is none", func(t *testing.T) {
		v := first
		v.Tooltip = "a\xffb\x00c"
		v.Menu = append([]tray.Item{}, v.Menu...)
		v.Menu[0].Label = "\xc3\x28\x00"
		a.show(t, v)
		v.Tooltip, v.Menu[0].Label = "a\uFFFDb c", "\uFFFD( "
		settles(t, i, v)
	})

	require.NoError(t, a.command.Process.Signal(syscall.SIGTERM))
	a.ends(t, "end <nil>")
	require.Error(t, i.Conn.Object(i.Owner, i.Path).Call("org.freedesktop.DBus.Peer.Ping", 0).Err, "the icon is still there")
}

// numbers of the top entries and of those in the sub-menus, the top first.
func numbers(entries []desktest.Entry) (n []int32) {
	for _, e := range entries {
		n = append(n, e.ID)
	}
	return n
}

func TestTheEndOfViewsTakesTheIconAway(t *testing.T) {
	b := desktest.StartBus(t)
	d := desktest.StartPanel(t, b, true)
	a := startAgent(t, "on", "DBUS_SESSION_BUS_ADDRESS="+b.Address())
	a.show(t, tray.Render(state()))
	settles(t, d.Item(t), tray.Render(state()))
	require.NoError(t, a.stdin.Close())
	a.ends(t, "end <nil>")
}

func TestAnEndAtOnce(t *testing.T) {
	b := desktest.StartBus(t)
	t.Run("before the first view", func(t *testing.T) {
		a := startAgent(t, "on", "DBUS_SESSION_BUS_ADDRESS="+b.Address())
		require.NoError(t, a.stdin.Close())
		a.ends(t, "end <nil>")
	})
	t.Run("with the first view", func(t *testing.T) {
		a := startAgent(t, "on", "DBUS_SESSION_BUS_ADDRESS="+b.Address())
		a.show(t, tray.Render(state()))
		require.NoError(t, a.stdin.Close())
		a.ends(t, "end <nil>")
	})
}

// TestClicksThatNobodyTakes must not stop the drawing.
func TestClicksThatNobodyTakes(t *testing.T) {
	b := desktest.StartBus(t)
	d := desktest.StartPanel(t, b, true)
	a := startAgent(t, "deaf", "DBUS_SESSION_BUS_ADDRESS="+b.Address())
	s := state()
	a.show(t, tray.Render(s))
	i := d.Item(t)
	settles(t, i, tray.Render(s))
	help := number(t, i.Menu(t), "Help")
	for range 3 * maxPending {
		i.Click(t, help)
	}
	s.Snapshot.State = api.StatePaused
	a.show(t, tray.Render(s))
	settles(t, i, tray.Render(s))
}

func TestAPanelThatComesLaterOrAgain(t *testing.T) {
	b := desktest.StartBus(t)
	a := startAgent(t, "on", "DBUS_SESSION_BUS_ADDRESS="+b.Address())
	s := state()
	a.show(t, tray.Render(s))
	for range 3 { // the first comes later than the icon, the others after a crash
		d := desktest.StartPanel(t, b, true)
		i := d.Item(t)
		settles(t, i, tray.Render(s))
		i.Click(t, number(t, i.Menu(t), "Help"))
		require.Equal(t, "click help ", a.line(t))
		d.Stop(t)
		s.Autostart = !s.Autostart
		a.show(t, tray.Render(s)) // while nobody looks
	}
}

func TestTheBusGoesAndComesBack(t *testing.T) {
	b := desktest.StartBus(t)
	d := desktest.StartPanel(t, b, true)
	a := startAgent(t, "on", "DBUS_SESSION_BUS_ADDRESS="+b.Address())
	a.show(t, tray.Render(state()))
	settles(t, d.Item(t), tray.Render(state()))
	b.Stop()
	a.ends(t, "end bus lost")

	t.Setenv("DBUS_SESSION_BUS_ADDRESS", b.Address())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, WaitForBus(ctx), context.DeadlineExceeded)
	back := make(chan error, 1)
	go func() { back <- WaitForBus(t.Context()) }()
	b.Start(t)
	select {
	case err := <-back:
		require.NoError(t, err)
	case <-time.After(desktest.Soon):
		t.Fatal("the bus was not seen")
	}
	d = desktest.StartPanel(t, b, true)
	a = startAgent(t, "on", "DBUS_SESSION_BUS_ADDRESS="+b.Address())
	a.show(t, tray.Render(state()))
	settles(t, d.Item(t), tray.Render(state()))
}

// TestNoBus also watches for dbus-launch, which the library would start.
func TestNoBus(t *testing.T) {
	if _, err := os.Stat(fmt.Sprintf("/run/user/%d/bus", os.Getuid())); err == nil {
		t.Skip("this user has a bus at its usual place")
	}
	folder := t.TempDir()
	launched := filepath.Join(folder, "launched")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "dbus-launch"), []byte("#!/bin/sh\n: >"+launched+"\n"), 0o700))
	for name, address := range map[string]string{
		"no address":    "",
		"asks to start": "autolaunch:",
		"a dead one":    "unix:path=" + filepath.Join(folder, "nothing"),
		"a lie":         "nonsense",
	} {
		t.Run(name, func(t *testing.T) {
			a := startAgent(t, "on", "DBUS_SESSION_BUS_ADDRESS="+address, "XDG_RUNTIME_DIR=", "PATH="+folder)
			a.ends(t, "end no bus")
			require.NoFileExists(t, launched)
		})
	}
}

func TestWhatIsNoIcon(t *testing.T) {
	require.Nil(t, picture("no state"))
	_, _, err := image.Decode(bytes.NewReader([]byte(straightMagic + "short")))
	require.ErrorContains(t, err, "are not one")
}
