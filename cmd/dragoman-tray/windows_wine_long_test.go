//go:build long && linux

package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
	"dragoman/internal/winetest"
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
	bench, dir := winetest.Bench(t, ovtest.Root()), t.TempDir()
	winetest.Build(t, ovtest.Root(), filepath.Join(dir, "dragoman-tray.exe"), "dragoman/cmd/dragoman-tray")
	winetest.Build(t, ovtest.Root(), filepath.Join(dir, "taskbar.exe"), "dragoman/cmd/dragoman-tray/testdata/taskbar")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "bash", bench, "--prefix", filepath.Join(dir, "prefix"), "--", "bash", "-c", showTwice, "tray", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "again", strings.TrimSpace(string(out[strings.LastIndexByte(strings.TrimSpace(string(out)), '\n')+1:])))
}
