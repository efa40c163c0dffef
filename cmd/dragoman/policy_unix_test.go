//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// governed is a shell whose dragoman follows the policy that it returns the place
// of: no environment can name another place, so it is linked into the program.
func governed(t *testing.T, policy string) (*command, string) {
	t.Helper()
	c := newConfigCommand(t)
	place := c.write("etc/policy.toml", policy)
	c.program = filepath.Join(c.dir, "dragoman")
	build := exec.Command("go", "build", "-ldflags", "-X dragoman/daemon/config.policyFile="+place, "-o", c.program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return c, place
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	c, place := governed(t, `reason = "ask it@example.org"
[inference]
encoder = "CPU"
threads = 1
weights = "int8"
[models]
allowed = ["starter"]
hub = "http://127.0.0.1:1/mirror"
[history]
enabled = false
`)
	c.write("settings/config.toml", "[history]\nenabled = true\n")
	c.env["DRAGOMAN_HISTORY_ENABLED"] = "true"
	c.env["DRAGOMAN_MODEL"] = ""
	c.env["DRAGOMAN_INFERENCE_THREADS"] = "2"

	all := c.run("config", "list")
	require.Equal(t, exitOK, all.code)
	require.Regexp(t, `(?m)^history.enabled +false +policy$`, all.stdout)
	require.Regexp(t, `(?m)^models.hub +"http://127.0.0.1:1/mirror" +policy$`, all.stdout)
	require.Regexp(t, `(?m)^queue.workers +0 +default$`, all.stdout)
	require.Equal(t, "dragoman: settings marked policy are fixed by "+place+" (ask it@example.org)\n", all.stderr)
	require.Equal(t, "false\n", c.succeeds("config", "get", "history.enabled"))
	requireRefused(t, c, exitSetup, []string{"history.enabled is fixed to false for this machine by " + place + ":10 (ask it@example.org)", "only an administrator"},
		"config", "set", "history.enabled", "true")
	require.Equal(t, "[history]\nenabled = true\n", c.read("settings/config.toml"))

	for _, refused := range [][]string{
		{"translate", "--local", "--to", "de", "--device", "NPU", "--text", "Hello"},
		{"translate", "--local", "--to", "de", "--threads", "2", "--text", "Hello"},
		{"cache", "warm", "--weights", "f32"},
		{"models", "pull", "m2m100_418M"},
		{"models", "pull", "someone/m2m100_418M"},
		{"models", "use", "m2m100_418M"}, // which is not here: it need not be fetched
		{"models", "import", starter(), "--name", "mine"},
		{"translate", "--local", "--to", "de", "--model", starter(), "--text", "Hello"},
	} {
		requireRefused(t, c, exitSetup, []string{place}, refused...)
	}
	models := c.succeeds("models", "list")
	require.Regexp(t, `(?m)^ +starter +not here `, models)
	require.Regexp(t, `(?m)^ +m2m100_418M +not allowed `, models)
	require.Contains(t, c.succeeds("models", "info", "m2m100_418M"), "is not among models.allowed (starter): models.allowed is fixed to")

	doctor := c.run("doctor").stdout
	require.Contains(t, doctor, "note  policy    "+place+" fixes history.enabled, inference.encoder, inference.threads, inference.weights, models.allowed, models.hub (ask it@example.org)")
	require.Contains(t, doctor, "take DRAGOMAN_HISTORY_ENABLED, DRAGOMAN_INFERENCE_THREADS out of the environment: it does not count")
}

func TestAPolicyWithAMistakeStopsTheProgram(t *testing.T) {
	t.Parallel()
	c, place := governed(t, "[history]\nenabeld = false\n")
	want := []string{place + ":2: history.enabeld: unknown key: did you mean history.enabled?", "an administrator must correct or remove it"}
	for _, args := range [][]string{
		{"config", "get"}, {"config", "set", "queue.workers", "2"}, {"models", "list"},
		{"translate", "--local", "--to", "de", "--text", "Hello"},
	} {
		requireRefused(t, c, exitSetup, want, args...)
	}
	doctor := c.run("doctor")
	require.Equal(t, exitSetup, doctor.code)
	require.Contains(t, doctor.stdout, place+":2")
	require.Contains(t, doctor.stdout, "tell the administrator of this machine")
}
