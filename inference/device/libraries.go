package device

import (
	"path"
	"strings"
)

// Libraries between the runtime and the kernel, by the start of their file's name.
const (
	loader         = "libze_loader.so"
	npuDriver      = "libze_intel_npu.so"
	npuDriverOld   = "libze_intel_vpu.so" // its name before release 1.16
	driverCompiler = "libnpu_driver_compiler.so"
	newCompiler    = "libopenvino_intel_npu_compiler_loader.so" // since release 1.35
	openCL         = "libOpenCL.so"
	gpuDriver      = "libigdrcl.so" // Intel's OpenCL driver, which the GPU plugin runs on
)

// libraryFolders are where the loader of Linux finds libraries, and where
// distributions put drivers.
var libraryFolders = []string{
	"usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu", "usr/lib64", "lib64", "usr/lib", "usr/local/lib", "usr/local/lib64",
	"usr/lib/x86_64-linux-gnu/intel-opencl", "usr/lib64/intel-opencl", "usr/lib/intel-opencl",
	"run/opengl-driver/lib",
}

// libraries are those that were found, by the start of their name: full paths.
type libraries struct {
	view
	found map[string][]string
}

func (l libraries) has(name string) bool { return l.found[name] != nil }

func findLibraries(v view) libraries {
	wanted := []string{loader, npuDriver, npuDriverOld, driverCompiler, newCompiler, openCL, gpuDriver}
	found := map[string][]string{}
	folders := libraryFolders
	for _, dir := range strings.Split(v.env("LD_LIBRARY_PATH"), ":") {
		if path.IsAbs(dir) {
			folders = append(folders[:len(folders):len(folders)], strings.TrimPrefix(path.Clean(dir), "/"))
		}
	}
	for _, dir := range folders {
		for _, name := range v.list(dir, startsWith(wanted...)) {
			for _, w := range wanted {
				if strings.HasPrefix(name, w) {
					found[w] = append(found[w], path.Join(dir, name))
				}
			}
		}
	}
	// The old name counts for the driver where it is the only one.
	if found[npuDriver] == nil && found[npuDriverOld] != nil {
		found[npuDriver] = found[npuDriverOld]
	}
	return libraries{v, found}
}

// version is the longest number that follows ".so." in the names of a library:
// packages install libze_intel_npu.so.1.32.1 and a link of the name
// libze_intel_npu.so.1. A library without a number is told apart by its time,
// "of 2026-03-01T10:00:00Z", which packages keep from when it was built.
func (l libraries) version(name string) string {
	if !l.has(name) {
		return ""
	}
	best := ""
	for _, file := range l.found[name] {
		if _, v, ok := strings.Cut(path.Base(file), ".so."); ok && len(v) > len(best) {
			best = v
		}
	}
	if best == "" {
		return "of " + l.modified(l.found[name][0])
	}
	return best
}
