package agent

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/tray/notify"
	"dragoman/watch/clip"
)

const quietSpanish = "clipboard.watch = 'every'\nclipboard.to = 'es'\ntray.notifications = false\n"

func TestASentenceDoesNotWaitForALongText(t *testing.T) {
	a := newAgent(t, quietSpanish)
	long := strings.Repeat("The ferry is late. ", 200)
	service := attach(t, a)
	service.hold = long
	for _, text := range []string{long, "The dog is black.", "The cat is white."} {
		a.copied(t.Context(), clip.Copy{Text: text})
	}
	wait(t, a, func() bool { return len(a.results) == 2 })
	require.Equal(t, "¡The cat is white.!", a.results[0].translation, "in the order of the copies")
	require.Equal(t, "¡The dog is black.!", a.results[1].translation)
	close(service.free)
	wait(t, a, func() bool { return len(a.results) == 3 })
	require.Equal(t, "¡"+long+"!", a.results[0].translation)
	require.Empty(t, a.waiting)
	a.copied(t.Context(), clip.Copy{Text: long + "It is early."})
	wait(t, a, func() bool { return len(a.results) == 4 })
}

func TestACorrectionBelongsToItsCopy(t *testing.T) {
	a := newAgent(t, quietSpanish)
	attach(t, a)
	a.copied(t.Context(), clip.Copy{Text: "The dog is black."})
	wait(t, a, func() bool { return len(a.results) == 1 })
	first := a.results[0]
	require.Equal(t, a.copies, first.copies)
	a.copied(t.Context(), clip.Copy{Skip: clip.Secret})
	a.answered(t.Context(), notify.Event{Key: first.key, Action: actFrom + "pt"})
	wait(t, a, func() bool { return a.results[0].from == "pt" })
	require.Len(t, a.results, 1)
	require.Equal(t, first.copies, a.results[0].copies, "the clipboard holds another text by now, which must stay")
}

func TestOfManyCopiesTheNewestAreKept(t *testing.T) {
	a := newAgent(t, quietSpanish)
	service := attach(t, a)
	service.hold = "The house number 0 is big."
	for i := range maxWaiting + 10 {
		a.copied(t.Context(), clip.Copy{Text: fmt.Sprintf("The house number %d is big.", i)})
	}
	require.Len(t, a.waiting, maxWaiting)
	require.Equal(t, "The house number 10 is big.", a.waiting[0].text)
	close(service.free)
	wait(t, a, func() bool { return len(a.waiting) == 0 && !a.busy[false] })
	require.Equal(t, fmt.Sprintf("The house number %d is big.", maxWaiting+9), a.results[0].source)
}
