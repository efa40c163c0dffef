package locate_test

import (
	"os"
	"path/filepath"
	"testing"

	"dragoman/inference/openvino/locate"

	"github.com/stretchr/testify/require"
)

func find(t *testing.T, goos, dir string) locate.Candidate {
	t.Helper()
	o := options(goos, nil)
	o.Configured = dir
	c, err := locate.Find(o)
	require.NoError(t, err)
	return c
}

func TestTheHighestReleaseOfAFolderIsTaken(t *testing.T) {
	dir := put(t, t.TempDir(),
		"libopenvino_c.so.2541", "libopenvino_c.so.2641", "libopenvino_c.so.2026.4.1",
		"libopenvino_c.so.2630", "libopenvino_cpu.so.9999", "libopenvino.so.2641")
	c := find(t, "linux", dir)
	require.Equal(t, filepath.Join(dir, "libopenvino_c.so.2641"), c.Library)
	require.Equal(t, locate.Version{Year: 2026, Release: 4, Patch: 1}, c.Version)
	require.Equal(t, []string{filepath.Join(dir, "libopenvino.so.2641")}, c.Preload)
}

func TestLinksAreFollowedAndLinksToNowhereAreNot(t *testing.T) {
	dir := put(t, t.TempDir(), "real/libopenvino_c.so.2640")
	if err := os.Symlink("real/libopenvino_c.so.2640", filepath.Join(dir, "libopenvino_c.so")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	require.NoError(t, os.Symlink("gone", filepath.Join(dir, "libopenvino_c.so.2641")))
	c := find(t, "linux", dir)
	require.Equal(t, filepath.Join(dir, "libopenvino_c.so"), c.Library)
	require.Equal(t, "2026.4.0", c.Version.String())
}

func TestVersionFromWhatLiesAround(t *testing.T) {
	for name, test := range map[string]struct{ library, file, text, want string }{
		"wheel":    {"openvino/libs/openvino_c.dll", "openvino-2026.4.1.dist-info/METADATA", "", "2026.4.1"},
		"manifest": {"openvino_c.dll", "manifest.json", `{"version": "2025.3.0"}`, "2025.3.0"},
		"archive":  {"runtime/bin/intel64/Release/openvino_c.dll", "runtime/version.txt", "2026.4.0-22959-99c8149\n", "2026.4.0"},
		"nothing":  {"openvino_c.dll", "manifest.json", "not JSON", "unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := put(t, t.TempDir(), test.library, test.file)
			require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(test.file)), []byte(test.text), 0o644))
			require.Equal(t, test.want, find(t, "windows", dir).Version.String())
		})
	}
}

func TestPartsAndPreload(t *testing.T) {
	for name, test := range map[string]struct {
		goos    string
		files   []string
		parts   string
		preload []string
	}{
		"linux wheel": {
			"linux",
			[]string{
				"libopenvino_c.so.2641", "libopenvino.so.2641", "libtbb.so.12", "libopenvino_intel_cpu_plugin.so",
				"libopenvino_intel_gpu_plugin.so", "libopenvino_intel_npu_plugin.so",
			},
			"CPU, GPU, NPU (without compiler)",
			[]string{"libtbb.so.12", "libopenvino.so.2641"},
		},
		"linux arm64": {
			"linux",
			[]string{"libopenvino_c.so.2641", "libopenvino_arm_cpu_plugin.so"},
			"CPU", nil,
		},
		"linux distribution": {
			"linux",
			[]string{"libopenvino_c.so.2641", "openvino-2026.4.1/libopenvino_intel_cpu_plugin.so"},
			"CPU", nil,
		},
		"linux archive": {
			"linux",
			[]string{
				"runtime/lib/intel64/libopenvino_c.so.2641", "runtime/lib/intel64/libopenvino.so.2641",
				"runtime/lib/intel64/libopenvino_intel_npu_plugin.so", "runtime/lib/intel64/libopenvino_intel_npu_compiler.so",
				"runtime/3rdparty/tbb/lib/libtbb.so.12",
			},
			"NPU",
			[]string{"runtime/3rdparty/tbb/lib/libtbb.so.12", "runtime/lib/intel64/libopenvino.so.2641"},
		},
		"windows archive": {
			"windows",
			[]string{
				"runtime/bin/intel64/Release/openvino_c.dll", "runtime/bin/intel64/Release/openvino.dll",
				"runtime/bin/intel64/Release/openvino_intel_cpu_plugin.dll", "runtime/3rdparty/tbb/bin/tbb12.dll",
			},
			"CPU",
			[]string{"runtime/3rdparty/tbb/bin/tbb12.dll", "runtime/bin/intel64/Release/openvino.dll"},
		},
		"nothing else": {"windows", []string{"openvino_c.dll"}, "no device plugins", nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := put(t, t.TempDir(), test.files...)
			c := find(t, test.goos, dir)
			require.Equal(t, test.parts, c.Parts.String())
			var want []string
			for _, path := range test.preload {
				want = append(want, filepath.Join(dir, filepath.FromSlash(path)))
			}
			require.Equal(t, want, c.Preload)
		})
	}
}

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]string{
		"2026.4.1-22982-e213a147257-releases/2026/4": "2026.4.1",
		"openvino_2025.1":                                          "2025.1.0",
		"openvino-2026.4.1.dist-info":                              "2026.4.1",
		"openvino_toolkit_windows_2026.4.0.22959.99c8149.zip":      "2026.4.0",
		"openvino-2026.4.1-22982-cp311-cp311-manylinux_2_28_a.whl": "2026.4.1",
		"no release": "unknown",
		"":           "unknown",
	} {
		require.Equal(t, want, locate.ParseVersion(text).String(), text)
	}
}

func TestVersionOrder(t *testing.T) {
	ordered := []locate.Version{{}, {2024, 6, 0}, locate.Oldest, {2025, 1, 1}, {2025, 4, 0}, {2026, 0, 0}, {2026, 4, 1}}
	for i := range ordered {
		for j := range ordered {
			require.Equal(t, i < j, ordered[i].Less(ordered[j]), "%v %v", ordered[i], ordered[j])
		}
	}
}

func TestCheckComplete(t *testing.T) {
	for _, goos := range []string{"linux", "windows"} {
		names := map[string]string{"c": "libopenvino_c.so.2641", "CPU plugin": "libopenvino_intel_cpu_plugin.so", "IR frontend": "libopenvino_ir_frontend.so.2641"}
		if goos == "windows" {
			names = map[string]string{"c": "openvino_c.dll", "CPU plugin": "openvino_intel_cpu_plugin.dll", "IR frontend": "openvino_ir_frontend.dll"}
		}
		for _, missing := range []string{"", "CPU plugin", "IR frontend"} {
			dir := t.TempDir()
			for part, name := range names {
				if part != missing {
					require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
				}
			}
			c, err := locate.Find(locate.Options{GOOS: goos, Configured: dir, Getenv: func(string) string { return "" }})
			require.NoError(t, err)
			if missing == "" {
				require.NoError(t, c.CheckComplete())
				continue
			}
			require.ErrorContains(t, c.CheckComplete(), missing)
			require.ErrorContains(t, c.CheckComplete(), "dragoman runtime install")
		}
	}
}
