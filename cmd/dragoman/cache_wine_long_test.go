//go:build long && linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/device"
	"dragoman/inference/m2m100"
	"dragoman/inference/openvino/ovtest"
	"dragoman/installer/ovruntime"
)

// windowsRuntime installs OpenVINO for Windows once, where `make clean` removes it.
func windowsRuntime(t *testing.T) (data string) {
	t.Helper()
	data = filepath.Join(ovtest.Root(), "build", "windows")
	_, err := ovruntime.Install(t.Context(), ovruntime.Options{DataDir: data, GOOS: "windows", GOARCH: "amd64"})
	if err != nil {
		t.Skip("OpenVINO for Windows, which has the NPU's compiler, cannot be installed: ", err)
	}
	return data
}

// published is the estimate that docs/npu.md has for the starter, in milliseconds.
func published(t *testing.T, platform string, tokens int) float64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(ovtest.Root(), "docs", "npu.md"))
	require.NoError(t, err)
	row := regexp.MustCompile(fmt.Sprintf(`(?m)^\| \*\*starter\*\* \| \*\*%d\*\* \|(.*)$`, tokens)).FindStringSubmatch(string(text))
	require.NotNil(t, row, "docs/npu.md has no figure for %d tokens", tokens)
	cell := strings.Split(row[1], "|")[slices.Index(device.Generations(), device.Generation(platform))]
	ms, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
	require.NoError(t, err)
	return ms
}

// The NPU's real compiler takes all graphs of the starter that dragoman writes,
// for all platforms: the program for Windows prepares them under Wine, as an
// administrator does for other machines. No NPU is needed and none is there.
func TestStarterCompilesForAllNPUs(t *testing.T) {
	w := newWindows(t)
	data := windowsRuntime(t)
	script := `set -e
export DRAGOMAN_DATA="$(winepath -w "$2")" DRAGOMAN_MODEL="$(winepath -w "$3")" DRAGOMAN_CACHE="$(winepath -w "$1/cache")"
export DRAGOMAN_CONFIG="$(winepath -w "$1/config.toml")"
shift 3
for platform; do wine dragoman.exe cache warm --platform $platform --json; done
wine dragoman.exe cache verify >&2`
	platforms := map[string]string{"3720": "2", "4000": "4", "5010": "3", "5020": "1"} // tiles
	args := []string{data, starter()}
	for _, g := range device.Generations() {
		args = append(args, string(g))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	text := w.run(ctx, []string{"DRAGOMAN_OPENVINO="}, `cd "$1"; `+script, args...)
	seen := map[string][]int{}
	for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
		var a jsonAhead
		err := decoder.Decode(&a)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err, "%s", text)
		t.Logf("NPU %s, %d tokens: %.1f MB, compiled in %.1f s; the compiler's estimate %.3f ms at %d MHz", a.Platform, a.Tokens, float64(a.Bytes)/1e6, a.Seconds, a.EstimateMS, a.ClockMHz)
		require.Equal(t, platforms[a.Platform], a.Tiles)
		require.Equal(t, ovruntime.PinnedVersion, a.OpenVINO)
		require.False(t, a.Stored)
		require.Less(t, a.Bytes, int64(30e6), "weights are kept in int8")
		require.InEpsilon(t, published(t, a.Platform, a.Tokens), a.EstimateMS, 0.05, "docs/npu.md has another figure")
		seen[a.Platform] = append(seen[a.Platform], a.Tokens)
	}
	require.Len(t, seen, len(platforms))
	for platform, tokens := range seen {
		require.Equal(t, m2m100.Buckets, tokens, platform)
	}
}
