package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheCasesHaveTests reads docs/clipboard-cases.md and docs/folder-cases.md.
func TestTheCasesHaveTests(t *testing.T) {
	for file, want := range map[string]string{
		"clipboard-cases.md": "C1 C3 C4 C5 C6 C8 C9 C11 C12 C13 C14 C15 C17 C18 C19 C20 C21 C23 C24 C26 C27 C29 " +
			"S2 S3 S5 S6 S7 S8 S10 S11 S13 S14 S16 S17 S19",
		"folder-cases.md": "F1 F3 F4 F5 F7 F8 F9 F10 F12 F13 F14 F15 F16 F19 F20 F21 F23 F24 F25 F27 F30 L1 L2",
	} {
		require.Equal(t, strings.Fields(want), casesOf(t, file))
	}
}

// casesOf are the cases of a document, whose tests must be there.
func casesOf(t *testing.T, file string) (ids []string) {
	const root = "../.."
	text, err := os.ReadFile(filepath.Join(root, "docs", file))
	require.NoError(t, err)
	row := regexp.MustCompile(`^\| ([CSFL]\d+) \| (.+) \| (.+) \| (.*)\|$`)
	name := regexp.MustCompile("`([a-z0-9/-]+)\\.(Test\\w+)`")
	sources := map[string]string{}
	for line := range strings.Lines(string(text)) {
		cells := row.FindStringSubmatch(strings.TrimSpace(line))
		if cells == nil {
			continue
		}
		ids = append(ids, cells[1])
		for _, test := range name.FindAllStringSubmatch(cells[4], -1) {
			folder := filepath.Join(root, filepath.FromSlash(test[1]))
			if _, read := sources[folder]; !read {
				sources[folder] = testsOf(t, folder)
			}
			require.True(t, strings.Contains(sources[folder], "func "+test[2]+"(t *testing.T) {"), "%s names a test of %s that is not there", cells[1], test[1])
		}
	}
	return ids
}

// testsOf is all test code of a folder, whatever system it is for.
func testsOf(t *testing.T, folder string) string {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	require.NoError(t, err)
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		all.Write(text)
	}
	return all.String()
}
