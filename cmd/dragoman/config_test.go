package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/config"
)

// newConfigCommand has a settings file of its own, which is not there yet.
func newConfigCommand(t *testing.T) *command {
	c := newCommand(t)
	c.env["DRAGOMAN_CONFIG"] = filepath.Join(c.dir, "settings", "config.toml")
	return c
}

func TestConfigSetAndUnset(t *testing.T) {
	t.Parallel()
	c := newConfigCommand(t)
	require.Equal(t, c.env["DRAGOMAN_CONFIG"]+"\n", c.succeeds("config", "path"))
	require.Equal(t, string(config.DefaultFile()), c.succeeds("config", "default"))
	require.Equal(t, "0\n", c.succeeds("config", "get", "inference.threads"))
	require.NoFileExists(t, c.env["DRAGOMAN_CONFIG"], "reading makes nothing")

	require.Empty(t, c.succeeds("config", "set", "inference.threads", "4"))
	require.Equal(t, "4\n", c.succeeds("config", "get", "inference.threads"))
	require.Contains(t, c.read("settings/config.toml"), "\n#threads = 0\nthreads = 4\n")
	c.succeeds("config", "set", "folders.rescan", "90m")
	require.Equal(t, "1h30m\n", c.succeeds("config", "get", "folders.rescan"))
	c.succeeds("config", "set", "inference.model", "some model")
	require.Equal(t, "some model\n", c.succeeds("config", "get", "inference.model"))
	c.succeeds("config", "set", "libretranslate.origins", "https://a.example", "https://b.example")
	require.Equal(t, "https://a.example\nhttps://b.example\n", c.succeeds("config", "get", "libretranslate.origins"))
	c.succeeds("config", "set", "libretranslate.origins", "")
	require.Equal(t, "\n", c.succeeds("config", "get", "libretranslate.origins"))

	c.succeeds("config", "set", "inference.runtime", "openvino")
	require.Equal(t, filepath.Join(c.dir, "openvino")+"\n", c.succeeds("config", "get", "inference.runtime"), "from the shell's folder")

	for _, key := range []string{"inference.threads", "inference.model", "folders.rescan", "libretranslate.origins", "inference.runtime"} {
		c.succeeds("config", "unset", key)
	}
	require.Equal(t, string(config.DefaultFile()), c.read("settings/config.toml"))
}

func TestConfigGetOfAll(t *testing.T) {
	t.Parallel()
	c := newConfigCommand(t)
	c.env["DRAGOMAN_QUEUE_WORKERS"] = "2"
	c.succeeds("config", "set", "libretranslate.api_key", "not-for-the-list-of-all")
	o := c.run("config", "set", "queue.workers", "3")
	require.Equal(t, 0, o.code)
	require.Equal(t, "dragoman: the environment variable DRAGOMAN_QUEUE_WORKERS is set and goes before the file\n", o.stderr)

	all := c.succeeds("config", "get")
	require.Regexp(t, `(?m)^queue.workers +2 +environment$`, all)
	require.Regexp(t, `(?m)^libretranslate.api_key +\(not shown\) +file$`, all)
	require.Regexp(t, `(?m)^folders.rescan +"15m" +default$`, all)
	require.Equal(t, len(config.Keys()), strings.Count(all, "\n"))
	require.Equal(t, "not-for-the-list-of-all\n", c.succeeds("config", "get", "libretranslate.api_key"))
}

func TestConfigRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		file string
		args string
		code int
		want []string
	}{
		"unknown key":          {"", "get inference.thread", exitUsage, []string{"inference.thread", "did you mean inference.threads?"}},
		"unknown key, set":     {"", "set inference.thread 4", exitUsage, []string{"did you mean inference.threads?"}},
		"unknown key, unset":   {"", "unset inference.thread", exitUsage, []string{"did you mean inference.threads?"}},
		"wrong value":          {"", "set inference.threads many", exitUsage, []string{"inference.threads", `"many" is not a whole number`, "from 0 to 1024"}},
		"address for everyone": {"", "set libretranslate.address 0.0.0.0:5000", exitUsage, []string{"would serve everyone on the network", "127.0.0.1:5000"}},
		"several values":       {"", "set inference.model a b", exitUsage, []string{"takes one value, 2 were given"}},
		"no value":             {"", "set inference.model", exitUsage, []string{"1 arguments given"}},
		"two keys":             {"", "get inference.model inference.threads", exitUsage, []string{"2 arguments given"}},
		"unknown command":      {"", "unsett", exitUsage, []string{"did you mean `dragoman config unset`?"}},
		"shell":                {"", "../completion tcsh", exitUsage, []string{`unknown command "tcsh"`}},
		"mistake in the file":  {"[inference]\nthreds = 4\n", "get", exitSetup, []string{"config.toml:2", "did you mean inference.threads?"}},
		"mistake, set":         {"[inference]\nthreds = 4\n", "set queue.workers 2", exitSetup, []string{"config.toml:2", "did you mean inference.threads?"}},
		"comments in a list":   {"[libretranslate]\nhosts = [ # x\n]\n", "set libretranslate.hosts a", exitFailed, []string{"libretranslate.hosts", "comments", "`dragoman config edit`"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newConfigCommand(t)
			c.write("settings/config.toml", test.file)
			c.write("settings/.config.toml.lock", "") // there since the first change
			args := append([]string{"config"}, strings.Fields(test.args)...)
			if rest, other := strings.CutPrefix(test.args, "../"); other {
				args = strings.Fields(rest)
			}
			requireRefused(t, c, test.code, test.want, args...)
			require.Equal(t, test.file, c.read("settings/config.toml"))
		})
	}
	t.Run("environment", func(t *testing.T) {
		t.Parallel()
		c := newConfigCommand(t)
		c.env["DRAGOMAN_INFERENCE_THREADS"] = "many"
		requireRefused(t, c, exitSetup, []string{"DRAGOMAN_INFERENCE_THREADS", `"many" is not a whole number`}, "config", "get")
	})
}

