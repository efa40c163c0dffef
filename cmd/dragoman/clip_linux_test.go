package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/tray/desktest"
)

// onDesktop is a shell in a session with a display of its own.
func onDesktop(t *testing.T, c *command) *command {
	t.Helper()
	desktest.Need(t, "xclip", "xclip")
	c.env["DISPLAY"], c.env["PATH"], c.env["LANG"] = desktest.StartX(t), os.Getenv("PATH"), "de_DE.UTF-8"
	c.env["DRAGOMAN_STATE"] = filepath.Join(c.dir, "state")
	return c
}

// xclip runs it with an input and returns what it writes.
func (c *command) xclip(input string, args ...string) string {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), "xclip", args...)
	cmd.Env = []string{"DISPLAY=" + c.env["DISPLAY"]}
	if input != "" {
		cmd.Stdin = strings.NewReader(input)
		require.NoError(c.t, cmd.Run())
		return ""
	}
	out, err := cmd.Output()
	require.NoError(c.t, err)
	return string(out)
}

func (c *command) copied(text string, args ...string) {
	c.t.Helper()
	c.xclip(text, append([]string{"-selection", "clipboard"}, args...)...)
}

func TestClipSaysWhyThereIsNothing(t *testing.T) {
	t.Parallel()
	c := onDesktop(t, newCommand(t))
	refused := func(want string, args ...string) {
		t.Helper()
		requireRefused(t, c, exitInput, []string{want}, append([]string{"clip"}, args...)...)
	}
	refused("the clipboard is empty: copy a text first")
	refused("the primary selection is empty: mark a text with the mouse first", "--primary")
	c.copied("secret", "-t", "x-kde-passwordManagerHint")
	refused("says that it is secret")
	c.copied("\x89PNG", "-t", "image/png")
	refused("holds a picture and no text")
	c.copied("file:///a", "-t", "text/uri-list")
	refused("dragoman translate FILE")
	c.copied(strings.Repeat("The house is big. ", clipLimit/18+1))
	refused("more than 10 megabytes")
	c.copied("The house is big.")
	refused("in English (en) already", "--to", "en")
	requireRefused(t, c, exitUsage, []string{"--from de"}, "clip", "--from", "de")
	requireRefused(t, c, exitUsage, []string{"no arguments"}, "clip", "text")
	requireRefused(t, c, exitUsage, []string{"xx"}, "clip", "--to", "xx")
	c.env["DISPLAY"] = ""
	requireRefused(t, c, exitSetup, []string{"no display"}, "clip")
}

// TestClipChoosesTheLanguage as the tray does.
func TestClipChoosesTheLanguage(t *testing.T) {
	t.Parallel()
	c := onDesktop(t, newCommand(t))
	c.copied("The house is big.")
	c.xclip("The dog is small.", "-selection", "primary")
	require.Equal(t, "Das Haus ist groß.\n", c.succeeds("clip"), "the desktop's language")
	require.Equal(t, "Der Hund ist klein.\n", c.succeeds("clip", "--primary"))
	c.env["LANG"] = "ja_JP.UTF-8"
	requireRefused(t, c, exitInput, []string{"English (en) already"}, "clip")
	c.env["DRAGOMAN_CLIPBOARD_TO"], c.env["DRAGOMAN_CLIPBOARD_TWO_WAY"] = "en", "true"
	require.NoError(t, os.MkdirAll(c.env["DRAGOMAN_STATE"], 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(c.env["DRAGOMAN_STATE"], "tray.json"), []byte(`{"recent":["en","es"]}`), 0o600))
	require.Contains(t, c.succeeds("clip", "--from", "en"), "casa", "the way back, into the last language that was chosen")
	require.Equal(t, "The house is big.", c.xclip("", "-selection", "clipboard", "-o"), "left as it was")
}

