package ovruntime

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"dragoman/inference/openvino/locate"

	"github.com/stretchr/testify/require"
)

func locateIn(t *testing.T, data, goos string) locate.Candidate {
	t.Helper()
	c, err := locate.Find(locate.Options{
		Getenv: func(string) string { return "" }, DataDir: data,
		LibraryDirs: []string{}, GOOS: goos, GOARCH: "amd64",
	})
	require.NoError(t, err)
	return c
}

func TestInstallAWheel(t *testing.T) {
	data := t.TempDir()
	var seen []Progress
	o := fromFile(data, makeWheel(t, "2026.4.1", "2641"))
	o.Progress = func(p Progress) { seen = append(seen, p) }
	r := install(t, o)

	require.ElementsMatch(t, []string{
		"cache.json", "libhwloc.so.15", "libnew.so.1", "libopenvino.so.2641", "libopenvino_c.so.2641",
		"libopenvino_intel_cpu_plugin.so", "libopenvino_ir_frontend.so.2641", "libtbb.so.12", "libtbbbind_2_5.so.3",
		"licenses/LICENSE", "licenses/licensing/tbb.txt", "manifest.json", ".in-use",
	}, names(t, r.Dir))
	require.NoError(t, Verify(r.Dir))
	require.False(t, r.Reused)
	require.Empty(t, r.Previous)
	require.Equal(t, "2026.4.1", r.Manifest.Version)
	require.False(t, r.Manifest.Pinned)
	sum, _, err := sumFile(o.From)
	require.NoError(t, err)
	require.Equal(t, sum, r.Manifest.SourceSHA256)
	require.Equal(t, "2026.4.1-"+sum[:12], filepath.Base(r.Dir))

	c := locateIn(t, data, "linux")
	require.Equal(t, locate.SourceData, c.Source)
	require.Equal(t, filepath.Join(r.Dir, "libopenvino_c.so.2641"), c.Library)
	require.Equal(t, "CPU", c.Parts.String())
	require.Len(t, c.Preload, 2)

	list := List(data)
	require.Len(t, list, 1)
	require.True(t, list[0].Current)
	require.Equal(t, r.Manifest, list[0].Manifest)

	last := seen[len(seen)-1]
	require.Equal(t, Progress{PhaseVerify, r.Manifest.Bytes(), r.Manifest.Bytes()}, last)
	for _, p := range seen {
		require.LessOrEqual(t, p.Done, p.Total)
	}

	again := install(t, o)
	require.True(t, again.Reused)
	require.Equal(t, r.Dir, again.Dir)
	require.Equal(t, r.Dir, again.Previous)
}