func TestConfigEdit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the editors of this test are shell scripts")
	}
	t.Parallel()
	const good, bad = "[inference]\nthreads = 4\n", "[inference]\nthreds = 4\n"
	for name, test := range map[string]struct {
		file   string // "" is not there
		editor string // "$1" is the copy
		answer string
		code   int
		want   []string // on the standard error
		after  string   // "" is not there
		kept   bool     // what was edited
	}{
		"first file":     {"", `echo 'inference.threads = 4' >"$1"`, "", exitOK, nil, "inference.threads = 4\n", false},
		"the default":    {"", `grep -q '^#threads = 0' "$1"`, "", exitOK, []string{"Nothing was changed.\n"}, "", false},
		"change":         {good, `echo 'weights = "f32"' >>"$1"`, "", exitOK, nil, good + "weights = \"f32\"\n", false},
		"nothing":        {good, `true`, "", exitOK, []string{"Nothing was changed.\n"}, good, false},
		"mistake, again": {good, `if grep -q '^threds' "$1"; then sed -i s/threds/workers/ "$1"; sed -i s/inference/queue/ "$1"; else sed -i s/threads/threds/ "$1"; fi`, "\n", exitOK, []string{"config.toml:2: inference.threds: unknown key: did you mean inference.threads?\nEdit again? [Y/n] "}, "[queue]\nworkers = 4\n", false},
		"mistake, no":    {good, `sed -i s/threads/threds/ "$1"`, "n\n", exitSetup, []string{"did you mean inference.threads?", "is unchanged, what you edited is in "}, good, true},
		"no answer":      {good, `sed -i s/threads/threds/ "$1"`, "", exitSetup, []string{"did you mean inference.threads?", "what you edited is in "}, good, true},
		"mended":         {bad, `sed -i s/threds/threads/ "$1"`, "", exitOK, nil, good, false},
		"editor fails":   {good, `exit 3`, "", exitFailed, []string{"run the editor", "exit status 3"}, good, false},
		"fails late":     {good, `echo >>"$1"; exit 3`, "", exitFailed, []string{"exit status 3", "what you edited is in "}, good, true},
		"changed twice":  {good, `echo '# a' >>"$1"; echo '# b' >>"$DRAGOMAN_CONFIG"`, "", exitFailed, []string{"was changed meanwhile", "what you edited is in "}, good + "# b\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newConfigCommand(t)
			c.env["PATH"] = os.Getenv("PATH")
			c.env["EDITOR"] = "sh " + c.write("editor", `test "$1" != "$DRAGOMAN_CONFIG" || exit 9`+"\n"+test.editor+"\n")
			if test.file != "" {
				c.write("settings/config.toml", test.file)
			}
			c.stdin = test.answer
			o := c.run("config", "edit")
			require.Equal(t, test.code, o.code, o.stderr)
			for _, part := range test.want {
				require.Contains(t, o.stderr, part)
			}
			if test.want == nil {
				require.Empty(t, o.stderr)
			}
			if test.after == "" {
				require.NoFileExists(t, c.env["DRAGOMAN_CONFIG"])
			} else {
				require.Equal(t, test.after, c.read("settings/config.toml"))
			}
			left := list(t, c.env["TMPDIR"])
			if !test.kept {
				require.Empty(t, left)
				return
			}
			require.Len(t, left, 2)
			require.Contains(t, o.stderr, filepath.FromSlash(left[1]))
			info, err := os.Stat(filepath.Join(c.env["TMPDIR"], left[1]))
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "the file may hold a secret")
		})
	}
}

func TestConfigEditWithoutAnEditor(t *testing.T) {
	t.Parallel()
	c := newConfigCommand(t)
	c.env["PATH"] = t.TempDir()
	requireRefused(t, c, exitFailed, []string{"no editor", "set EDITOR to one"}, "config", "edit")
	c.env["VISUAL"] = "no-such-editor --wait"
	requireRefused(t, c, exitFailed, []string{"run the editor no-such-editor"}, "config", "edit")
}

func TestConfigTellsTheService(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	t.Setenv("DRAGOMAN_CONFIG", file)
	told := 0
	var answer error
	run := func(args ...string) error {
		c := newConfig(func(context.Context) error { told++; return answer })
		c.SetArgs(args)
		c.SetOut(io.Discard)
		c.SilenceErrors, c.SilenceUsage = true, true
		return c.ExecuteContext(t.Context())
	}
	require.NoError(t, run("set", "queue.workers", "2"))
	require.Equal(t, 1, told)
	require.NoError(t, run("unset", "queue.workers"))
	require.Equal(t, 2, told)
	require.NoError(t, run("get", "queue.workers"))
	require.Error(t, run("set", "queue.workers", "-2"))
	require.Error(t, run("set", "queue.workers", "many"))
	require.Equal(t, 2, told, "nothing changed")

	answer = errors.New("no answer")
	require.EqualError(t, run("set", "queue.workers", "2"), "the settings are saved, but the running service did not take them over: no answer")
}
