//go:build unix

package agent

import (
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/tray"
	"dragoman/tray/desktest"
	"dragoman/tray/message"
	"dragoman/tray/notify"
	"dragoman/watch/clip"
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

func TestATextThatNeedsNoTranslationIsPassedOver(t *testing.T) {
	for name, in := range map[string]api.Detection{
		"in the language already":     {Language: "es", Confidence: 1},
		"in one that the model lacks": {Foreign: "tlh", Confidence: 1},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, "clipboard.watch = 'every'\nclipboard.to = 'es'\n")
			desk := startDesk(t, a)
			attach(t, a).in = in
			a.copied(t.Context(), clip.Copy{Text: "La casa es grande."})
			wait(t, a, func() bool { return !a.busy[false] })
			a.work.Wait()
			require.Empty(t, desk.Notes())
			a.enqueue(t.Context(), task{text: "La casa es grande.", asked: true})
			wait(t, a, func() bool { return !a.busy[false] })
			desk.Wait(t, func(n desktest.Note) bool { return n.Body == a.texts.Say(message.NoteNothing) })
			require.Empty(t, a.results)
		})
	}
}

func TestTheClipboardIsReplacedByWhatBelongsToIt(t *testing.T) {
	a := newAgent(t, "clipboard.watch = 'every'\nclipboard.to = 'es'\nclipboard.replace = true\ntray.show_text = false\n")
	desk := startDesk(t, a)
	service := attach(t, a)
	translated := func(text string, meanwhile func()) desktest.Note {
		a.copied(t.Context(), clip.Copy{Text: text})
		meanwhile()
		wait(t, a, func() bool { return !a.busy[false] })
		a.work.Wait()
		notes := desk.Notes()
		return notes[len(notes)-1]
	}
	note := translated("The dog is black.", func() {})
	require.Equal(t, a.texts.Say(message.NoteHidden), note.Body)
	require.Equal(t, "Not possible: "+a.texts.Say(message.ClipNoDisplay), desk.Notes()[0].Body, "there is none here")
	require.Contains(t, note.Actions, actRestore)
	require.NotContains(t, note.Title+note.Body, "dog", "texts are not to be shown")
	service.hold = "The cat is white."
	note = translated(service.hold, func() {
		a.copied(t.Context(), clip.Copy{Skip: clip.Secret})
		close(service.free)
	})
	require.NotContains(t, note.Actions, actRestore)
	require.Contains(t, note.Actions, actReplace)
}

// What was not translated, or into another language, may be copied again.
func TestTheSameTextAgain(t *testing.T) {
	a := newAgent(t, quietSpanish)
	startDesk(t, a)
	attach(t, a)
	asks := func() bool {
		before := a.number
		a.copied(t.Context(), clip.Copy{Text: "The dog is black."})
		wait(t, a, func() bool { return !a.busy[false] })
		return a.number > before
	}
	require.True(t, asks())
	require.False(t, asks())
	a.clicked(t.Context(), tray.Click{ID: tray.ID{Action: tray.SetTarget, Arg: "fr"}})
	require.True(t, asks())
	a.translationFailed(t.Context(), task{}, errNoRoom)
	require.True(t, asks())
}
