package ovruntime

import (
	"path"
	"regexp"
	"strings"
)

// What an archive's entry is to us.
type kind int

const (
	kindNone    kind = iota
	kindLibrary      // unpacked, then kept if it is a root or a root needs it
	kindData         // unpacked and kept
	kindLicense
	kindVersion // the archive's version.txt: read, not unpacked
)

// roots are the libraries that dragoman uses or that OpenVINO and TBB open by
// name at run time, so that no list of dependencies mentions them: the C library
// and its core, the reader of our graphs, the device plugins and the NPU's
// compiler, TBB's allocator and its binding to cores. The other frontends and
// the AUTO and HETERO plugins are left out: dragoman writes its graphs itself
// and chooses devices itself. The rest is found through what the roots need.
var roots = map[string]*regexp.Regexp{
	"linux": regexp.MustCompile(`^lib(openvino(_c|_ir_frontend|_(intel_[cgn]pu|arm_cpu)_plugin|_intel_npu_(compiler|compiler_loader|vm_runtime))?` +
		`|tbb|tbbmalloc|tbbbind[0-9_]*)\.so[0-9.]*$`),
	"windows": regexp.MustCompile(`^(openvino(_c|_ir_frontend|_(intel_[cgn]pu|arm_cpu)_plugin|_intel_npu_(compiler|compiler_loader|vm_runtime))?` +
		`|tbb[0-9]*|tbbmalloc|tbbbind[0-9_]*)\.dll$`),
}

// libraries are the names of all shared libraries of a system. The debug builds
// in Intel's archive for Windows end in "d" or "_debug" and are in a folder of
// their own, but for TBB's.
var libraries = map[string]*regexp.Regexp{
	"linux":   regexp.MustCompile(`^lib[^/]+\.so[0-9.]*$`),
	"windows": regexp.MustCompile(`^[^/]+\.dll$`),
}

// essential are the libraries without which nothing can be translated; "*"
// stands for a version's digits.
var essential = map[string][]*regexp.Regexp{
	"linux": {
		regexp.MustCompile(`^libopenvino_c\.so[0-9.]*$`), regexp.MustCompile(`^libopenvino\.so[0-9.]*$`),
		regexp.MustCompile(`^libopenvino_ir_frontend\.so[0-9.]*$`), regexp.MustCompile(`^libopenvino_(intel|arm)_cpu_plugin\.so$`),
	},
	"windows": {
		regexp.MustCompile(`^openvino_c\.dll$`), regexp.MustCompile(`^openvino\.dll$`),
		regexp.MustCompile(`^openvino_ir_frontend\.dll$`), regexp.MustCompile(`^openvino_(intel|arm)_cpu_plugin\.dll$`),
	},
}

// libraryFolders are where libraries lie in a wheel and, below its one top
// folder, in Intel's archive.
var libraryFolders = map[string]bool{
	"openvino/libs":               true,
	"runtime/lib/intel64":         true,
	"runtime/lib/aarch64":         true,
	"runtime/bin/intel64/Release": true,
	"runtime/3rdparty/tbb/lib":    true,
	"runtime/3rdparty/tbb/bin":    true,
}

var distInfo = regexp.MustCompile(`^openvino-[^/]+\.dist-info/(.+)$`)

// classify tells what the entry called name is and what it is called in a
// runtime's folder. All libraries go into one folder, whatever the layout: on
// Windows the loader then finds TBB beside them.
func classify(goos, name string) (kind, string) {
	if m := distInfo.FindStringSubmatch(name); m != nil {
		if strings.Contains(strings.ToLower(m[1]), "licens") {
			return kindLicense, "licenses/" + strings.TrimPrefix(m[1], "licenses/")
		}
		return kindNone, ""
	}
	below := name
	if first, rest, found := strings.Cut(name, "/"); found && first != "openvino" && first != "runtime" && first != "docs" {
		below = rest
	}
	if below == "runtime/version.txt" {
		return kindVersion, ""
	}
	if rest, found := strings.CutPrefix(below, "docs/licensing/"); found {
		return kindLicense, "licenses/" + rest
	}
	if strings.HasPrefix(below, "runtime/3rdparty/tbb/") && strings.HasPrefix(path.Base(below), "LICENSE") {
		return kindLicense, "licenses/tbb-" + path.Base(below)
	}
	folder, base := path.Split(below)
	if !libraryFolders[strings.TrimSuffix(folder, "/")] {
		return kindNone, ""
	}
	switch {
	case libraries[goos].MatchString(base):
		return kindLibrary, base
	case base == "cache.json": // the GPU plugin's tuning table
		return kindData, base
	}
	return kindNone, ""
}
