package main

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/tray/desktest"
)

// The cases of docs/clipboard-cases.md that no other test is about.

// TestTheServiceRestartsBetweenCopies is the rest of C1: what is ours stays so.
func TestTheServiceRestartsBetweenCopies(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\nclipboard.replace = true\nclipboard.two_way = true\nclipboard.other = \"de\"\n")
	service := s.service()
	_, icon := s.tray("Ready")
	editor := s.application()
	editor.copy(ferry)
	entry, _ := s.translation(ferry)
	s.eventually("it replaces the clipboard", func() bool { return s.paste() == entry.Target })
	service.stop()
	s.says(icon, "The translation service is not running")
	s.service()
	s.says(icon, "Ready")
	s.application().copy(entry.Target)
	time.Sleep(pause)
	editor.copy(last)
	s.translation(last)
	require.Equal(t, []string{ferry, last}, sources(s.texts()))
}

// TestReplacedTwiceInARow is C24: each click gives what belongs to its note, and
// each original can be had back.
func TestReplacedTwiceInARow(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	s.service()
	s.tray("Ready")
	editor := s.application()
	for _, text := range []string{ferry, last} {
		editor.copy(text)
		time.Sleep(pause)
	}
	first, note := s.translation(ferry)
	second, later := s.translation(last)
	require.NotEqual(t, first.Target, second.Target)
	for range 2 {
		s.desk.Click(t, note.ID, "replace")
		s.eventually("the first translation can be pasted", func() bool { return s.paste() == first.Target })
		s.desk.Click(t, later.ID, "replace")
		s.eventually("the second translation can be pasted", func() bool { return s.paste() == second.Target })
	}
	s.desk.Click(t, note.ID, "restore")
	s.eventually("the first original is back", func() bool { return s.paste() == ferry })
	s.desk.Click(t, later.ID, "restore")
	s.eventually("the second original is back", func() bool { return s.paste() == last })
	require.Len(t, s.texts(), 2)
}

// TestNoDisplay is C21 for the whole program: it runs, says why, and the service
// goes on.
func TestNoDisplay(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	s.service()
	delete(s.env, "DISPLAY")
	p := s.start(shared.tray, "--verbose")
	icon := s.panel.Item(t)
	s.says(icon, "Ready")
	s.eventually("the menu says why", func() bool {
		_, said := desktest.Find(icon.Menu(t), "Not possible: there is no display")
		return said
	})
	s.command("translate", "--to", "es", last)
	p.alive()
	p.stop()
}

// TestToggledTwentyTimes is S17.
func TestToggledTwentyTimes(t *testing.T) {
	s := newSeat(t, "")
	s.service()
	_, icon := s.tray("Ready")
	for range 20 {
		icon.Choose(t, "Off")
		icon.Choose(t, "When a text is copied twice")
	}
	icon.Choose(t, "At every copy") // the only one, so all before it were done
	s.eventually("it watches", func() bool {
		_, every := desktest.Find(icon.Menu(t), "Watch the clipboard: on every copy")
		return every
	})
	editor := s.application()
	editor.copy(ferry)
	s.translation(ferry)
	editor.copy(last)
	s.translation(last)
	require.Equal(t, []string{ferry, last}, sources(s.texts()))
	require.Len(t, s.desk.Notes(), 2)
}

// TestTheMenuFollowsCommands is S11: a menu that is open is changed in its place.
func TestTheMenuFollowsCommands(t *testing.T) {
	s := newSeat(t, "")
	s.service()
	_, icon := s.tray("Ready")
	before := icon.Menu(t) // what an open menu shows
	begun := time.Now()
	s.command("pause", "1h")
	s.eventually("the icon says so", func() bool { return strings.HasPrefix(icon.Tooltip(t), "Dragoman: Paused until") })
	t.Logf("seen %s after the command began", time.Since(begun))
	resume, there := desktest.Find(icon.Menu(t), "Resume files")
	require.True(t, there)
	for i, e := range icon.Menu(t) {
		require.Equal(t, before[i].ID, e.ID, "the menu was made anew")
	}
	icon.Click(t, resume.ID)
	s.says(icon, "Ready")
}

// TestWithoutAnIcon is S14.
func TestWithoutAnIcon(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	s.service()
	p := s.start(shared.tray, "--verbose", "--no-icon")
	editor := s.application()
	s.eventually("copies are seen", func() bool {
		editor.copy(ferry)
		time.Sleep(pause)
		return len(s.texts()) > 0
	})
	s.translation(ferry)
	registered := func() bool {
		var names []string
		require.NoError(t, s.panel.Conn.BusObject().Call("org.freedesktop.DBus.ListNames", 0).Store(&names))
		return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "org.kde.StatusNotifierItem-") })
	}
	require.False(t, registered())
	p.stop()
	s.tray("Ready")
	require.True(t, registered(), "this test would not see an icon")
}

// TestWhatASuspensionLeaves is what can be had of S10 here: all programs stand
// still and go on.
func TestWhatASuspensionLeaves(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	service := s.service()
	p, icon := s.tray("Ready")
	editor := s.application()
	editor.copy(ferry) // may be in work
	for _, of := range []*process{p, service} {
		require.NoError(t, of.cmd.Process.Signal(syscall.SIGSTOP))
	}
	editor.copy("What is copied meanwhile is read later.")
	time.Sleep(3 * time.Second)
	for _, of := range []*process{service, p} {
		require.NoError(t, of.cmd.Process.Signal(syscall.SIGCONT))
	}
	begun := time.Now()
	editor.copy(last)
	s.translation(last)
	t.Logf("the first text is translated %s later", time.Since(begun))
	s.says(icon, "Ready")
}

// TestTheClipboardAfterTheEnd is C18: a text of ours is there for as long as the
// tray runs, and what another program copied is left alone by its end and start.
func TestTheClipboardAfterTheEnd(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\nclipboard.replace = true\n")
	s.service()
	p, _ := s.tray("Ready")
	editor := s.application()
	editor.copy(ferry)
	entry, _ := s.translation(ferry)
	s.eventually("it replaces the clipboard", func() bool { return s.paste() == entry.Target })
	p.stop() // no clipboard manager is here to take it over
	require.Empty(t, s.paste())
	require.Contains(t, s.log(), "was not handed over", "it is gone, and the log says so")

	editor.copy(last)
	p, _ = s.tray("Ready")
	p.stop()
	require.Equal(t, last, s.paste())
}
