//go:build long && linux

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

// windows is the program for Windows and the test bench that runs it, with a
// prefix of its own.
type windows struct {
	t          *testing.T
	bench, dir string
}

// newWindows builds the program, or skips where a tool is missing.
func newWindows(t *testing.T) windows {
	t.Helper()
	w := windows{t, filepath.Join(ovtest.Root(), "..", "shared", "testbench", "wine.sh"), t.TempDir()}
	if _, err := os.Stat(w.bench); err != nil {
		t.Skip("the test bench for Windows programs is not there")
	}
	for _, tool := range []string{"wine", "Xvfb", "x86_64-w64-mingw32-gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	build := exec.Command("go", "build", "-o", filepath.Join(w.dir, "dragoman.exe"), "dragoman/cmd/dragoman")
	build.Dir, build.Env = ovtest.Root(), append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return w
}

// run runs a script of bash, whose $1 is the program's folder, and returns what
// it wrote.
func (w windows) run(ctx context.Context, environment []string, script string, args ...string) []byte {
	w.t.Helper()
	all := append([]string{w.bench, "--prefix", filepath.Join(w.dir, "prefix"), "--", "bash", "-c", script, "windows", w.dir}, args...)
	cmd := exec.CommandContext(ctx, "bash", all...)
	cmd.Env = append(os.Environ(), environment...)
	out, err := cmd.Output()
	require.NoError(w.t, err, "%s", out)
	return out
}