func TestInstallIntelsArchives(t *testing.T) {
	core := "runtime/lib/intel64/"
	linux := []fakeFile{
		lib(core+"libopenvino.so.2026.4.0", "libopenvino.so.2640", "libtbb.so.12"),
		{name: core + "libopenvino.so.2640", link: "libopenvino.so.2026.4.0"},
		{name: core + "libopenvino.so", link: "libopenvino.so.2640"},
		lib(core+"libopenvino_c.so.2026.4.0", "libopenvino_c.so.2640", "libopenvino.so.2640"),
		{name: core + "libopenvino_c.so.2640", link: "/etc/passwd"},
		lib(core+"libopenvino_ir_frontend.so.2026.4.0", "libopenvino_ir_frontend.so.2640"),
		lib(core+"libopenvino_intel_cpu_plugin.so", ""),
		lib(core+"libopenvino_intel_npu_plugin.so", ""),
		lib(core+"libopenvino_intel_npu_compiler.so", ""),
		lib(core+"libopenvino_intel_npu_compiler_loader.so", ""),
		lib("runtime/3rdparty/tbb/lib/libtbb.so.12.13", "libtbb.so.12"),
		{name: "runtime/3rdparty/tbb/LICENSE.txt", content: []byte("Apache")},
		{name: "docs/licensing/LICENSE", content: []byte("Apache")},
		{name: "runtime/version.txt", content: []byte("2026.4.0-22959-99c8149")},
		{name: "samples/cpp/build.sh", content: []byte("x")},
	}
	release := "runtime/bin/intel64/Release/"
	windows := []fakeFile{
		{name: release + "openvino.dll", content: fakeDLL("core")},
		{name: release + "openvino_c.dll", content: fakeDLL("c")},
		{name: release + "openvino_ir_frontend.dll", content: fakeDLL("ir")},
		{name: release + "openvino_onnx_frontend.dll", content: fakeDLL("onnx")},
		{name: release + "openvino_intel_cpu_plugin.dll", content: fakeDLL("cpu")},
		{name: release + "openvino_intel_npu_plugin.dll", content: fakeDLL("npu")},
		{name: release + "openvino_intel_npu_compiler.dll", content: fakeDLL("compiler")},
		{name: "runtime/bin/intel64/Debug/openvino_cd.dll", content: fakeDLL("debug")},
		{name: "runtime/3rdparty/tbb/bin/tbb12.dll", content: fakeDLL("tbb")},
		{name: "runtime/3rdparty/tbb/bin/tbb12_debug.dll", content: fakeDLL("tbb")},
		{name: "runtime/version.txt", content: []byte("2026.4.0-22959-99c8149")},
	}
	inFolder := func(files []fakeFile) []fakeFile {
		var moved []fakeFile
		for _, file := range files {
			file.name = "openvino_toolkit_2026.4.0/" + file.name
			moved = append(moved, file)
		}
		return moved
	}
	wantLinux := []string{
		"libopenvino.so.2640", "libopenvino_c.so.2640", "libopenvino_ir_frontend.so.2640", "libopenvino_intel_cpu_plugin.so",
		"libopenvino_intel_npu_plugin.so", "libopenvino_intel_npu_compiler.so", "libopenvino_intel_npu_compiler_loader.so",
		"libtbb.so.12", "licenses/LICENSE", "licenses/tbb-LICENSE.txt", "manifest.json", ".in-use",
	}
	wantWindows := []string{
		"openvino.dll", "openvino_c.dll", "openvino_ir_frontend.dll", "openvino_intel_cpu_plugin.dll",
		"openvino_intel_npu_plugin.dll", "openvino_intel_npu_compiler.dll", "tbb12.dll", "manifest.json", ".in-use",
	}
	for name, test := range map[string]struct {
		goos, file string
		want       []string
	}{
		"linux":             {"linux", makeTar(t, "a.tgz", linux), wantLinux},
		"linux, top folder": {"linux", makeTar(t, "a.tgz", inFolder(linux)), wantLinux},
		"windows":           {"windows", makeZip(t, "a.zip", inFolder(windows)), wantWindows},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			r := install(t, Options{DataDir: data, From: test.file, GOOS: test.goos, GOARCH: "amd64"})
			require.ElementsMatch(t, test.want, names(t, r.Dir))
			require.Equal(t, "2026.4.0", r.Manifest.Version)
			c := locateIn(t, data, test.goos)
			require.Equal(t, "2026.4.0", c.Version.String())
			require.Equal(t, "CPU, NPU", c.Parts.String())
			require.Len(t, c.Preload, 2)
		})
	}
}

