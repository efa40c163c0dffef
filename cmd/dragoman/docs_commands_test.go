package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

// TestCommandsThatAreToldExist looks up each command of the pages, and each that a
// message of the programs tells people to type, with its flags.
func TestCommandsThatAreToldExist(t *testing.T) {
	found := 0
	eachFile(t, func(path, text string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		var told []string
		switch filepath.Ext(path) {
		case ".md":
			told = append(quotedCommand.FindAllString(text, -1), typedCommands(text)...)
		case ".go":
			for _, command := range quotedCommand.FindAllString(text, -1) {
				command, _, _ = strings.Cut(command, `" +`) // what follows is known when it runs
				told = append(told, strings.ReplaceAll(command, `\"`, `"`))
			}
		}
		for _, command := range told {
			found++
			requireCommand(t, command, path)
		}
	})
	require.Greater(t, found, 200, "looked in the right places")
}

// eachFile gives the pages and the Go files of the module, by their paths in it.
func eachFile(t *testing.T, visit func(path, text string)) {
	t.Helper()
	root := os.DirFS(ovtest.Root())
	require.NoError(t, fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (name == "build" || name == "testdata" || strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".md" && filepath.Ext(name) != ".go":
			return nil
		}
		text, err := fs.ReadFile(root, path)
		if err == nil {
			visit(path, string(text))
		}
		return err
	}))
}

var (
	quotedCommand = regexp.MustCompile("`dragoman [a-z][^`\n]*`")
	shellBlock    = regexp.MustCompile("(?ms)^```(?:sh|console|bat|shell)\n(.*?)^```$")
)

// typedCommands are the lines of blocks for a shell that call the program.
func typedCommands(page string) (all []string) {
	for _, block := range shellBlock.FindAllStringSubmatch(page, -1) {
		for line := range strings.Lines(block[1]) {
			line, _, _ = strings.Cut(line, " #")
			for command := range strings.SplitSeq(line, ";") {
				command = strings.TrimPrefix(strings.TrimSpace(command), "do ")
				if strings.HasPrefix(command, "dragoman ") || strings.HasPrefix(command, "dragoman.exe ") {
					all = append(all, command)
				}
			}
		}
	}
	return all
}

// requireCommand parses a command line as far as it can without what its
// placeholders stand for.
func requireCommand(t *testing.T, line, where string) {
	t.Helper()
	line, _, _ = strings.Cut(strings.Trim(line, "`"), " | ")
	line, _, _ = strings.Cut(line, " > ")
	line, _, _ = strings.Cut(line, " < ")
	words := shellWords.FindAllString(line, -1)[1:]
	if i := strings.IndexAny(line, "%|"); i >= 0 { // one of several, or to be filled in
		words = shellWords.FindAllString(line[:strings.LastIndexByte(line[:i], ' ')+1], -1)[1:]
	}
	if len(words) == 0 {
		return
	}
	c, rest, err := newRoot().Find(words)
	require.NoError(t, err, "%s: %s", where, line)
	if c.HasSubCommands() && len(rest) > 0 {
		require.True(t, strings.HasPrefix(rest[0], "-"), "%s: %s", where, line)
	}
	require.NotEqual(t, "dragoman", c.CommandPath(), "%s: %s", where, line)
	for _, word := range rest {
		name, found := strings.CutPrefix(word, "--")
		if name, _, _ = strings.Cut(name, "="); !found || name == "" {
			continue
		}
		name = strings.TrimRight(name, ".,;:…)]")
		if name != "help" {
			require.NotNil(t, c.Flag(name), "%s: %s: there is no --%s", where, line, name)
		}
	}
}

var shellWords = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)
