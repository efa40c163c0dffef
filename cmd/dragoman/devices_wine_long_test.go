//go:build long && linux

package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/device"
	"dragoman/inference/openvino/ovtest"
)

// Windows' own tables are asked, as far as Wine has them: the registry and Plug
// and Play with an NPU put in, a driver package in the driver store, the
// version resource of a library, memory and cores.
func TestDevicesOfWindowsUnderWine(t *testing.T) {
	wine := filepath.Join(ovtest.Root(), "..", "shared", "testbench", "wine.sh")
	if _, err := os.Stat(wine); err != nil {
		t.Skip("the test bench for Windows programs is not there")
	}
	for _, tool := range []string{"wine", "Xvfb", "x86_64-w64-mingw32-gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "dragoman.exe"), "dragoman/cmd/dragoman")
	build.Dir, build.Env = ovtest.Root(), append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	keys, err := filepath.Abs("testdata/lunar-lake.reg")
	require.NoError(t, err)
	// Any library with a version will do for the loader's.
	script := `set -e
system=$WINEPREFIX/drive_c/windows/system32
package=$system/driverstore/filerepository/npu.inf_amd64_23d547ee4d8ae674
mkdir -p "$package"
cp "$system/ntdll.dll" "$package/npu_level_zero_umd.dll"
cp "$system/ntdll.dll" "$system/ze_loader.dll"
wine regedit /S "$(winepath -w "$2")"
wine "$1/dragoman.exe" devices --json`
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", wine, "--prefix", filepath.Join(dir, "prefix"), "--", "bash", "-c", script, "devices", dir, keys)
	cmd.Env = append(os.Environ(), "DRAGOMAN_OPENVINO=", "DRAGOMAN_DATA=", "DRAGOMAN_CACHE=")
	text, err := cmd.Output()
	require.NoError(t, err, "%s", text)

	var m jsonMachine
	require.NoError(t, json.Unmarshal(text, &m), "%s", text)
	require.Equal(t, "Windows 11 Pro 24H2", m.System.Name)
	require.Equal(t, "Lunar Lake", m.Processor.Chip)
	require.Positive(t, m.Processor.Cores)
	require.Positive(t, m.Memory)
	npu := m.Devices[len(m.Devices)-1]
	require.Equal(t, device.NPU4000, npu.Generation)
	require.Equal(t, "32.0.100.5540", npu.Driver.UserMode)
	require.Equal(t, "npu", npu.Driver.Module)
	require.Regexp(t, `^\d+\.\d+\.\d+\.\d+$`, npu.Driver.Loader)
	for _, f := range m.Findings {
		require.NotEqual(t, device.NPU, f.Device, f.Text)
	}
}