func TestInstallRefuses(t *testing.T) {
	without := func(part string) []fakeFile {
		var files []fakeFile
		for _, file := range fakeWheelFiles("2026.4.1", "2641") {
			if !strings.Contains(file.name, part) {
				files = append(files, file)
			}
		}
		return files
	}
	with := func(name string) []fakeFile {
		return append([]fakeFile{{name: name, content: []byte("evil")}}, fakeWheelFiles("2026.4.1", "2641")...)
	}
	cut := makeWheel(t, "2026.4.1", "2641")
	whole, err := os.ReadFile(cut)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(cut, whole[:len(whole)/2], 0o644))
	flipped := makeWheel(t, "2026.4.1", "2641")
	broken := append([]byte(nil), whole...)
	broken[len(broken)/3] ^= 0xff
	require.NoError(t, os.WriteFile(flipped, broken, 0o644))
	cutTar := makeTar(t, "cut.tgz", fakeWheelFiles("2026.4.1", "2641"))
	wholeTar, err := os.ReadFile(cutTar)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(cutTar, wholeTar[:len(wholeTar)-5], 0o644)) // only gzip's checksum
	text := filepath.Join(t.TempDir(), "notes.whl")
	require.NoError(t, os.WriteFile(text, []byte("not a wheel"), 0o644))

	windows := makeZip(t, "w.whl", []fakeFile{{name: "openvino/libs/openvino_c.dll", content: fakeDLL("c")}})
	for name, test := range map[string]struct {
		o    Options
		want string
	}{
		"missing file":     {fromFile("", filepath.Join(t.TempDir(), "none.whl")), "none.whl"},
		"no archive":       {fromFile("", text), "is not a wheel or an archive of OpenVINO"},
		"cut":              {fromFile("", cut), "damaged or not complete"},
		"flipped":          {fromFile("", flipped), flipped},
		"cut tar":          {fromFile("", cutTar), "damaged or not complete"},
		"too old":          {fromFile("", makeWheel(t, "2024.6.0", "2460")), "is OpenVINO 2024.6.0, and dragoman needs 2025.1 or later"},
		"no core":          {fromFile("", makeZip(t, "a.whl", without("libopenvino.so"))), "it is not a whole OpenVINO for linux"},
		"no CPU":           {fromFile("", makeZip(t, "a.whl", without("cpu_plugin"))), "cpu_plugin"},
		"other package":    {fromFile("", makeZip(t, "a.whl", without("libs/"))), "it is not a whole OpenVINO for linux"},
		"another system":   {fromFile("", windows), "is OpenVINO for windows, and this machine runs linux"},
		"another machine":  {Options{From: makeWheel(t, "2026.4.1", "2641"), GOOS: "linux", GOARCH: "arm64"}, "it is OpenVINO for linux/amd64, and this machine is linux/arm64"},
		"no wheel":         {Options{GOOS: "windows", GOARCH: "arm64"}, "there is no OpenVINO 2026.4.1 in the package index for windows/arm64"},
		"unknown system":   {Options{GOOS: "plan9", GOARCH: "amd64"}, "dragoman knows no OpenVINO for plan9"},
		"leads up":         {fromFile("", makeZip(t, "a.whl", with("../evil"))), "leads out of its folder"},
		"leads up inside":  {fromFile("", makeZip(t, "a.whl", with("openvino/libs/../../../evil.so"))), "leads out of its folder"},
		"absolute":         {fromFile("", makeTar(t, "a.tgz", with("/etc/evil"))), "leads out of its folder"},
		"backslash":        {fromFile("", makeZip(t, "a.whl", with(`openvino\libs\evil.so`))), "leads out of its folder"},
		"drive":            {fromFile("", makeTar(t, "a.tgz", with("c:/evil"))), "leads out of its folder"},
		"no library":       {fromFile("", makeZip(t, "a.whl", with("openvino/libs/libevil.so"))), "libevil.so is not a library"},
		"a link as C file": {fromFile("", makeZip(t, "a.whl", append(without("libopenvino_c"), fakeFile{name: "openvino/libs/libopenvino_c.so.2641", link: "/etc/passwd"}))), "it is not a whole OpenVINO"},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			before := install(t, fromFile(data, makeWheel(t, "2026.3.0", "2630")))
			test.o.DataDir = data
			_, err := Install(context.Background(), test.o)
			require.ErrorContains(t, err, "install the OpenVINO runtime: ")
			require.ErrorContains(t, err, test.want)

			require.Equal(t, before.Dir, locateIn(t, data, "linux").Dir)
			require.NoError(t, Verify(before.Dir))
			require.ElementsMatch(t, []string{".lock", "current", filepath.Base(before.Dir)}, entries(t, filepath.Dir(before.Dir)))
			require.Equal(t, []string{"runtime"}, entries(t, data))
		})
	}
}

