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

// Need looks for a program of a Debian package. Without it a test skips at home
// and fails in CI.
func Need(t testing.TB, program, debian string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("CI must have %s (Debian: %s)", program, debian)
		}
		t.Skipf("needs %s (Debian: %s)", program, debian)
	}
	return path
}
