//go:build long && linux

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

// showTwice starts the tray of $1, lets Wine trace what it shows in the taskbar, says
// that the taskbar is new, and prints the trace before and after.
const showTwice = `
cd "$1" || exit 1
WINEDEBUG=-all wine explorer /desktop=tray,800x600 >/dev/null 2>&1 &
DRAGOMAN_STATE='C:\state' WINEDEBUG=+systray wine dragoman-tray.exe >trace 2>&1 & tray=$!
shown() { grep -c 'dwMessage = 0' trace; }
wait_for() { for i in $(seq 600); do [ "$(shown)" -ge $1 ] && return; sleep 0.1; done; cat trace >&2; exit 1; }
wait_for 1
first=$(shown)
wine taskbar.exe || exit 1
wait_for $((first + 1))
kill -0 $tray || exit 1
echo again
`

// TestTheTaskbarStartsAgain is S7. Wine's Explorer does not tell of its start, so
// a program of the test does.
func TestTheTaskbarStartsAgain(t *testing.T) {
	bench := filepath.Join(ovtest.Root(), "..", "shared", "testbench", "wine.sh")
	if _, err := os.Stat(bench); err != nil {
		t.Skip("the test bench for Windows programs is not there")
	}
	for _, tool := range []string{"wine", "Xvfb", "x86_64-w64-mingw32-gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	dir := t.TempDir()
	for program, source := range map[string]string{"dragoman-tray.exe": ".", "taskbar.exe": "./testdata/taskbar"} {
		build := exec.Command("go", "build", "-o", filepath.Join(dir, program), source)
		build.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
		out, err := build.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "bash", bench, "--prefix", filepath.Join(dir, "prefix"), "--", "bash", "-c", showTwice, "tray", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "again", strings.TrimSpace(string(out[strings.LastIndexByte(strings.TrimSpace(string(out)), '\n')+1:])))
}
