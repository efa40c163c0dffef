package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/tray/desktest"
)

// wayland runs a program of wl-clipboard in the session of a shell.
func (c *command) wayland(input, program string, args ...string) string {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), desktest.Need(c.t, program, "wl-clipboard"), args...)
	cmd.Env = []string{"WAYLAND_DISPLAY=" + c.env["WAYLAND_DISPLAY"], "XDG_RUNTIME_DIR=" + filepath.Dir(c.env["WAYLAND_DISPLAY"]), "PATH=" + os.Getenv("PATH")}
	if input != "" {
		cmd.Stdin = strings.NewReader(input)
		require.NoError(c.t, cmd.Run())
		return ""
	}
	out, err := cmd.Output()
	require.NoError(c.t, err)
	return string(out)
}

func TestClipOnWayland(t *testing.T) {
	c := newCommand(t)
	c.env["WAYLAND_DISPLAY"], c.env["PATH"], c.env["LANG"] = desktest.StartSway(t), os.Getenv("PATH"), "de_DE.UTF-8"
	c.env["DRAGOMAN_STATE"] = filepath.Join(c.dir, "state")
	requireRefused(t, c, exitInput, []string{"the clipboard is empty"}, "clip")
	c.wayland("The house is big.", "wl-copy")
	c.wayland("The dog is small.", "wl-copy", "--primary")
	require.Equal(t, "Das Haus ist groß.\n", c.succeeds("clip"))
	require.Equal(t, "Der Hund ist klein.\n", c.succeeds("clip", "--primary"))
	require.Equal(t, "Das Haus ist groß.\n", c.succeeds("clip", "--replace"))
	paste := func() string { return c.wayland("", "wl-paste", "--no-newline") }
	require.Equal(t, "Das Haus ist groß.", paste(), "after the command has ended")
	require.Equal(t, "Das Haus ist groß.", paste(), "and again")
	requireRefused(t, c, exitInput, []string{"holds a translation of dragoman's already"}, "clip")
	require.NotZero(t, c.owner())
	c.wayland("hunter2", "wl-copy", "--type", "x-kde-passwordManagerHint")
	require.Eventually(t, func() bool { return c.owner() == 0 }, patience, 10*time.Millisecond, "nobody stays when another has copied")
	requireRefused(t, c, exitInput, []string{"says that it is secret"}, "clip")
}
