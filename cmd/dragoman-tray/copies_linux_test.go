package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/tray/desktest"
)

const (
	ferry = "The ferry to the island is late because of the fog."
	last  = "The house is big." // is translated when all before was looked at
)

// patient has room between two copies for a machine that is busy.
const patient = "clipboard.window = \"10s\"\n"

func saying(part string) func(desktest.Note) bool {
	return func(n desktest.Note) bool { return strings.Contains(n.Body, part) }
}

// sources of what was translated, oldest first.
func sources(entries []api.HistoryEntry) (texts []string) {
	for _, e := range entries {
		texts = append(texts, e.Source)
	}
	return texts
}

// translation returns the note of a translation once it is there.
func (s *seat) translation(source string) (api.HistoryEntry, desktest.Note) {
	s.t.Helper()
	var entry api.HistoryEntry
	s.eventually("a text is translated", func() bool {
		for _, e := range s.texts() {
			if e.Source == source {
				entry = e
				return true
			}
		}
		return false
	})
	return entry, s.desk.Wait(s.t, func(n desktest.Note) bool { return n.Body == entry.Target })
}

func TestCopiedTwice(t *testing.T) {
	s := newSeat(t, patient)
	s.service()
	_, icon := s.tray("Ready")
	editor := s.application()

	editor.copyTwice(ferry)
	entry, note := s.translation(ferry)
	require.Equal(t, []string{"en", "es"}, []string{entry.From, entry.To})
	require.Equal(t, api.OriginClipboard, entry.Origin)
	require.Contains(t, entry.Target, "isla")
	require.Equal(t, "Translated into Spanish", note.Title)
	require.Contains(t, note.Actions, "copy")
	require.Equal(t, ferry, s.paste(), "nobody has asked for another clipboard")

	s.desk.Click(t, note.ID, "copy")
	s.eventually("the translation can be pasted", func() bool { return s.paste() == entry.Target })
	browser := s.application()
	half := entry.Target[:len(entry.Target)/2]
	half = half[:strings.LastIndex(half, " ")]
	browser.copyTwice(half) // C3

	s.desk.Click(t, note.ID, "replace")
	done := s.desk.Wait(t, saying("The translation is on the clipboard"))
	require.Equal(t, note.ID, done.Replaces)
	require.Equal(t, entry.Target, s.paste())
	s.desk.Click(t, note.ID, "restore")
	s.eventually("the original is back", func() bool { return s.paste() == ferry })

	icon.Choose(t, "The ferry to the island is late because…")
	s.eventually("the result of the menu can be pasted", func() bool { return s.paste() == entry.Target })

	editor.copyTwice(last)
	s.translation(last)
	require.Equal(t, []string{ferry, last}, sources(s.texts()), "our own texts made jobs")
	for _, n := range s.desk.Notes() {
		require.NotContains(t, n.Title+n.Body, "could not")
	}
}

// TestEachCopyOnce is C1, with all that could feed itself turned on.
func TestEachCopyOnce(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\nclipboard.replace = true\nclipboard.two_way = true\nclipboard.other = \"de\"\n")
	editor := s.application()
	editor.copy("This was there before.") // C4
	s.service()
	s.tray("Ready")
	var copied []string
	for _, text := range []string{ferry, "We will meet at the station."} {
		editor.copy(text)
		copied = append(copied, text)
		entry, _ := s.translation(text)
		s.eventually("it replaces the clipboard", func() bool { return s.paste() == entry.Target })
		s.application().copy(entry.Target) // as clipboard managers do
		time.Sleep(pause)
	}
	editor.copy(last)
	s.translation(last)
	require.Equal(t, append(copied, last), sources(s.texts()))
}

// TestManyCopiesInARow is C6, faster than people are.
func TestManyCopiesInARow(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	s.service()
	s.tray("Ready")
	editor := s.application()
	texts := []string{
		"The dog is black.", "The cat is white.", "The house is big.", "The car is red.", "The book is new.",
		"The door is open.", "The water is cold.", "The street is long.", "The tree is green.", "The night is dark.",
	}
	for _, text := range texts {
		editor.copy(text)
		time.Sleep(pause)
	}
	for _, text := range texts {
		s.translation(text)
	}
	require.Equal(t, texts, sources(s.texts()))
}