func entries(t testing.TB, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	var found []string
	for _, entry := range list {
		found = append(found, entry.Name())
	}
	return found
}

func TestUnpackKeepsToItsBounds(t *testing.T) {
	bomb := append(fakeWheelFiles("2026.4.1", "2641"), lib("openvino/libs/libbomb.so", ""))
	bomb[len(bomb)-1].content = append(bomb[len(bomb)-1].content, make([]byte, 1<<20)...)
	unused := append(fakeWheelFiles("2026.4.1", "2641"), fakeFile{name: "openvino/big.py", content: make([]byte, 1<<20)})
	generous := bounds{entries: 100, file: 2 << 20, total: 4 << 20, stream: 8 << 20}
	for name, test := range map[string]struct {
		file   string
		change func(*bounds)
		want   string
	}{
		"file":        {makeZip(t, "a.whl", bomb), func(b *bounds) { b.file = 1 << 20 }, "unpacks to more than is allowed"},
		"file in tar": {makeTar(t, "a.tgz", bomb), func(b *bounds) { b.file = 1 << 20 }, "unpacks to more than is allowed"},
		"total":       {makeZip(t, "a.whl", bomb), func(b *bounds) { b.total = 1 << 20 }, "unpacks to more than is allowed"},
		"entries":     {makeZip(t, "a.whl", bomb), func(b *bounds) { b.entries = 5 }, "entries"},
		"tar entries": {makeTar(t, "a.tgz", bomb), func(b *bounds) { b.entries = 5 }, "entries"},
		"tar stream":  {makeTar(t, "a.tgz", unused), func(b *bounds) { b.stream = 1 << 20 }, "unpacks to more than is allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			nothing := func(int64, int64) {}
			_, err := unpack(t.Context(), test.file, t.TempDir(), "linux", "amd64", generous, nothing)
			require.NoError(t, err)
			b := generous
			test.change(&b)
			_, err = unpack(t.Context(), test.file, t.TempDir(), "linux", "amd64", b, nothing)
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestVerifyFindsEveryChange(t *testing.T) {
	wheel := makeWheel(t, "2026.4.1", "2641")
	for name, test := range map[string]struct {
		change func(dir string) error
		want   string
	}{
		"changed": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "libtbb.so.12"), []byte("x"), 0o644)
		}, "libtbb.so.12 is not what was installed"},
		"removed":     {func(dir string) error { return os.Remove(filepath.Join(dir, "cache.json")) }, "cache.json is missing"},
		"added":       {func(dir string) error { return os.WriteFile(filepath.Join(dir, "libdl.so.2"), nil, 0o644) }, "libdl.so.2 was not installed by dragoman"},
		"no manifest": {func(dir string) error { return os.Remove(filepath.Join(dir, "manifest.json")) }, "read the runtime's manifest"},
		"empty manifest": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "manifest.json"), []byte("{}"), 0o644)
		}, "names no files"},
		"outside": {func(dir string) error {
			return Manifest{Files: []File{{Path: "../../current"}}}.write(dir)
		}, "which is outside"},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			r := install(t, fromFile(data, wheel))
			require.NoError(t, test.change(r.Dir))
			require.ErrorContains(t, Verify(r.Dir), test.want)

			// Installing again repairs, beside the damaged one.
			repaired := install(t, fromFile(data, wheel))
			require.False(t, repaired.Reused)
			require.Equal(t, r.Dir+".2", repaired.Dir)
			require.NoError(t, Verify(repaired.Dir))
			require.Equal(t, repaired.Dir, locateIn(t, data, "linux").Dir)
		})
	}
}

