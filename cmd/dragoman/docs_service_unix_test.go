//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// elsewhere are the lines of the README that another test runs, or what is like
// them: they need a machine of their own, a network, or the sources.
var elsewhere = map[string]string{
	"dragoman service install":            "TestServiceInABootedMachine",
	"dragoman runtime install":            "TestInstallAWheel",
	"dragoman models pull m2m100_418M":    "TestModelFromHub",
	"dragoman models use m2m100_418M":     "TestModelImported",
	"dragomand &":                         "TestForegroundLogsToStderrAndAFile",
	"go build -o build/ ./cmd/...":        "", // CI does
	"export PATH=$PWD/build:$PATH":        "", // of the shell
	"make run":                            "", // CI runs both
	"make test":                           "",
	`dragoman translate --to es note.txt`: "TestTheReadmeDoesWhatItSays",
}

// All lines that the README has for a shell are run, beside a service.
func TestTheReadmeBesideAService(t *testing.T) {
	tests := testsOfAll(t)
	c := withService(t)
	c.env["HOME"] = c.dir
	c.write("old.tmx", `<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>Save the file.</seg></tuv>`+
		`<tuv xml:lang="de"><seg>Die Datei speichern.</seg></tuv></tu></body></tmx>`)
	require.NoError(t, os.Mkdir(filepath.Join(c.dir, "Translate"), 0o700))
	rooms := exec.Command("unshare", "--map-root-user", "--net", "true").Run() == nil
	run := 0
	for _, b := range blocks(t, "../README.md") {
		if b.language != "sh" {
			continue
		}
		for line := range strings.Lines(b.text) {
			line, says, _ := strings.Cut(strings.TrimSpace(line), " #")
			line, says = strings.TrimSpace(line), strings.TrimSpace(says)
			if test, ok := elsewhere[line]; ok {
				if test != "" {
					require.Contains(t, tests, test, line)
				}
				continue
			}
			if strings.HasPrefix(line, "unshare ") && !rooms {
				continue
			}
			out := strings.TrimSpace(c.inShell(line))
			run++
			switch {
			case strings.HasPrefix(line, "dragoman translate"):
				require.Equal(t, says, out, line)
			case strings.HasPrefix(line, "unshare "):
				require.Equal(t, "Das Haus ist groß.", out, line)
			case strings.HasPrefix(line, "dragoman config get"):
				value, _, _ := strings.Cut(says, ":")
				require.Contains(t, []string{value, "true"}, out, line)
			}
		}
	}
	require.Greater(t, run, 10)
	require.Contains(t, c.succeeds("glossary", "list"), "Ordner")
	require.Contains(t, c.succeeds("folders", "list"), "Translate")
	require.Equal(t, "Sichere die Datei.\n", c.succeeds("translate", "--from", "en", "--to", "de", "Save the file."))
}

// testsOfAll are the names of all tests of the repository.
func testsOfAll(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func (Test\w+)`)
	eachFile(t, func(path, text string) {
		if strings.HasSuffix(path, "_test.go") {
			for _, m := range function.FindAllStringSubmatch(text, -1) {
				all[m[1]] = true
			}
		}
	})
	return all
}

// What docs/libretranslate.md tells to try is tried, at a free port.
func TestThePageOfLibreTranslateDoesWhatItSays(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	c := withService(t)
	c.succeeds("config", "set", "libretranslate.address", "127.0.0.1:0")
	var address string
	for _, b := range blocks(t, "libretranslate.md") {
		text := strings.ReplaceAll(b.text, "127.0.0.1:5000", address)
		text = strings.ReplaceAll(text, "~/.local/state/dragoman", c.env["DRAGOMAN_STATE"])
		switch {
		case b.language == "json":
			var want map[string]any
			require.NoError(t, json.Unmarshal([]byte(b.text), &want))
			require.Contains(t, c.stdin, fmt.Sprint(want["translatedText"]))
		case b.language != "sh":
		case strings.Contains(text, "curl"):
			c.stdin = c.inShell(strings.ReplaceAll(text, "curl ", "curl -sS "))
		default:
			out := c.inShell(text)
			if m := regexp.MustCompile(`http://(127\.0\.0\.1:\d+)`).FindStringSubmatch(out); m != nil {
				address = m[1]
			}
		}
	}
	require.NotEmpty(t, address)
}
