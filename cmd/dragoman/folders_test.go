package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// refused runs a command that must fail and returns what it says.
func (c *command) refused(code int, args ...string) string {
	c.t.Helper()
	o := c.run(args...)
	require.Equal(c.t, code, o.code, "%v: %s", args, o.stderr)
	require.Empty(c.t, o.stdout)
	return o.stderr
}

func TestFoldersAddRefuses(t *testing.T) {
	c := withService(t)
	c.write("file", "")
	before := list(t, c.dir)
	for name, test := range map[string]struct {
		args string
		code int
		want string
	}{
		"language to":     {"--to xx new", exitUsage, `language "xx": this model does not know it, only de, en, es, fr, it, pt`},
		"language from":   {"--from xx --to es new", exitUsage, `language "xx"`},
		"no language":     {"new", exitUsage, "--to LANGUAGE"},
		"twice":           {"--to es,es new", exitUsage, "given twice"},
		"pattern":         {"--to es --name x new", exitUsage, "{name}"},
		"include":         {"--to es --include [ new", exitUsage, "no pattern|not a pattern"},
		"original":        {"--to es --original gone new", exitUsage, `not "gone"`},
		"output":          {"--to es --output .. new", exitUsage, "contains|choose another|cannot be"},
		"two places":      {"--to es --output x --beside new", exitUsage, "exclude each other"},
		"whole disk":      {"--to es /", exitUsage, "whole disk"},
		"file":            {"--to es file", exitInput, "is a file"},
		"nowhere":         {"--to es no/where", exitInput, "there is no folder .*no to make where in"},
		"two folders":     {"--to es a b", exitUsage, "takes one folder"},
		"a flag of other": {"--to es --model x new", exitUsage, "unknown flag: --model"},
	} {
		t.Run(name, func(t *testing.T) {
			stderr := c.refused(test.code, append([]string{"folders", "add"}, strings.Fields(test.args)...)...)
			require.Regexp(t, test.want, stderr)
			require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
			require.Equal(t, before, list(t, c.dir), "nothing is left behind")
		})
	}
	require.Equal(t, exitUsage, c.run("jobs", "--limit", "5000").code)
	require.Equal(t, exitUsage, c.run("jobs", "--state", "gone").code)
	require.Equal(t, exitUsage, c.run("history", "--limit", "-1").code)
}

