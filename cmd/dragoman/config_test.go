package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
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

	require.Equal(t, "Saved. No service is running: it counts from the next start of the service.\n", c.succeeds("config", "set", "inference.threads", "4"))
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
		"no key":               {"", "get nosuch", exitUsage, []string{"there is no setting nosuch", "`dragoman config get`"}},
		"a table":              {"", "get cache", exitUsage, []string{"cache is a table of settings", "cache.quota_mb"}},
		"unknown key, set":     {"", "set inference.thread 4", exitUsage, []string{"did you mean inference.threads?"}},
		"unknown key, unset":   {"", "unset inference.thread", exitUsage, []string{"did you mean inference.threads?"}},
		"wrong value":          {"", "set inference.threads many", exitUsage, []string{"inference.threads", `"many" is not a whole number`, "from 0 to 1024"}},
		"address for everyone": {"", "set libretranslate.address 0.0.0.0:5000", exitUsage, []string{"would serve everyone on the network", "127.0.0.1:5000"}},
		"several values":       {"", "set inference.model a b", exitUsage, []string{"takes one value, 2 were given"}},
		"no value":             {"", "set inference.model", exitUsage, []string{"1 argument given"}},
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

func TestConfigTellsTheService(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	t.Setenv("DRAGOMAN_CONFIG", file)
	told := 0
	var answer *api.SettingsResponse
	var failure error
	run := func(args ...string) (string, error) {
		c := newConfig(func(context.Context) (*api.SettingsResponse, error) { told++; return answer, failure })
		var out strings.Builder
		c.SetArgs(args)
		c.SetOut(&out)
		c.SilenceErrors, c.SilenceUsage = true, true
		err := c.ExecuteContext(t.Context())
		return out.String(), err
	}
	says := func(want string, args ...string) {
		t.Helper()
		out, err := run(args...)
		require.NoError(t, err)
		require.Equal(t, want+"\n", out)
	}
	const set = "set queue.workers 2"
	says("Saved. No service is running: it counts from the next start of the service.", strings.Fields(set)...)
	require.Equal(t, 1, told)
	answer = &api.SettingsResponse{File: file, Settings: []api.Setting{
		{Key: "queue.workers", Restart: true}, {Key: "history.days"}, {Key: "inference.threads"}, {Key: "log.level", Source: "environment", Restart: true},
		{Key: "tray.hotkey", Source: "policy"},
	}}
	says("Saved. The running service takes over queue.workers at its next start: "+howToRestart()+".", strings.Fields(set)...)
	says("Saved. The running service has taken over history.days.", "set", "history.days", "3")
	says("Saved. The running service has taken over history.days.", "unset", "history.days")
	says("Saved. The running service loads its model anew with inference.threads: see `dragoman status`.", "set", "inference.threads", "2")
	says("Saved. The environment of the running service sets log.level, which goes before the file.", "set", "log.level", "debug")
	says("Saved. The policy of this machine fixes tray.hotkey, which goes before the file: see `dragoman doctor`.", "set", "tray.hotkey", "F6")
	require.Equal(t, 7, told)
	_, err := run("get", "queue.workers")
	require.NoError(t, err)
	_, err = run("set", "queue.workers", "-2")
	require.Error(t, err)
	_, err = run("set", "queue.workers", "many")
	require.Error(t, err)
	require.Equal(t, 7, told, "nothing changed")

	answer.Problems = []string{"the port is taken"}
	_, err = run(strings.Fields(set)...)
	require.EqualError(t, err, "the settings are saved, but the running service could not put all in force: the port is taken")
	require.Equal(t, exitFailed, exitCode(err))
	answer = &api.SettingsResponse{File: "/etc/dragoman/config.toml"}
	says("Saved in "+file+". The running service has another file: /etc/dragoman/config.toml", strings.Fields(set)...)
	failure = errors.New("no answer")
	_, err = run(strings.Fields(set)...)
	require.EqualError(t, err, "the settings are saved, but the running service did not take them over: no answer")
}
