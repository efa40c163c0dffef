//go:build long && linux

package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/device"
)

// Windows' own tables are asked, as far as Wine has them: the registry and Plug
// and Play with an NPU put in, a driver package in the driver store, the
// version resource of a library, memory and cores.
func TestDevicesOfWindowsUnderWine(t *testing.T) {
	w := newWindows(t)
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
	text := w.run(ctx, []string{"DRAGOMAN_OPENVINO=", "DRAGOMAN_DATA=", "DRAGOMAN_CACHE="}, script, keys)

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
