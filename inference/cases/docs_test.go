package cases

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

// The table of cases names tests that there are.
func TestCasesHaveTests(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(ovtest.Root(), "docs", "npu-cases.md"))
	require.NoError(t, err)
	named := regexp.MustCompile("`([a-z0-9/]+): (Test[A-Za-z0-9]+)`").FindAllStringSubmatch(string(text), -1)
	require.Greater(t, len(named), 30)
	for _, n := range named {
		files, err := filepath.Glob(filepath.Join(ovtest.Root(), filepath.FromSlash(n[1]), "*_test.go"))
		require.NoError(t, err)
		declared := regexp.MustCompile(`(?m)^func ` + n[2] + `\(t \*testing\.T\)`)
		found := false
		for _, file := range files {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			found = found || declared.Match(source)
		}
		require.True(t, found, "%s is in no test file of %s", n[2], n[1])
	}
	for _, id := range []string{"N1", "N3", "N4", "N6", "N8", "N9", "N10", "N12", "N13", "N15", "N16", "N18", "N19", "N21", "N22"} {
		require.Regexp(t, `(?m)^\| `+id+` \|.*Test`, string(text))
	}
}
