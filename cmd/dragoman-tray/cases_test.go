package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheCasesHaveTests reads docs/clipboard-cases.md.
func TestTheCasesHaveTests(t *testing.T) {
	const root = "../.."
	text, err := os.ReadFile(filepath.Join(root, "docs", "clipboard-cases.md"))
	require.NoError(t, err)
	row := regexp.MustCompile(`^\| ([CS]\d+) \| (.+) \| (.+) \| (.*)\|$`)
	name := regexp.MustCompile("`([a-z0-9/-]+)\\.(Test\\w+)`")
	sources := map[string]string{}
	var ids []string
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
	require.Equal(t, strings.Fields("C1 C3 C4 C5 C6 C8 C9 C11 C12 C13 C14 C15 C17 C18 C19 C20 C21 C23 C24 C26 C27 C29 "+
		"S2 S3 S5 S6 S7 S8 S10 S11 S13 S14 S16 S17 S19"), ids)
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
