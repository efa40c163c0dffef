//go:build long

package document

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// overtaken is what the fuzzer says where a busy machine takes longer than its time for
// what was found before.
var overtaken = []byte("context deadline exceeded")

// Each reader is given hostile files for a minute.
func TestFuzzAllReaders(t *testing.T) {
	source, err := os.ReadFile("fuzz_test.go")
	require.NoError(t, err)
	targets := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`).FindAllStringSubmatch(string(source), -1)
	require.NotEmpty(t, targets)
	for _, target := range targets {
		t.Run(target[1], func(t *testing.T) {
			for {
				out, err := exec.Command("go", "test", ".", "-run", "^$", "-fuzz", "^"+target[1]+"$", "-fuzztime", "60s", "-fuzzminimizetime", "1x").CombinedOutput()
				if err != nil && bytes.Contains(out, overtaken) && !bytes.Contains(out, []byte("Failing input")) {
					t.Logf("once more: the minute was over before all known inputs had been tried: %s", out)
					continue
				}
				require.NoError(t, err, "%s", out)
				return
			}
		})
	}
}
