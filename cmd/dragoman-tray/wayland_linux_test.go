package main

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/tray/desktest"
)

// toWayland takes the seat from X11 to a compositor.
func (s *seat) toWayland() {
	s.t.Helper()
	desktest.Need(s.t, "wl-copy", "wl-clipboard")
	delete(s.env, "DISPLAY")
	s.env["WAYLAND_DISPLAY"] = desktest.StartSway(s.t)
}

func (s *seat) wl(stdin, program string, args ...string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), desktest.Soon)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = []string{"WAYLAND_DISPLAY=" + s.env["WAYLAND_DISPLAY"], "XDG_RUNTIME_DIR=" + s.env["XDG_RUNTIME_DIR"], "PATH=" + s.env["PATH"]}
	cmd.Stdin = strings.NewReader(stdin)
	if program == "wl-copy" { // its child keeps what it was given
		require.NoError(s.t, cmd.Run())
		return ""
	}
	out, err := cmd.Output()
	if err != nil { // nothing is there
		return ""
	}
	return string(out)
}

func (s *seat) wlPaste() string { return s.wl("", "wl-paste", "--no-newline") }

func TestCopiedTwiceOnWayland(t *testing.T) {
	s := newSeat(t, patient+"clipboard.replace = true\n")
	s.toWayland()
	s.wl("This was there before.", "wl-copy")
	s.service()
	s.tray("Ready")
	copyTwice := func(text string) {
		t.Helper()
		s.wl(text, "wl-copy")
		time.Sleep(pause)
		s.wl(text, "wl-copy")
	}
	for range 2 { // wl-copy gives one format at a time: the mark, no text
		s.wl("secret", "wl-copy", "--type", "x-kde-passwordManagerHint")
	}
	s.judged("secret", 2)
	copyTwice(ferry)
	entry, note := s.translation(ferry)
	require.Equal(t, "es", entry.To)
	s.eventually("it replaces the clipboard", func() bool { return s.wlPaste() == entry.Target })
	copyTwice(entry.Target)
	s.desk.Click(t, note.ID, "restore")
	s.eventually("the original is back", func() bool { return s.wlPaste() == ferry })
	copyTwice(last)
	s.translation(last)
	require.Equal(t, []string{ferry, last}, sources(s.texts()))
}
