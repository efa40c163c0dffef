//go:build unix

package desktest

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// Soon is how long tests wait for what takes milliseconds.
const Soon = 30 * time.Second

// Required is set by `make test` where it could install all that the tests of the
// desktop need: then nothing may be skipped for want of a program.
const Required = "DRAGOMAN_TEST_DESKTOP"

// Need looks for a program of a Debian package. Without it a test skips, and
// fails where it is Required.
func Need(t testing.TB, program, debian string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		if os.Getenv(Required) != "" {
			t.Fatalf("%s is missing (Debian: %s)", program, debian)
		}
		t.Skipf("needs %s (Debian: %s)", program, debian)
	}
	return path
}
