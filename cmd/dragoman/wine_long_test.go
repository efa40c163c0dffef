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
	"dragoman/internal/winetest"
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
	w := windows{t, winetest.Bench(t, ovtest.Root()), t.TempDir()}
	winetest.Build(t, ovtest.Root(), filepath.Join(w.dir, "dragoman.exe"), "dragoman/cmd/dragoman")
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
