package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

// commandsOf are the commands that a page names: lines of its blocks, and what stands in
// its sentences between backticks.
func commandsOf(text string) (all []string) {
	span := regexp.MustCompile("`(dragoman(?:\\.exe)? [^`]*)`")
	inBlock := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			inBlock = !inBlock
			continue
		}
		if inBlock {
			line, _, _ = strings.Cut(line, " #")
			for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(";|&()", r) }) {
				if i := strings.Index(part, "dragoman "); i == 0 || i > 0 && part[i-1] == ' ' {
					all = append(all, strings.TrimSpace(part[i:]))
				}
			}
			continue
		}
		for _, m := range span.FindAllStringSubmatch(line, -1) {
			all = append(all, m[1])
		}
	}
	return all
}

// requireKnown looks a command up with its flags. Of alternatives in one word, each.
func requireKnown(t *testing.T, command string) {
	t.Helper()
	words := strings.Fields(strings.NewReplacer("[", " ", "]", " ", ",", " ").Replace(command))[1:]
	for i, word := range words {
		if i < 2 && strings.Contains(word, "|") {
			for choice := range strings.SplitSeq(word, "|") {
				requireKnown(t, "dragoman "+strings.Join(slices.Concat(words[:i], []string{choice}, words[i+1:]), " "))
			}
			return
		}
	}
	c := newRoot()
	var path []string
	for _, word := range words {
		if !regexp.MustCompile(`^[a-z]+$`).MatchString(word) {
			break
		}
		next := slices.IndexFunc(c.Commands(), func(sub *cobra.Command) bool { return sub.Name() == word || sub.HasAlias(word) })
		if next < 0 {
			require.False(t, c.HasSubCommands(), "%q: there is no %q below %q", command, word, c.CommandPath())
			break
		}
		c, path = c.Commands()[next], append(path, word)
	}
	for _, word := range words[len(path):] {
		name, ok := strings.CutPrefix(word, "--")
		if !ok || name == "" {
			continue
		}
		for choice := range strings.SplitSeq(name, "|") {
			choice, _, _ = strings.Cut(strings.TrimPrefix(choice, "--"), "=")
			known := slices.Contains([]string{"help", "version"}, choice)
			for _, flags := range []*pflag.FlagSet{c.Flags(), c.InheritedFlags()} {
				known = known || flags.Lookup(choice) != nil
			}
			require.True(t, known, "%q: %q has no flag --%s", command, c.CommandPath(), choice)
		}
	}
}

// Pages name only commands and flags that there are.
func TestCommandsOfTheDocumentationExist(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join(ovtest.Root(), "docs", "*.md"))
	require.NoError(t, err)
	count := 0
	for _, page := range append(pages, filepath.Join(ovtest.Root(), "README.md")) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, command := range commandsOf(string(text)) {
			count++
			t.Run(filepath.Base(page)+" "+command, func(t *testing.T) { requireKnown(t, command) })
		}
	}
	require.Greater(t, count, 50)
}

// So do messages and help.
func TestCommandsOfMessagesExist(t *testing.T) {
	t.Parallel()
	span := regexp.MustCompile("`(dragoman [a-z][^`\"]*)`")
	count := 0
	eachFile(t, func(path, text string) {
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, m := range span.FindAllStringSubmatch(text, -1) {
			count++
			t.Run(filepath.Base(path)+" "+m[1], func(t *testing.T) { requireKnown(t, m[1]) })
		}
	})
	require.Greater(t, count, 50)
}
