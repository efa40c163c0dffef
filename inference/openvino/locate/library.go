package locate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Parts says which of OpenVINO's parts lie beside a library. A plugin that is
// not there means that its device cannot be used, whatever the hardware.
type Parts struct {
	CPU, GPU, NPU bool
	// Frontend reads graphs. Without it and the CPU's plugin nothing works.
	Frontend bool
	// NPUCompiler is the compiler library that the NPU plugin prefers; the
	// wheel for Linux does not have it, and then only the driver's serves.
	NPUCompiler bool
}

// String lists the parts, as in "CPU, GPU, NPU (without compiler)".
func (p Parts) String() string {
	var names []string
	for _, part := range []struct {
		there bool
		name  string
	}{{p.CPU, "CPU"}, {p.GPU, "GPU"}, {p.NPU && p.NPUCompiler, "NPU"}, {p.NPU && !p.NPUCompiler, "NPU (without compiler)"}} {
		if part.there {
			names = append(names, part.name)
		}
	}
	if len(names) == 0 {
		return "no device plugins"
	}
	return strings.Join(names, ", ")
}

// layouts are where a folder may hold the libraries: itself, a wheel's parts,
// the parts of Intel's archive.
var layouts = []string{
	".", "libs", "openvino/libs",
	"runtime/lib/intel64", "runtime/lib/aarch64", "runtime/bin/intel64/Release",
	"lib/intel64", "lib/aarch64", "bin/intel64/Release",
}

// tbbFolders are where Intel's archive keeps the threading library, seen from
// the libraries' folder.
var tbbFolders = []string{".", "../../3rdparty/tbb/lib", "../../../3rdparty/tbb/bin"}

// errNoLibrary is for folders without OpenVINO: the common case, no message.
var errNoLibrary = errors.New("no OpenVINO C library")

// within returns the candidate in dir or in one of the layouts below it.
func (o Options) within(dir string, source Source) (Candidate, error) {
	for _, layout := range layouts {
		if library := o.newest(filepath.Join(dir, filepath.FromSlash(layout))); library != "" {
			return o.describe(library, source), nil
		}
	}
	return Candidate{}, errNoLibrary
}

// directly returns the candidate in dir itself.
func (o Options) directly(dir string, source Source) (Candidate, error) {
	if library := o.newest(dir); library != "" {
		return o.describe(library, source), nil
	}
	return Candidate{}, errNoLibrary
}

