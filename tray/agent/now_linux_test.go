package agent

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/tray/desktest"
	"dragoman/tray/message"
	"dragoman/watch/clip"
)

// TestTheKeyTranslatesWhatIsThere is C26 as well: there may be nothing.
func TestTheKeyTranslatesWhatIsThere(t *testing.T) {
	xclip := desktest.Need(t, "xclip", "xclip")
	a := newAgent(t, "clipboard.watch = 'off'\nclipboard.to = 'es'\n")
	desk := startDesk(t, a)
	attach(t, a)
	press := func() {
		t.Helper()
		before := len(desk.Notes())
		a.translateNow(t.Context())
		for limit := time.After(desktest.Soon); len(desk.Notes()) == before; {
			select {
			case f := <-a.inbox:
				f()
			case <-time.After(10 * time.Millisecond): // a note comes without a word to the agent
			case <-limit:
				require.Fail(t, "the key says nothing")
			}
		}
	}
	last := func() string { return desk.Notes()[len(desk.Notes())-1].Body }
	press()
	require.Equal(t, a.texts.Say(message.NoteFailed), last(), "there is no clipboard")

	t.Setenv("DISPLAY", desktest.StartX(t))
	t.Setenv("WAYLAND_DISPLAY", "")
	c, err := clip.Open(t.Context(), a.ClipOptions())
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	a.clipboard = c
	copyText := func(text string, args ...string) {
		t.Helper()
		args = append([]string{"-selection", "clipboard"}, args...)
		cmd := exec.Command(xclip, args...)
		cmd.Stdin = strings.NewReader(text)
		require.NoError(t, cmd.Run())
		require.Eventually(t, func() bool { // xclip may end before it owns the clipboard
			out, err := exec.Command(xclip, append(args, "-out")...).Output()
			return err == nil && string(out) == text
		}, desktest.Soon, 10*time.Millisecond)
	}
	press()
	require.Equal(t, a.texts.Say(message.NoteNothing), last(), "nothing was copied")
	copyText("secret", "-target", "x-kde-passwordManagerHint")
	press()
	require.Equal(t, a.texts.Say(message.NoteNothing), last(), "a secret is nothing")
	copyText("The dog is black.")
	press()
	require.Len(t, a.results, 1, "whatever the settings say of copies")
	require.Equal(t, a.results[0].translation, last())
}
