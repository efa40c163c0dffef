package locate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dragoman/inference/openvino/locate"

	"github.com/stretchr/testify/require"
)

// put writes files with some content below root and returns root.
func put(t *testing.T, root string, names ...string) string {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte("library"), 0o644))
	}
	return root
}

// options are those of a machine of goos with nothing on it.
func options(goos string, set map[string]string) locate.Options {
	return locate.Options{
		Getenv:      func(name string) string { return set[name] },
		LibraryDirs: []string{}, GOOS: goos, GOARCH: "amd64",
	}
}

func TestFindTakesTheFirstPlace(t *testing.T) {
	for _, system := range []struct{ goos, library, venv, searchPath string }{
		{"linux", "libopenvino_c.so.2641", "lib/python3.11/site-packages/openvino/libs", "LD_LIBRARY_PATH"},
		{"windows", "openvino_c.dll", "Lib/site-packages/openvino/libs", "PATH"},
	} {
		t.Run(system.goos, func(t *testing.T) {
			root := t.TempDir()
			set := map[string]string{"VIRTUAL_ENV": filepath.Join(root, "venv"), system.searchPath: filepath.Join(root, "search")}
			o := options(system.goos, set)
			o.Executable = filepath.Join(root, "bin", "dragoman")
			o.DataDir = filepath.Join(root, "data")
			o.LibraryDirs = []string{filepath.Join(root, "usr"), filepath.Join(root, "opt", "openvino*", "lib")}

			_, err := locate.Find(o)
			require.ErrorIs(t, err, locate.ErrNotFound)
			require.ErrorContains(t, err, "dragoman runtime install")
			require.ErrorContains(t, err, filepath.Join(root, "bin", "openvino"))
			require.ErrorContains(t, err, filepath.Join(root, "search"))

			put(t, root, "data/runtime/2026.4.1-abc/manifest.json")
			require.NoError(t, os.WriteFile(filepath.Join(root, "data", "runtime", "current"), []byte("2026.4.1-abc\n"), 0o644))

			// From the last place to the first: each new one hides those before.
			places := []struct {
				dir    string
				source locate.Source
			}{
				{"venv/" + system.venv, locate.SourcePython},
				{"opt/openvino_2026.3/lib", locate.SourceSystem},
				{"opt/openvino_2026.4/lib", locate.SourceSystem},
				{"usr", locate.SourceSystem},
				{"search", locate.SourceSystem},
				{"data/runtime/2026.4.1-abc", locate.SourceData},
				{"lib/dragoman", locate.SourceExecutable},
				{"bin/openvino", locate.SourceExecutable},
				{"bin", locate.SourceExecutable},
			}
			for _, place := range places {
				put(t, root, place.dir+"/"+system.library)
				found, err := locate.Find(o)
				require.NoError(t, err)
				require.Equal(t, filepath.Join(root, filepath.FromSlash(place.dir), system.library), found.Library)
				require.Equal(t, filepath.Dir(found.Library), found.Dir)
				require.Equal(t, place.source, found.Source)
			}

			o.Configured = put(t, filepath.Join(root, "configured"), system.library)
			found, err := locate.Find(o)
			require.NoError(t, err)
			require.Equal(t, locate.SourceConfig, found.Source)

			set[locate.EnvRuntime] = filepath.Join(put(t, filepath.Join(root, "env"), system.library), system.library)
			found, err = locate.Find(o)
			require.NoError(t, err)
			require.Equal(t, locate.SourceEnvironment, found.Source)

			all := locate.All(o)
			require.Len(t, all, len(places)+2)
			require.Equal(t, found, all[0])
			require.Equal(t, locate.SourcePython, all[len(all)-1].Source)
		})
	}
}

func TestFindNeverPassesOverASetting(t *testing.T) {
	root := put(t, t.TempDir(), "usr/libopenvino_c.so.2641", "file.txt", "old/libopenvino_c.so.2500")
	require.NoError(t, os.Mkdir(filepath.Join(root, "empty"), 0o755))
	for name, test := range map[string]struct{ value, want string }{
		"missing": {"nowhere", "there is no such file or folder"},
		"empty":   {"empty", "there is no libopenvino_c.so* in this folder"},
		"file":    {"file.txt", "this file is not OpenVINO's C library"},
		"too old": {"old", "it is release 2025.0.0, and 2025.1 or later is needed"},
	} {
		t.Run(name, func(t *testing.T) {
			value := filepath.Join(root, test.value)
			set := map[string]string{}
			o := options("linux", set)
			o.LibraryDirs = []string{filepath.Join(root, "usr")}

			o.Configured = value
			_, err := locate.Find(o)
			require.ErrorContains(t, err, "the configuration (inference.runtime) names, "+value)
			require.ErrorContains(t, err, test.want)
			require.NotErrorIs(t, err, locate.ErrNotFound)

			o.Configured, set[locate.EnvRuntime] = "", value
			_, err = locate.Find(o)
			require.ErrorContains(t, err, "DRAGOMAN_OPENVINO names")
			require.ErrorContains(t, err, test.want)

			all := locate.All(o)
			require.Len(t, all, 2)
			require.ErrorContains(t, all[0].Problem, test.want)
			require.NoError(t, all[1].Problem)
		})
	}
}