// newest returns the path of the C library of the highest release in dir, ""
// if there is none. Of several names of one release it takes the soname, which
// is the one that the other libraries ask for.
func (o Options) newest(dir string) string {
	if o.GOOS == "windows" {
		if path := filepath.Join(dir, "openvino_c.dll"); isFile(path) {
			return path
		}
		return ""
	}
	// ReadDir and no glob: the folder's own name may hold a bracket.
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	best, bestVersion := "", Version{}
	for _, entry := range entries {
		if !o.isLibraryName(entry.Name()) {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if !isFile(path) { // also a link to nowhere
			continue
		}
		v := o.versionOf(path)
		isSoname := sonamePattern.MatchString(entry.Name())
		if best == "" || bestVersion.Less(v) || (v == bestVersion && isSoname) {
			best, bestVersion = path, v
		}
	}
	return best
}

func (o Options) isLibraryName(name string) bool {
	if o.GOOS == "windows" {
		return strings.EqualFold(name, "openvino_c.dll")
	}
	return name == "libopenvino_c.so" || strings.HasPrefix(name, "libopenvino_c.so.")
}

// describe finds out about the library at path and what is around it.
func (o Options) describe(path string, source Source) Candidate {
	dir := filepath.Dir(path)
	c := Candidate{Library: path, Dir: dir, Source: source, Version: o.versionOf(path)}
	plugins := []string{dir}
	if !c.Version.IsZero() { // distributions keep the plugins apart
		plugins = append(plugins, filepath.Join(dir, "openvino-"+c.Version.String()))
	}
	for _, folder := range plugins {
		has := func(name string) bool { return isFile(filepath.Join(folder, o.fileName(name))) }
		c.Parts.CPU = c.Parts.CPU || has("openvino_intel_cpu_plugin") || has("openvino_arm_cpu_plugin")
		c.Parts.GPU = c.Parts.GPU || has("openvino_intel_gpu_plugin")
		c.Parts.NPU = c.Parts.NPU || has("openvino_intel_npu_plugin")
		c.Parts.NPUCompiler = c.Parts.NPUCompiler || has("openvino_intel_npu_compiler")
	}
	c.Parts.Frontend = o.hasFrontend(dir)
	c.Preload = o.preload(dir, filepath.Base(path))
	return c
}

// CheckComplete tells whether the parts are there that everything needs. What
// the runtime says without them is misleading.
func (c Candidate) CheckComplete() error {
	missing := ""
	switch {
	case !c.Parts.CPU:
		missing = "CPU plugin"
	case !c.Parts.Frontend:
		missing = "IR frontend"
	default:
		return nil
	}
	return fmt.Errorf("the OpenVINO runtime in %s is incomplete, its %s is missing: run `dragoman runtime install`", c.Dir, missing)
}

// hasFrontend looks for the library that reads graphs, which has the release
// in its name on Linux.
func (o Options) hasFrontend(dir string) bool {
	if o.GOOS == "windows" {
		return isFile(filepath.Join(dir, "openvino_ir_frontend.dll"))
	}
	found, err := filepath.Glob(filepath.Join(dir, "libopenvino_ir_frontend.so*"))
	return err == nil && len(found) > 0
}

func (o Options) fileName(name string) string {
	if o.GOOS == "windows" {
		return name + ".dll"
	}
	return "lib" + name + ".so"
}

// preload returns what has to be loaded before the C library, in this order,
// where the loader would not find it: Intel's archive for Linux has no run
// path, and on both systems it keeps TBB in another folder. Loading by full path
// first serves both, since loaders match a library that is loaded already by
// its name.
func (o Options) preload(dir, library string) []string {
	tbb, core := "libtbb.so.12", strings.Replace(library, "openvino_c", "openvino", 1)
	if o.GOOS == "windows" {
		tbb = "tbb12.dll"
	}
	var paths []string
	for _, folder := range tbbFolders {
		if path := filepath.Join(dir, filepath.FromSlash(folder), tbb); isFile(path) {
			paths = append(paths, path)
			break
		}
	}
	if path := filepath.Join(dir, core); isFile(path) {
		paths = append(paths, path)
	}
	return paths
}

// versionOf returns the release of the C library at path: from its name or the
// name that it is a link to, else from what lies around it.
func (o Options) versionOf(path string) Version {
	if v := versionOfName(filepath.Base(path)); !v.IsZero() {
		return v
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		if v := versionOfName(filepath.Base(real)); !v.IsZero() {
			return v
		}
	}
	dir := filepath.Dir(path)
	if v := versionOfManifest(filepath.Join(dir, ManifestFile)); !v.IsZero() {
		return v
	}
	// A wheel: site-packages/openvino/libs and site-packages/openvino-….dist-info.
	if entries, err := os.ReadDir(filepath.Join(dir, "..", "..")); err == nil {
		for _, entry := range entries {
			name := entry.Name()
			if strings.HasPrefix(name, "openvino-") && strings.HasSuffix(name, ".dist-info") {
				return ParseVersion(name)
			}
		}
	}
	// Intel's archive: runtime/version.txt, seen from bin/intel64/Release.
	for _, up := range []string{"../../..", "../.."} {
		if text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(up), "version.txt")); err == nil {
			return ParseVersion(string(text))
		}
	}
	return Version{}
}

func versionOfManifest(path string) Version {
	text, err := os.ReadFile(path)
	if err != nil {
		return Version{}
	}
	var manifest struct {
		Version string `json:"version"`
	}
	if json.Unmarshal(text, &manifest) != nil {
		return Version{}
	}
	return ParseVersion(manifest.Version)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// named returns the candidate that a setting names: a folder or the library.
func (o Options) named(path string, source Source) (Candidate, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Candidate{}, fmt.Errorf("find OpenVINO in %s: %w", path, err)
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Candidate{}, errors.New("there is no such file or folder")
	}
	if err != nil {
		return Candidate{}, err
	}
	if info.IsDir() {
		c, err := o.within(path, source)
		if err != nil {
			return Candidate{}, fmt.Errorf("there is no %s in this folder", o.pattern())
		}
		return c, nil
	}
	if !o.isLibraryName(filepath.Base(path)) {
		return Candidate{}, fmt.Errorf("this file is not OpenVINO's C library, which is called %s", o.pattern())
	}
	return o.describe(path, source), nil
}

func (o Options) pattern() string {
	if o.GOOS == "windows" {
		return "openvino_c.dll"
	}
	return "libopenvino_c.so*"
}