// TestAFailureTouchesNothing is C5.
func TestAFailureTouchesNothing(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\nclipboard.replace = true\n")
	s.env["DRAGOMAN_MODEL"] = s.path("nothing")
	s.start(shared.daemon)
	s.tray("Nothing can be translated")
	editor := s.application()
	for _, text := range []string{ferry, last} {
		before := strings.Count(s.log(), "A text was not translated")
		editor.copy(text)
		s.eventually("it has failed", func() bool { return strings.Count(s.log(), "A text was not translated") > before })
		require.Equal(t, text, s.paste())
	}
	s.desk.Wait(t, saying("could not be translated"))
	require.Len(t, s.desk.Notes(), 1, "the same failure again is no news")
}

func TestSecretsAreNotAskedFor(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	p, _ := s.tray("The translation service is not running")
	for i, mark := range []map[string]string{
		{"x-kde-passwordManagerHint": "secret"},
		{"x-kde-passwordManagerHint": ""},
		{"ExcludeClipboardContentFromMonitorProcessing": ""},
		{"Clipboard Viewer Ignore": ""},
		{"org.nspasteboard.ConcealedType": ""},
	} {
		manager := s.application()
		for _, text := range []string{"UTF8_STRING", "STRING", "TEXT", "text/plain", "text/plain;charset=utf-8"} {
			mark[text] = "The horse and the battery are correct."
		}
		manager.own(mark)
		s.judged("secret", i+1)
		for _, asked := range manager.requests() {
			require.Contains(t, []string{"TARGETS", "x-kde-passwordManagerHint"}, asked)
		}
	}
	require.Empty(t, s.desk.Notes())

	editor := s.application()
	editor.copy(ferry)
	s.desk.Wait(t, saying("has stopped"))
	require.Contains(t, editor.requests(), "UTF8_STRING", "this test would not see a request")
	p.stop()
	for _, text := range []string{"horse", "ferry"} {
		require.NotContains(t, s.log()+p.output.String(), text)
	}
}

func TestSettingsCountAtOnce(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	s.service()
	_, icon := s.tray("Ready")
	editor := s.application()
	s.command("config", "set", "clipboard.watch", "off")
	editor.copy(ferry)
	s.judged("off", 1)
	s.eventually("the menu says so", func() bool {
		_, off := desktest.Find(icon.Menu(t), "Watch the clipboard: off")
		return off
	})
	s.command("config", "set", "clipboard.watch", "every")
	editor.copy(last)
	s.translation(last)
	require.Equal(t, []string{last}, sources(s.texts()), "what was copied while it was off is not caught up with")

	icon.Choose(t, "When a text is copied twice")
	s.eventually("the menu says so", func() bool {
		_, double := desktest.Find(icon.Menu(t), "Watch the clipboard: on double copy")
		return double
	})
	editor.copy(ferry)
	s.judged(`"first of two"`, 1)
}

// What was copied after a text is not replaced by that text's translation.
func TestALaterCopyIsNotReplaced(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\nclipboard.replace = true\n")
	s.service()
	s.tray("Ready")
	editor, manager := s.application(), s.application()
	editor.copy(strings.Repeat(ferry+" "+last+" ", 30)) // takes some time
	s.eventually("the text is asked for", func() bool { return slices.Contains(editor.requests(), "UTF8_STRING") })
	manager.own(map[string]string{"UTF8_STRING": "hunter2", "x-kde-passwordManagerHint": "secret"})
	s.judged("secret", 1)
	s.eventually("the translation is shown", func() bool { return len(s.texts()) == 1 })
	require.Never(t, func() bool { return s.paste() != "hunter2" }, time.Second, 100*time.Millisecond)
}