func TestFindPassesOverWhatIsTooOld(t *testing.T) {
	root := put(t, t.TempDir(), "a/libopenvino_c.so.2024.6.0", "b/libopenvino_c.so.2510")
	o := options("linux", nil)
	o.LibraryDirs = []string{filepath.Join(root, "a"), filepath.Join(root, "b")}
	found, err := locate.Find(o)
	require.NoError(t, err)
	require.Equal(t, locate.Version{Year: 2025, Release: 1}, found.Version)

	o.LibraryDirs = o.LibraryDirs[:1]
	_, err = locate.Find(o)
	require.ErrorIs(t, err, locate.ErrNotFound)
	require.ErrorContains(t, err, "passed over: "+filepath.Join(root, "a", "libopenvino_c.so.2024.6.0"))
}

func TestFindKnowsTheLayouts(t *testing.T) {
	for _, test := range []struct{ goos, library string }{
		{"linux", "libopenvino_c.so.2641"},
		{"linux", "libs/libopenvino_c.so.2641"},
		{"linux", "openvino/libs/libopenvino_c.so.2641"},
		{"linux", "runtime/lib/intel64/libopenvino_c.so.2641"},
		{"linux", "runtime/lib/aarch64/libopenvino_c.so.2641"},
		{"windows", "libs/openvino_c.dll"},
		{"windows", "runtime/bin/intel64/Release/openvino_c.dll"},
	} {
		t.Run(test.goos+" "+test.library, func(t *testing.T) {
			root := put(t, t.TempDir(), test.library)
			o := options(test.goos, nil)
			o.Configured = root
			found, err := locate.Find(o)
			require.NoError(t, err)
			require.Equal(t, filepath.Join(root, filepath.FromSlash(test.library)), found.Library)
		})
	}
}

func TestFindIgnoresRelativeSearchPaths(t *testing.T) {
	t.Chdir(put(t, t.TempDir(), "libopenvino_c.so.2641", "sub/libopenvino_c.so.2641"))
	_, err := locate.Find(options("linux", map[string]string{"LD_LIBRARY_PATH": ":.:sub"}))
	require.ErrorIs(t, err, locate.ErrNotFound)
}

func TestFindReportsABrokenChoice(t *testing.T) {
	for name, test := range map[string]struct{ current, want string }{
		"gone":    {"2026.4.1-abc", "which it names"},
		"outside": {"../../usr", "does not name a runtime's folder"},
		"empty":   {"\n", "does not name a runtime's folder"},
	} {
		t.Run(name, func(t *testing.T) {
			data := put(t, t.TempDir(), "runtime/.keep")
			path := filepath.Join(data, "runtime", "current")
			require.NoError(t, os.WriteFile(path, []byte(test.current), 0o644))
			o := options("linux", nil)
			o.DataDir = data
			_, err := locate.Find(o)
			require.ErrorIs(t, err, locate.ErrNotFound)
			require.ErrorContains(t, err, test.want)

			put(t, data, "usr/libopenvino_c.so.2641")
			o.LibraryDirs = []string{filepath.Join(data, "usr")}
			found, err := locate.Find(o)
			require.NoError(t, err)
			require.Equal(t, locate.SourceSystem, found.Source)
		})
	}
}

func TestAllNamesALibraryOnce(t *testing.T) {
	root := put(t, t.TempDir(), "usr/libopenvino_c.so.2641")
	dir := filepath.Join(root, "usr")
	o := options("linux", map[string]string{"LD_LIBRARY_PATH": dir})
	o.LibraryDirs = []string{dir}
	o.Configured = dir
	all := locate.All(o)
	require.Len(t, all, 1)
	require.Equal(t, locate.SourceConfig, all[0].Source)
}

func TestHostFindsOrSaysHow(t *testing.T) {
	t.Setenv(locate.EnvRuntime, "")
	o := locate.Host("", t.TempDir())
	require.NotEmpty(t, o.Executable)
	found, err := locate.Find(o)
	if err != nil {
		require.ErrorIs(t, err, locate.ErrNotFound)
		require.True(t, strings.HasSuffix(err.Error(), "run `dragoman runtime install`"))
		return
	}
	require.FileExists(t, found.Library)
}
