package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

const saved = "Saved. No service is running: it counts from the next start of the service.\n"

// newEditCommand has an editor, which is a script; "$1" is the copy.
func newEditCommand(t *testing.T, file, editor string) *command {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the editors of this test are shell scripts")
	}
	c := newConfigCommand(t)
	c.env["PATH"], c.env["DRAGOMAN_STATE"] = os.Getenv("PATH"), filepath.Join(c.dir, "state")
	c.env["EDITOR"] = "sh " + c.write("editor", `test "$1" != "$DRAGOMAN_CONFIG" || exit 9`+"\n"+editor+"\n")
	if file != "" {
		c.write("settings/config.toml", file)
	}
	return c
}

// requireEdited looks at the settings, "" is not there, and for copies.
func requireEdited(t *testing.T, c *command, after string) {
	t.Helper()
	if after == "" {
		require.NoFileExists(t, c.env["DRAGOMAN_CONFIG"])
	} else {
		require.Equal(t, after, c.read("settings/config.toml"))
	}
	require.Empty(t, list(t, c.env["TMPDIR"]), "no copy is left")
	require.NoDirExists(t, c.env["DRAGOMAN_STATE"], "no copy is left")
}

const goodSettings, badSettings = "[inference]\nthreads = 4\n", "[inference]\nthreds = 4\n"

func TestConfigEdit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		file   string // "" is not there
		editor string
		code   int
		stdout string
		want   []string // on the standard error
		after  string   // "" is not there
	}{
		"first file":    {"", `echo 'inference.threads = 4' >"$1"`, exitOK, saved, nil, "inference.threads = 4\n"},
		"the default":   {"", `grep -q '^#threads = 0' "$1"`, exitOK, "", []string{"Nothing was changed.\n"}, ""},
		"change":        {goodSettings, `echo 'weights = "f32"' >>"$1"`, exitOK, saved, nil, goodSettings + "weights = \"f32\"\n"},
		"private":       {goodSettings, `ls -l "$1" | grep -q '^-rw-------' && ls -ld "$(dirname "$1")" | grep -q '^drwx------' && echo >>"$1"`, exitOK, saved, nil, goodSettings + "\n"},
		"nothing":       {goodSettings, `true`, exitOK, "", []string{"Nothing was changed.\n"}, goodSettings},
		"mistake":       {goodSettings, `sed -i s/threads/threds/ "$1"`, exitSetup, "", []string{"config.toml:2: inference.threds: unknown key: did you mean inference.threads?", "as it was before"}, goodSettings},
		"mended":        {badSettings, `sed -i s/threds/threads/ "$1"`, exitOK, saved, nil, goodSettings},
		"editor fails":  {goodSettings, `exit 3`, exitFailed, "", []string{"run the editor", "exit status 3"}, goodSettings},
		"fails late":    {goodSettings, `echo >>"$1"; exit 3`, exitFailed, "", []string{"exit status 3", "as they were"}, goodSettings},
		"changed twice": {goodSettings, `echo '# a' >>"$1"; echo '# b' >>"$DRAGOMAN_CONFIG"`, exitFailed, "", []string{"was changed meanwhile"}, goodSettings + "# b\n"},
		"killed":        {goodSettings, `echo >>"$1"; kill $PPID; exec sleep 60`, exitInterrupted, "", []string{"interrupted"}, goodSettings},
		"hung up":       {goodSettings, `echo >>"$1"; kill -HUP $PPID; exec sleep 60`, exitInterrupted, "", []string{"interrupted"}, goodSettings},
		"Ctrl-C":        {goodSettings, `kill -INT $PPID; kill -INT $PPID; echo >>"$1"`, exitOK, saved, nil, goodSettings + "\n"},
		"editors crumb": {goodSettings, `echo >>"$1"; cp "$1" "$1~"`, exitOK, saved, nil, goodSettings + "\n"},
		"edited twice":  {goodSettings, `echo >>"$1"; EDITOR=true ` + shared.program + ` config edit; test $? = 1 || exit 9`, exitOK, saved, []string{"being edited already"}, goodSettings + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newEditCommand(t, test.file, test.editor)
			o := c.run("config", "edit")
			require.Equal(t, test.code, o.code, o.stderr)
			require.Equal(t, test.stdout, o.stdout)
			for _, part := range test.want {
				require.Contains(t, o.stderr, part)
			}
			if test.want == nil {
				require.Empty(t, o.stderr)
			}
			requireEdited(t, c, test.after)
		})
	}
}

// A copy that a kill left behind, with a secret in it, goes at the next edit.
func TestConfigEditRemovesAnEarlierCopy(t *testing.T) {
	t.Parallel()
	c := newEditCommand(t, goodSettings, `test ! -e "$1~" && grep -q '^threads = 4' "$1"`)
	c.write("state/settings.edit/config.toml", "secret")
	c.write("state/settings.edit/config.toml~", "secret")
	c.write("state/settings.edit/lock", "")
	require.Equal(t, exitOK, c.run("config", "edit").code)
	require.Empty(t, list(t, c.env["DRAGOMAN_STATE"]))
}

func TestConfigEditWithoutAnEditor(t *testing.T) {
	t.Parallel()
	c := newConfigCommand(t)
	c.env["PATH"] = t.TempDir()
	requireRefused(t, c, exitFailed, []string{"no editor", "set EDITOR to one"}, "config", "edit")
	c.env["VISUAL"] = "no-such-editor --wait"
	requireRefused(t, c, exitFailed, []string{"run the editor no-such-editor"}, "config", "edit")
}