func TestOldRuntimesAreKeptOneBackOrWhileInUse(t *testing.T) {
	data := t.TempDir()
	wheels := map[string]string{}
	dirs := map[string]string{}
	for digits, version := range map[string]string{"2610": "2026.1.0", "2620": "2026.2.0", "2630": "2026.3.0", "2640": "2026.4.0"} {
		wheels[digits] = makeWheel(t, version, digits)
	}
	use := func(digits string) { dirs[digits] = install(t, fromFile(data, wheels[digits])).Dir }
	left := func() []string {
		var found []string
		for _, r := range List(data) {
			require.NoError(t, Verify(r.Dir))
			found = append(found, r.Dir)
		}
		return found
	}
	use("2610")
	use("2620")
	require.Equal(t, []string{dirs["2610"], dirs["2620"]}, left())

	release, err := Hold(dirs["2610"])
	require.NoError(t, err)
	again, err := Hold(dirs["2610"]) // many may hold
	require.NoError(t, err)
	use("2630")
	require.Equal(t, []string{dirs["2610"], dirs["2620"], dirs["2630"]}, left())
	release()
	again()
	use("2640")
	require.Equal(t, []string{dirs["2630"], dirs["2640"]}, left())

	back := install(t, fromFile(data, wheels["2630"]))
	require.True(t, back.Reused)
	require.Equal(t, dirs["2640"], back.Previous)
	require.Equal(t, []string{dirs["2630"], dirs["2640"]}, left())
	require.Equal(t, dirs["2630"], locateIn(t, data, "linux").Dir)

	_, err = Hold(dirs["2610"])
	require.Error(t, err)
}

func TestInstallSweepsWhatWasLeftBehind(t *testing.T) {
	data := t.TempDir()
	root := filepath.Join(data, "runtime")
	for _, name := range []string{".tmp-1/runtime", ".trash-2026.1.0-abc"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, name), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name, "lib.so"), nil, 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "current"), []byte("../../elsewhere"), 0o644))
	r := install(t, fromFile(data, makeWheel(t, "2026.4.1", "2641")))
	require.ElementsMatch(t, []string{".lock", "current", filepath.Base(r.Dir)}, entries(t, root))
	require.Empty(t, r.Previous)
}

func TestInstallStopsWithItsContext(t *testing.T) {
	data := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	o := fromFile(data, makeWheel(t, "2026.4.1", "2641"))
	o.Progress = func(p Progress) {
		if p.Phase == PhaseUnpack {
			cancel()
		}
	}
	_, err := Install(ctx, o)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []string{".lock"}, entries(t, filepath.Join(data, "runtime")))
}

func TestInstallationsWaitForEachOther(t *testing.T) {
	data := t.TempDir()
	wheel := makeWheel(t, "2026.4.1", "2641")
	inside, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	first := fromFile(data, wheel)
	first.Progress = func(p Progress) {
		if p.Phase == PhaseUnpack {
			once.Do(func() { close(inside); <-goOn })
		}
	}
	type outcome struct {
		Result
		error
	}
	firstDone, secondDone := make(chan outcome, 1), make(chan outcome, 1)
	go func() { r, err := Install(t.Context(), first); firstDone <- outcome{r, err} }()
	<-inside

	second := fromFile(data, wheel)
	waiting := make(chan struct{})
	second.Progress = func(p Progress) {
		if p.Phase == PhaseWait {
			close(waiting)
		}
	}
	go func() { r, err := Install(t.Context(), second); secondDone <- outcome{r, err} }()
	<-waiting
	stopped, cancel := context.WithCancel(t.Context())
	third := fromFile(data, wheel)
	third.Progress = func(Progress) { cancel() }
	_, err := Install(stopped, third)
	require.ErrorIs(t, err, context.Canceled)

	close(goOn)
	one, two := <-firstDone, <-secondDone
	require.NoError(t, one.error)
	require.NoError(t, two.error)
	require.False(t, one.Reused)
	require.True(t, two.Reused)
}
