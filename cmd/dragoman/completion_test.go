package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// offered is what a shell shows for the last of args: words with their
// descriptions, and how the shell goes on.
func offered(t *testing.T, c *command, args ...string) (words []string, directive string) {
	t.Helper()
	o := c.run(append([]string{"__complete"}, args...)...)
	require.Equal(t, 0, o.code, o.stderr)
	lines := strings.Split(strings.TrimSpace(o.stdout), "\n")
	_, directive, found := strings.Cut(o.stderr, "directive: ")
	require.True(t, found, o.stderr)
	return lines[:len(lines)-1], strings.TrimSpace(directive)
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	const noFiles, onlyFolders = "ShellCompDirectiveNoFileComp", "ShellCompDirectiveFilterDirs"
	c := newCommand(t)
	c.env["DRAGOMAN_OPENVINO"] = filepath.Join(c.dir, "none") // languages need no runtime
	for name, test := range map[string]struct {
		args      string // words; the last is completed, "." for an empty one
		want      []string
		directive string
	}{
		"language to":       {"translate --to e", []string{"en\tEnglish", "es\tSpanish"}, noFiles},
		"language from":     {"watch --from e", []string{"en\tEnglish", "es\tSpanish"}, noFiles},
		"language of bench": {"bench --to d", []string{"de\tGerman"}, noFiles},
		"language to find":  {"folders add --from a", []string{"auto\tfind out"}, noFiles},
		"language of set":   {"folders set 1 --to e", []string{"en\tEnglish", "es\tSpanish"}, noFiles},
		"original":          {"folders add --original .", []string{"stay", "done", "bin"}, noFiles},
		"original of set":   {"folders set --original .", []string{"stay", "done", "bin"}, noFiles},
		"output folder":     {"folders set 1 --output .", nil, onlyFolders},
		"state":             {"jobs --state .", []string{"queued", "running", "done", "failed", "cancelled"}, noFiles},
		"number":            {"jobs --limit .", nil, noFiles},
		"job":               {"jobs retry .", nil, noFiles},
		"folder, alone":     {"folders show .", nil, onlyFolders},
		"a kept text":       {"history delete .", nil, noFiles},
		"another model":     {"translate --model " + starter() + " --to d", []string{"de\tGerman"}, noFiles},
		"no such model":     {"translate --model none --to d", nil, "ShellCompDirectiveError"},
		"a wheel":           {"runtime install --from .", nil, "ShellCompDirectiveDefault"},
		"folder":            {"watch --to es .", nil, onlyFolders},
		"model":             {"translate --model .", nil, onlyFolders},
		"weights":           {"translate --weights .", []string{"int8", "int4", "f32"}, noFiles},
		"device":            {"translate --device .", []string{"NPU", "GPU", "CPU", "CPU-static"}, noFiles},
		"files":             {"translate --to es .", nil, "ShellCompDirectiveDefault"},
		"no arguments":      {"languages .", nil, noFiles},
		"keys":              {"config get inference.m", []string{"inference.model\tThe model's name, or its folder with a slash in it"}, noFiles},
		"keys to unset":     {"config unset memory.", []string{"memory.enabled\tRemember translated sentences, so that the same sentence is answered at once", "memory.max_mb\tMegabytes of remembered sentences"}, noFiles},
		"keys to set":       {"config set api.m", []string{"api.max_clients\tPrograms that may be connected to the service at once"}, noFiles},
		"values":            {"config set history.enabled .", []string{"true", "false"}, noFiles},
		"values of a text":  {"config set api.group .", nil, noFiles},
		"path":              {"config set log.file .", nil, "ShellCompDirectiveDefault"},
		"one key only":      {"config get inference.model .", nil, noFiles},
	} {
		t.Run(name, func(t *testing.T) {
			args := strings.Fields(test.args)
			if last := len(args) - 1; args[last] == "." {
				args[last] = ""
			}
			words, directive := offered(t, c, args...)
			require.Equal(t, append([]string{}, test.want...), append([]string{}, words...))
			require.Equal(t, test.directive, directive)
		})
	}
}

func TestCompletionOfAListOfLanguages(t *testing.T) {
	t.Setenv("DRAGOMAN_MODEL", starter())
	t.Setenv("DRAGOMAN_CONFIG", filepath.Join(t.TempDir(), "config.toml"))
	t.Setenv("DRAGOMAN_RUNTIME", t.TempDir())
	c := newFoldersAdd()
	c.SetContext(t.Context())
	offers, _ := completeLanguages(c, nil, "de,e")
	require.Equal(t, []cobra.Completion{"de,en\tEnglish", "de,es\tSpanish"}, offers)
}

// TestCompletionScripts lets each shell that is installed here read its script.
func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	c := newCommand(t)
	require.Regexp(t, `(?m)^  completion +`, c.succeeds("--help"), "not hidden")
	for shell, check := range map[string][]string{
		"bash": {"bash", "-n"}, "zsh": {"zsh", "-n"}, "fish": {"fish", "--no-execute"},
		"powershell": {"pwsh", "-NoProfile", "-File"},
	} {
		script := c.succeeds("completion", shell)
		require.Contains(t, script, "__complete", shell)
		require.Contains(t, c.succeeds("completion", shell, "--help"), "dragoman completion "+shell, "says how to load it")
		if path, err := exec.LookPath(check[0]); err == nil {
			file := c.write("script."+strings.Replace(shell, "powershell", "ps1", 1), script)
			out, err := exec.CommandContext(t.Context(), path, append(slices.Clone(check[1:]), file)...).CombinedOutput()
			require.NoError(t, err, "%s: %s", shell, out)
		}
	}
}
