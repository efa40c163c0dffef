package openvino

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckVersion(t *testing.T) {
	for build, ok := range map[string]bool{
		"2026.4.1-22982-e213a147257-releases/2026/4": true,
		"2025.1.0-18503-6fec06580ab":                 true,
		"2025.0.0-17942-1f68be9f594":                 false,
		"2024.6.0-17404-4c0f47d2335":                 false,
		"custom":                                     false,
		"":                                           false,
	} {
		err := checkVersion(build)
		if ok {
			require.NoError(t, err, build)
			continue
		}
		require.ErrorContains(t, err, "dragoman needs", build)
		require.ErrorContains(t, err, "dragoman runtime install", build)
	}
}

func TestLoadRefusesWhatIsNoLibrary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "libopenvino_c.so")
	require.NoError(t, os.WriteFile(path, []byte("not a library"), 0o600))
	_, err := load(path, nil)
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "dragoman runtime install")
}

func TestLoadRefusesWhatWasCutShort(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the loader of Windows refuses such files itself")
	}
	exe, err := os.ReadFile("/proc/self/exe")
	require.NoError(t, err)
	for _, name := range []string{"libopenvino_c.so.2641", "libopenvino_intel_cpu_plugin.so"} {
		dir := t.TempDir()
		for _, size := range []int{0, 10, 3000, len(exe) / 4} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), exe[:size], 0o600))
			_, err := load(filepath.Join(dir, "libopenvino_c.so.2641"), nil)
			require.ErrorContains(t, err, filepath.Join(dir, name))
			require.ErrorContains(t, err, "cut short")
			require.ErrorContains(t, err, "dragoman runtime install")
		}
	}
}

func TestStatusNames(t *testing.T) {
	require.Equal(t, "request busy", RequestBusy.String())
	require.Equal(t, "status 7", Status(7).String())
}
