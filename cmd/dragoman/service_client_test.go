package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon"
	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/daemon/ipc"
)

// withService is a shell whose user's service runs, in the test's process.
func withService(t *testing.T) *command {
	t.Helper()
	c := newCommand(t)
	run, err := os.MkdirTemp("", "dragoman-run-") // sockets take no long paths
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(run) })
	c.env["DRAGOMAN_RUNTIME"], c.env["DRAGOMAN_STATE"] = run, filepath.Join(c.dir, "state")
	// Terms and translations of one test must not meet those of another.
	c.env["DRAGOMAN_CONFIG"], c.env["DRAGOMAN_DATA"] = filepath.Join(c.dir, "config.toml"), filepath.Join(c.dir, "data")
	t.Setenv("DRAGOMAN_OPENVINO", c.env["DRAGOMAN_OPENVINO"])
	ctx, stop := context.WithCancel(context.Background())
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- daemon.Run(ctx, daemon.Options{Version: "test", Ready: func() { close(ready) }, Paths: config.Paths{
			ConfigFile: c.env["DRAGOMAN_CONFIG"], DataDir: c.env["DRAGOMAN_DATA"], CacheDir: shared.cache,
			StateDir: c.env["DRAGOMAN_STATE"], RuntimeDir: run, Model: starter(),
		}})
	}()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	select {
	case <-ready:
	case err := <-ended:
		require.NoError(t, err)
	}
	return c
}

// client speaks to the service of a shell.
func (c *command) client() *api.Client {
	return api.NewClient(func(ctx context.Context) (net.Conn, error) {
		return ipc.Dial(ctx, ipc.Default(c.env["DRAGOMAN_RUNTIME"]))
	})
}

func TestTranslateByTheService(t *testing.T) {
	c := withService(t)
	require.Equal(t, "Das Haus ist groß.\n", c.succeeds("translate", "--to", "de", "The house is big."))
	require.Equal(t, "Das Haus ist groß.\n", c.succeeds("translate", "--from", "en", "--to", "de", "The house is big."))
	now, err := c.client().Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(2), now.Totals.Texts)
	require.Equal(t, int64(1), now.Totals.Remembered)

	// Alone, by request or because of another model's flags.
	require.Equal(t, "Das Haus ist groß.\n", c.succeeds("translate", "--local", "--to", "de", "The house is big."))
	require.Equal(t, "Das Haus ist groß.\n", c.succeeds("translate", "--threads", "1", "--to", "de", "The house is big."))
	now, err = c.client().Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(2), now.Totals.Texts)

	c.write("letter.txt", "The dog is small.\n")
	require.Empty(t, c.succeeds("translate", "--to", "es", "letter.txt", "--output", "out/"))
	require.Contains(t, c.read("out/letter.es.txt"), "perro")
	refused := c.run("translate", "--to", "xx", "The house is big.")
	require.Equal(t, exitUsage, refused.code)
	require.Contains(t, refused.stderr, "only de, en, es, fr, it, pt")
	require.Contains(t, c.succeeds("languages"), "German")

	c.succeeds("translate", "--private", "--to", "de", "The cat is a secret.")
	history := c.succeeds("history")
	require.Contains(t, history, "The house is big.")
	require.NotContains(t, history, "secret")
	require.Contains(t, c.succeeds("history", "dog", "perro"), "The dog is small.")
	require.Equal(t, exitUsage, c.run("history", "erase").code, "not without --yes")
	require.Contains(t, c.succeeds("history", "erase", "--yes"), "3 texts")
	require.Empty(t, c.succeeds("history"))
}

// TestTranslateALongFileByTheService sends it in parts.
func TestTranslateALongFileByTheService(t *testing.T) {
	text := strings.Repeat("Good morning.\n\nThe house is big.\n", 40_000)
	cut := parts(text, part)
	require.Len(t, cut, 2)
	require.Equal(t, text, strings.Join(cut, ""))
	require.True(t, strings.HasSuffix(cut[0], "\n\n"))
	require.Equal(t, []string{"ab ", "cd ", "ef"}, parts("ab cd ef", 4))
	require.Equal(t, []string{"abcdef"}, parts("abcdef", 4))

	c := withService(t)
	c.write("long.txt", text)
	c.succeeds("translate", "--from", "en", "--to", "de", "long.txt", "--output", "long.de.txt")
	require.Equal(t, strings.Count(text, "\n"), strings.Count(c.read("long.de.txt"), "\n"))
}

