//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

// block is a fenced block of a page of the documentation.
type block struct{ language, text string }

var fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

func blocks(t *testing.T, page string) []block {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(ovtest.Root(), "docs", page))
	require.NoError(t, err)
	var all []block
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		all = append(all, block{m[1], m[2]})
	}
	require.NotEmpty(t, all)
	return all
}

// What the pages for administrators tell to type is typed, and what cannot be typed
// here (installers, other systems) is looked for in what it names.
func TestCommandsOfThePagesForAdministrators(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"admin.md", "security.md"} {
		for _, b := range blocks(t, page) {
			name, _, _ := strings.Cut(b.text, "\n")
			t.Run(page+" "+name, func(t *testing.T) {
				t.Parallel()
				switch b.language {
				case "sh":
					runBlock(t, b.text)
				case "toml":
					c, place := governed(t, b.text)
					require.Contains(t, c.run("config", "get").stderr, place)
					require.Equal(t, "off\n", c.succeeds("config", "get", "clipboard.watch"))
				case "bat":
					requireOptions(t, b.text, "installer/packages/windows/setup.nsi", regexp.MustCompile(` (/[A-Za-z]{2,})`), `${Option} "%s" $`)
					requireSettings(t, b.text)
				case "console":
					requireOptions(t, b.text, "installer/packages/archive/install.sh", regexp.MustCompile(` (--[a-z-]+)`), "\t%s) ")
				default:
					t.Errorf("nobody knows what becomes of a block of %q", b.language)
				}
			})
		}
	}
}

// TestTheReadmeDoesWhatItSays runs what it shows first, and compares what comes out.
func TestTheReadmeDoesWhatItSays(t *testing.T) {
	t.Parallel()
	c := newCommand(t)
	shown := 0
	for _, b := range blocks(t, "../README.md") {
		if b.language != "sh" || !strings.Contains(b.text, "dragoman translate ") {
			continue
		}
		for line := range strings.Lines(b.text) {
			command, says, _ := strings.Cut(strings.TrimSpace(line), " # ")
			if !strings.HasPrefix(command, "dragoman translate ") && !strings.HasPrefix(command, "echo ") && !strings.HasPrefix(command, "dragoman doctor") {
				continue // sets the machine up, which the tests did
			}
			out := c.inShell(command)
			if strings.HasPrefix(command, "dragoman translate ") {
				shown++
				require.Equal(t, strings.TrimSpace(says), strings.TrimSpace(out), command)
			}
		}
	}
	require.GreaterOrEqual(t, shown, 2)
}

// inShell runs what a user types into a shell, with the program by its name.
func (c *command) inShell(line string) string {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), "sh", "-euc", line)
	cmd.Dir = c.dir
	cmd.Env = []string{"PATH=" + filepath.Dir(shared.program) + ":" + os.Getenv("PATH")}
	for name, value := range c.env {
		if value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	out, err := cmd.CombinedOutput()
	require.NoError(c.t, err, "%s\n%s", line, out)
	return string(out)
}

func runBlock(t *testing.T, text string) {
	c := newCommand(t)
	c.env["DRAGOMAN_STATE"] = filepath.Join(c.dir, "state")
	c.env["DRAGOMAN_DATA"] = filepath.Join(c.dir, "data")
	require.NoError(t, os.MkdirAll(filepath.Join(c.dir, "data", "models"), 0o700))
	require.NoError(t, os.Symlink(starter(), filepath.Join(c.dir, "data", "models", "starter")))
	out := c.inShell(text)
	require.NotContains(t, out, "unknown command")
	require.NotContains(t, out, "unknown flag")
	require.NotEmpty(t, out)
}

// requireOptions looks for the options of an installer's lines where its source
// takes them, which looks like taken.
func requireOptions(t *testing.T, text, source string, option *regexp.Regexp, taken string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(ovtest.Root(), source))
	require.NoError(t, err)
	for line := range strings.Lines(text) {
		if !installer.MatchString(line) {
			continue
		}
		for _, m := range option.FindAllStringSubmatch(line, -1) {
			require.Contains(t, string(content), fmt.Sprintf(taken, m[1]), line)
		}
	}
}

var installer = regexp.MustCompile(`^(\./install\.sh|dragoman-setup-|uninstall\.exe)`)

var registryValue = regexp.MustCompile(`^reg add HKLM\\SOFTWARE\\Policies\\dragoman /v (\S+) `)

// requireSettings looks up the settings that registry values are named after.
func requireSettings(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "reg ") {
			continue
		}
		m := registryValue.FindStringSubmatch(line)
		require.NotNil(t, m, line)
		if m[1] != "reason" {
			_, err := findKey(m[1])
			require.NoError(t, err)
		}
	}
}
