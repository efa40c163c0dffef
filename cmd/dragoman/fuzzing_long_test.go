//go:build long

package main

import (
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
	targets := 0
	eachFile(t, func(path, text string) {
		folder := filepath.Join(ovtest.Root(), filepath.Dir(path))
		if _, err := os.Stat(filepath.Join(folder, "fuzz_long_test.go")); err == nil || !strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, target := range function.FindAllStringSubmatch(text, -1) {
			targets++
			t.Run(filepath.ToSlash(filepath.Dir(path))+"/"+target[1], func(t *testing.T) {
				fuzz := exec.Command("go", "test", ".", "-run", "^$", "-fuzz", "^"+target[1]+"$", "-fuzztime", "60s", "-fuzzminimizetime", "1x")
				fuzz.Dir = folder
				out, err := fuzz.CombinedOutput()
				require.NoError(t, err, "%s", out)
			})
		}
	})
	require.Greater(t, targets, 20, "found by their names")
}