func TestFoldersJobsAndStatus(t *testing.T) {
	c := withService(t)
	o := c.run("folders", "add", "--to", "es", "inbox")
	require.Equal(t, 0, o.code, o.stderr)
	require.Contains(t, o.stdout, filepath.Join("inbox", "translated"))
	c.write("inbox/a.txt", "The house is big.\n")
	c.write("inbox/bad.txt", "\xff\xfe\x00")
	var now api.Snapshot
	require.Eventually(t, func() bool {
		require.NoError(t, json.Unmarshal([]byte(c.succeeds("status", "--json")), &now))
		return now.Totals.Files == 1 && now.Totals.Failed == 1
	}, patience, 50*time.Millisecond)
	require.Contains(t, c.read("inbox/translated/a.es.txt"), "casa")

	status := c.succeeds("status")
	for _, want := range []string{"ready", "starter, int8", "1 file, 1 failed", "watching", "auto > es"} {
		require.Contains(t, status, want)
	}
	require.Contains(t, c.succeeds("jobs", "--state", "done", "--folder", "inbox"), "a.txt -> ")
	failed := c.succeeds("jobs", "--state", "failed")
	require.Contains(t, failed, "bad.txt")
	id := strings.Fields(strings.Split(failed, "\n")[1])[0]
	c.write("inbox/bad.txt", "The dog is small.\n")
	require.Eventually(t, func() bool {
		return len(visible(t, filepath.Join(c.dir, "inbox", "translated"))) == 2
	}, patience, 50*time.Millisecond)
	require.NotEqual(t, 0, c.run("jobs", "retry", id).code, "it has not failed any more")
	require.Equal(t, exitInput, c.run("jobs", "cancel", "987654").code)

	require.Equal(t, exitUsage, c.run("folders", "add", "other").code, "no language")
	c.succeeds("folders", "pause", "inbox")
	require.Contains(t, c.succeeds("folders", "list"), "paused")
	c.succeeds("folders", "resume", "1")
	c.succeeds("folders", "rescan", "1")
	require.Equal(t, exitInput, c.run("folders", "remove", "nowhere").code)
	c.succeeds("folders", "remove", "inbox")
	o = c.run("folders", "list")
	require.Equal(t, 0, o.code)
	require.Contains(t, o.stderr, "No folder is watched yet")

	require.Contains(t, c.succeeds("pause", "2h"), "2 hours")
	require.Equal(t, exitUsage, c.run("pause", "long").code)
	require.Contains(t, c.succeeds("status"), "paused")
	require.Contains(t, c.succeeds("resume"), "ready")
}

func TestWithoutTheService(t *testing.T) {
	c := newCommand(t)
	for _, args := range [][]string{{"status"}, {"folders", "list"}, {"jobs"}, {"history"}, {"pause"}, {"resume"}} {
		o := c.run(args...)
		require.Equal(t, exitNoService, o.code, args)
		require.Contains(t, o.stderr, "the dragoman service is not running")
		require.Regexp(t, "`dragoman service (start|install)`|`dragomand( run)?`", o.stderr, "the way out")
		require.Equal(t, 1, strings.Count(o.stderr, "\n"))
	}
	require.Equal(t, "Das Haus ist groß.\n", c.succeeds("translate", "--to", "de", "The house is big."), "it works alone")
}

// A cleaner of temporary folders may remove the socket under the service.
func TestWithoutTheSocket(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a pipe is no file that could be removed")
	}
	c := withService(t)
	require.NoError(t, os.Remove(filepath.Join(c.env["DRAGOMAN_RUNTIME"], "api.sock")))
	o := c.run("status")
	require.Equal(t, exitFailed, o.code)
	require.Contains(t, o.stderr, fmt.Sprintf("process %d", os.Getpid()))
	require.Contains(t, o.stderr, c.env["DRAGOMAN_RUNTIME"])
	require.Contains(t, o.stderr, "end process")
	require.NotContains(t, o.stderr, "service restart", "no manager runs it")
}

func TestStatusWatch(t *testing.T) {
	c := withService(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := c.prepare(ctx, "status", "--watch", "--json")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := json.NewDecoder(out)
	var now api.Snapshot
	require.NoError(t, lines.Decode(&now))
	_, err = c.client().Pause(t.Context(), api.PauseRequest{})
	require.NoError(t, err)
	for now.State != api.StatePaused {
		require.NoError(t, lines.Decode(&now))
	}
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	require.Equal(t, exitInterrupted, exit.ExitCode())
}

func TestTextsDoNotActOnTheTerminal(t *testing.T) {
	require.Equal(t, "a\n\tb\ufffd[31m\ufffd\ufffdü", printableLines("a\n\tb\x1b[31m\a\u009bü"))
}
