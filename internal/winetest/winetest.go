// Package winetest lets tests run programs for Windows under Wine, by the script of
// the test bench that lies beside the checkout. It is for test code only, and skips
// what cannot be run. It imports nothing of ours.
package winetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Bench returns the script that makes a prefix and a display and runs a command with
// them: bash BENCH --prefix DIR -- COMMAND. It skips where that, or one of the tools
// besides, is missing. root is that of the checkout.
func Bench(t *testing.T, root string, tools ...string) (script string) {
	t.Helper()
	script = filepath.Join(root, "..", "shared", "testbench", "wine.sh")
	if _, err := os.Stat(script); err != nil {
		t.Skip("the test bench for Windows programs is not there")
	}
	for _, tool := range append([]string{"wine", "Xvfb", "x86_64-w64-mingw32-gcc"}, tools...) {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	return script
}

// Build builds a package of the module, by its import path, for Windows on amd64.
func Build(t *testing.T, root, program, pkg string) {
	t.Helper()
	build := exec.Command("go", "build", "-o", program, pkg)
	build.Dir, build.Env = root, append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", pkg, err, out)
	}
}
