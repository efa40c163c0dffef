//go:build long

package document

import (
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each reader is given hostile files for a minute.
func TestFuzzAllReaders(t *testing.T) {
	source, err := os.ReadFile("fuzz_test.go")
	require.NoError(t, err)
	targets := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`).FindAllStringSubmatch(string(source), -1)
	require.NotEmpty(t, targets)
	for _, target := range targets {
		t.Run(target[1], func(t *testing.T) {
			out, err := exec.Command("go", "test", ".", "-run", "^$", "-fuzz", "^"+target[1]+"$", "-fuzztime", "60s", "-fuzzminimizetime", "1x").CombinedOutput()
			require.NoError(t, err, "%s", out)
		})
	}
}