func TestFoldersShowSetAndList(t *testing.T) {
	c := withService(t)
	o := c.run("folders", "add", "--to", "es", "inbox")
	require.Equal(t, 0, o.code, o.stderr)
	require.Contains(t, o.stderr, "made the folder")
	path := filepath.Join(c.dir, "inbox")
	require.NoError(t, os.Symlink(path, filepath.Join(c.dir, "link")))
	for _, again := range []string{"inbox", "link"} {
		stderr := c.refused(exitUsage, "folders", "add", "--to", "fr", again)
		require.Contains(t, stderr, "is watched already, as folder 1 (auto > es")
		require.Contains(t, stderr, "`dragoman folders set 1`")
	}
	require.Contains(t, c.refused(exitUsage, "folders", "add", "--to", "fr", "inbox/below"), "contain one another")
	require.NoDirExists(t, filepath.Join(path, "below"))

	show := c.succeeds("folders", "show", "inbox")
	for name, want := range map[string]string{
		"folder": "1, " + path, "state": "(starting|watching|polling).*", "languages": "auto > es",
		"translations": filepath.Join(path, "translated"), "their names": "{name}.{lang}{ext}", "files": "all that can be translated",
		"originals": "stay", "looked at": "when the system reports a change.*", "counts": "0 waiting, 0 done, 0 failed",
	} {
		require.Regexp(t, `(?m)^`+name+` +`+want+`$`, show)
	}

	set := func(args ...string) api.FolderSettings {
		t.Helper()
		c.succeeds(append([]string{"folders", "set", "1"}, args...)...)
		f, err := c.client().Folder(t.Context(), 1)
		require.NoError(t, err)
		return f.Settings
	}
	first := set("--recursive", "--include", "*.txt,a*", "--exclude", "b*", "--to", "es,fr", "--original", "done")
	require.Equal(t, api.FolderSettings{
		Path: path, From: "auto", To: []string{"es", "fr"}, Place: api.PlaceSubfolder, Output: "translated",
		Include: []string{"*.txt", "a*"}, Exclude: []string{"b*"}, Recursive: true, Original: api.OriginalDone,
	}, first)
	require.Contains(t, c.succeeds("folders", "show", "1"), "those like *.txt, a*; none like b*; in sub-folders too\n")
	second := set("--from", "en", "--beside", "--poll")
	require.Equal(t, api.PlaceBeside, second.Place)
	require.Empty(t, second.Output)
	require.True(t, second.Recursive, "the rest stays")
	require.Contains(t, c.succeeds("folders", "list"), "en > es,fr        0       0       0  "+path+"  beside\n")
	third := set("--output", "out", "--recursive=false", "--include", "", "--poll=false")
	require.Equal(t, api.FolderSettings{
		Path: path, From: "en", To: []string{"es", "fr"}, Place: api.PlaceSubfolder, Output: "out", Exclude: []string{"b*"}, Original: api.OriginalDone,
	}, third)
	other := set("--output", "./elsewhere")
	require.Equal(t, api.PlaceFolder, other.Place)
	require.Equal(t, filepath.Join(c.dir, "elsewhere"), other.Output)
	require.Equal(t, "translated", set("--output", "").Output)

	require.Contains(t, c.refused(exitUsage, "folders", "set", "1"), "nothing is to be changed")
	require.Contains(t, c.refused(exitUsage, "folders", "set", "1", "--to", "xx"), "only de, en")
	require.Contains(t, c.refused(exitUsage, "folders", "set", "1", "--to", ""), "--to LANGUAGE")
	require.Contains(t, c.refused(exitInput, "folders", "set", "7", "--to", "es"), "no watched folder")
	require.Contains(t, c.refused(exitInput, "folders", "show", "nowhere"), "no watched folder")
	require.Equal(t, []string{"es", "fr"}, set("--hidden").To)

	// A line of the list says all of a folder, in columns.
	c.succeeds("folders", "pause", "1")
	o = c.run("folders", "add", "--to", "de", "--output", "./other", "second")
	require.Equal(t, 0, o.code, o.stderr)
	lines := strings.Split(c.succeeds("folders", "list"), "\n")
	require.Regexp(t, `^FOLDER +STATE +LANGUAGES +WAITING +DONE +FAILED +PATH +TRANSLATIONS$`, lines[0])
	require.Regexp(t, fmt.Sprintf(`^ +1 +paused +en > es,fr +0 +0 +0 +%s +translated/$`, path), lines[1])
	require.Regexp(t, fmt.Sprintf(`^ +2 +\w+ +auto > de +0 +0 +0 +%s +%s$`, filepath.Join(c.dir, "second"), filepath.Join(c.dir, "other")), lines[2])
	for _, column := range []string{"FAILED", "PATH"} {
		at := strings.Index(lines[0], column)
		require.Equal(t, " ", lines[1][at-1:at])
		require.Equal(t, lines[1][at-2:at], lines[2][at-2:at])
	}

	for args, want := range map[string][]string{
		"folders show .": {"1\t" + path, "2\t" + filepath.Join(c.dir, "second")},
		"folders remove " + filepath.Join(c.dir, "sec"): {filepath.Join(c.dir, "second")},
		"folders set 2":   {"2\t" + filepath.Join(c.dir, "second")},
		"jobs --folder .": {"1\t" + path, "2\t" + filepath.Join(c.dir, "second")},
		"jobs cancel .":   nil,
	} {
		words := strings.Fields(args)
		if last := len(words) - 1; words[last] == "." {
			words[last] = ""
		}
		offers, directive := offered(t, c, words...)
		require.Equal(t, append([]string{}, want...), append([]string{}, offers...), args)
		require.Equal(t, "ShellCompDirectiveNoFileComp", directive, args)
	}
}
