package ovruntime

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"dragoman/inference/openvino/locate"

	"github.com/stretchr/testify/require"
)

// realWheel installs the pinned wheel of a platform with pip. It skips the test
// where pip or its index cannot be reached.
func realWheel(t *testing.T, goos, goarch string) (data string, r Result) {
	t.Helper()
	if testing.Short() {
		t.Skip("downloads tens of megabytes: not in short mode")
	}
	data = t.TempDir()
	r, err := Install(t.Context(), Options{DataDir: data, GOOS: goos, GOARCH: goarch})
	if err != nil && (strings.Contains(err.Error(), "check the network") || strings.Contains(err.Error(), "install Python's pip")) {
		t.Skipf("pip cannot download here: %v", err)
	}
	require.NoError(t, err)
	t.Logf("%s/%s: %d files, %.1f MB", goos, goarch, len(r.Manifest.Files), float64(r.Manifest.Bytes())/1e6)
	return data, r
}

// TestRealWheels installs each pinned wheel and checks that every library finds
// what it needs, in its folder or by a name that is known to be the system's.
// The one for this machine is also loaded and asked for its version.
func TestRealWheels(t *testing.T) {
	systems := map[string][]string{
		"linux": {
			"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libstdc++.so.6", "libgcc_s.so.1",
			"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
			"libOpenCL.so.1", // the GPU driver's; only the GPU plugin asks
		},
		"windows": {
			"KERNEL32.dll", "ADVAPI32.dll", "WS2_32.dll", "ntdll.dll", "SETUPAPI.dll", "CFGMGR32.dll", "WINTRUST.dll", "dbghelp.dll",
			"MSVCP140.dll", "VCRUNTIME140.dll", "VCRUNTIME140_1.dll", // the Visual C++ runtime, a condition on Windows
			"OpenCL.dll", "ze_loader.dll", // the GPU's and NPU's drivers
		},
	}
	for _, test := range []struct{ goos, goarch, parts string }{
		{"linux", "amd64", "CPU, GPU, NPU (without compiler)"},
		{"linux", "arm64", "CPU"},
		{"windows", "amd64", "CPU, GPU, NPU"},
	} {
		t.Run(test.goos+"/"+test.goarch, func(t *testing.T) {
			data, r := realWheel(t, test.goos, test.goarch)
			require.True(t, r.Manifest.Pinned)
			require.Equal(t, PinnedVersion, r.Manifest.Version)
			require.FileExists(t, filepath.Join(r.Dir, "licenses", "LICENSE"))

			c := locateIn(t, data, test.goos)
			require.Equal(t, test.parts, c.Parts.String())
			require.Equal(t, PinnedVersion, c.Version.String())
			require.Len(t, c.Preload, 2)

			there := map[string]bool{}
			for _, name := range systems[test.goos] {
				there[name] = true
			}
			for _, file := range r.Manifest.Files {
				there[file.Path] = true
			}
			for _, file := range r.Manifest.Files {
				if !libraries[test.goos].MatchString(file.Path) {
					continue
				}
				b, err := inspect(filepath.Join(r.Dir, file.Path), test.goos)
				require.NoError(t, err)
				require.Equal(t, test.goarch, b.machine, file.Path)
				for _, needed := range b.needed {
					require.True(t, there[needed] || strings.HasPrefix(needed, "api-ms-win-"), "%s needs %s", file.Path, needed)
				}
			}
			if test.goos == runtime.GOOS && test.goarch == runtime.GOARCH {
				require.Equal(t, PinnedVersion, locate.ParseVersion(buildOf(t, c)).String())
			}
			if test.goos == "linux" {
				require.NotContains(t, there, "libopenvino_onnx_frontend.so.2641")
				require.Contains(t, there, "libhwloc.so.15")
			}
		})
	}
}
