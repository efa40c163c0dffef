//go:build long

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

// TestFuzzEverything gives each fuzz target of the module a minute, but for those of
// watch/document, which has so many that it runs them itself.
func TestFuzzEverything(t *testing.T) {
	function := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	root, targets := ovtest.Root(), 0
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (name == "build" || name == "testdata" || strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		folder := filepath.Dir(path)
		if _, err := os.Stat(filepath.Join(folder, "fuzz_long_test.go")); err == nil {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, target := range function.FindAllSubmatch(source, -1) {
			targets++
			relative, err := filepath.Rel(root, folder)
			require.NoError(t, err)
			t.Run(filepath.ToSlash(relative)+"/"+string(target[1]), func(t *testing.T) {
				fuzz := exec.Command("go", "test", ".", "-run", "^$", "-fuzz", "^"+string(target[1])+"$", "-fuzztime", "60s", "-fuzzminimizetime", "1x")
				fuzz.Dir = folder
				out, err := fuzz.CombinedOutput()
				require.NoError(t, err, "%s", out)
			})
		}
		return nil
	}))
	require.Greater(t, targets, 20, "found by their names")
}