func TestClipByTheService(t *testing.T) {
	c := onDesktop(t, withService(t))
	c.copied("The house is big.")
	require.Equal(t, "Das Haus ist groß.\n", c.succeeds("clip"))
	require.Equal(t, "Das Haus ist groß.\n", c.succeeds("clip", "--local"))
	c.copied("The cat is a secret.")
	c.succeeds("clip", "--private")
	now, err := c.client().Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(2), now.Totals.Texts)
	history := c.succeeds("history", "--json")
	require.Contains(t, history, `"origin":"clipboard"`)
	require.NotContains(t, history, "secret")
}

// TestClipTellsDoubts once, whoever translates.
func TestClipTellsDoubts(t *testing.T) {
	c := onDesktop(t, withService(t))
	c.copied("Hotel Taxi Radio")
	for _, args := range [][]string{{"clip"}, {"clip", "--local"}} {
		o := c.run(args...)
		require.Zero(t, o.code, o.stderr)
		require.Equal(t, 1, strings.Count(o.stderr, "(unsure"), o.stderr)
	}
}

func TestClipReplaces(t *testing.T) {
	t.Parallel()
	c := onDesktop(t, newCommand(t))
	c.copied("The house is big.")
	require.Equal(t, "Das Haus ist groß.\n", c.succeeds("clip", "--replace"))
	require.Equal(t, "Das Haus ist groß.", c.xclip("", "-selection", "clipboard", "-o"), "after the command has ended")
	require.Equal(t, "Das Haus ist groß.", c.xclip("", "-selection", "clipboard", "-o"), "and again")
	requireRefused(t, c, exitInput, []string{"holds a translation of dragoman's already"}, "clip")
	owner := c.owner()
	require.NotZero(t, owner)
	c.copied("The dog is small.")
	require.Eventually(t, func() bool { return c.owner() == 0 }, patience, 10*time.Millisecond, "nobody stays when another has copied")

	c.succeeds("clip", "--replace")
	owner = c.owner()
	require.NoError(t, syscall.Kill(owner, syscall.SIGTERM))
	require.Eventually(t, func() bool { return c.owner() == 0 }, patience, 10*time.Millisecond)
}

// owner is the process that keeps a text on the clipboard of this shell, 0 if
// there is none.
func (c *command) owner() int {
	c.t.Helper()
	entries, err := os.ReadDir("/proc")
	require.NoError(c.t, err)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		command, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		environment, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if strings.Contains(string(command), "\x00"+ownerName+"\x00") && strings.Contains(string(environment), "DRAGOMAN_STATE="+c.env["DRAGOMAN_STATE"]+"\x00") &&
			strings.Contains(string(environment), c.dir) {
			return pid
		}
	}
	return 0
}

func TestClipNotifies(t *testing.T) {
	t.Parallel()
	c := onDesktop(t, newCommand(t))
	bus := desktest.StartBus(t)
	desk := desktest.StartDesk(t, bus, "actions")
	c.env["DBUS_SESSION_BUS_ADDRESS"] = bus.Address()
	c.copied("The house is big.")
	require.Equal(t, "Das Haus ist groß.\n", c.succeeds("clip", "--notify"))
	c.env["DRAGOMAN_TRAY_SHOW_TEXT"] = "false"
	c.succeeds("clip", "--notify")
	c.copied("secret", "-t", "x-kde-passwordManagerHint")
	c.run("clip", "--notify")
	notes := desk.Notes()
	require.Len(t, notes, 3)
	require.Equal(t, "Übersetzt in: Deutsch", notes[0].Title)
	require.Equal(t, "Das Haus ist groß.", notes[0].Body)
	require.FileExists(t, notes[0].Icon)
	require.Empty(t, notes[0].Actions, "nobody would hear of a click")
	require.NotContains(t, notes[1].Body, "Haus")
	require.Contains(t, notes[2].Body, "secret", "who pressed a key learns why nothing happens")
	require.Empty(t, desk.Closed(), "the notes outlive the command")

	c.env["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + filepath.Join(c.dir, "none")
	c.copied("The house is big.")
	o := c.run("clip", "--notify")
	require.Equal(t, exitFailed, o.code)
	require.Equal(t, "Das Haus ist groß.\n", o.stdout)
	require.Contains(t, o.stderr, "session bus")
}
