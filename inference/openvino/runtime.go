package openvino

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// oldest is the first release whose element type codes this package knows:
// 2025.1 took the code 0 away from "undefined" and moved all the others.
var oldest = [2]int{2025, 1}

// Runtime is a loaded OpenVINO library. It is safe for concurrent use.
type Runtime struct {
	// Path is the file that was loaded.
	Path string
	// Build is the library's full build number, as in
	// "2026.4.1-22982-e213a147257-releases/2026/4".
	Build string

	sym  symbols
	live atomic.Int64 // native objects that are not closed yet
}

var loaded struct {
	sync.Mutex
	runtime *Runtime
}

// Load opens the C library at path, checks that this package can talk to it
// and returns it. A process has one runtime: a second call with the same path
// returns the first result, another path is an error, because two runtimes in
// one address space share symbols.
//
// The libraries in preload are opened first: those that the system's loader
// would not find by itself.
func Load(path string, preload ...string) (*Runtime, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("openvino: locate %s: %w", path, err)
	}
	loaded.Lock()
	defer loaded.Unlock()
	if r := loaded.runtime; r != nil {
		if r.Path != absolute {
			return nil, fmt.Errorf("openvino: cannot load %s: this process already uses %s", absolute, r.Path)
		}
		return r, nil
	}
	r, err := load(absolute, preload)
	if err != nil {
		return nil, err
	}
	loaded.runtime = r
	return r, nil
}

func load(path string, preload []string) (*Runtime, error) {
	if err := checkFolder(path); err != nil {
		return nil, fmt.Errorf("openvino: %w: run `dragoman runtime install`", err)
	}
	for _, needed := range preload {
		if _, err := openLibrary(needed); err != nil {
			return nil, fmt.Errorf("openvino: load %s: %w: run `dragoman runtime install`", needed, err)
		}
	}
	handle, err := openLibrary(path)
	if err != nil {
		return nil, fmt.Errorf("openvino: load %s: %w (a library that it needs may be missing beside it: run `dragoman runtime install`)", path, err)
	}
	r := &Runtime{Path: path}
	if err := r.sym.resolve(handle); err != nil {
		return nil, fmt.Errorf("openvino: %s is not a usable OpenVINO C library: %w: run `dragoman runtime install`", path, err)
	}
	if r.Build, err = r.buildNumber(); err != nil {
		return nil, err
	}
	if err := checkVersion(r.Build); err != nil {
		return nil, fmt.Errorf("openvino: %s: %w", path, err)
	}
	if err := r.checkElementTypes(); err != nil {
		return nil, fmt.Errorf("openvino: %s: %w", path, err)
	}
	return r, nil
}

// Live tells how many native objects are open. Tests use it to find leaks.
func (r *Runtime) Live() int64 { return r.live.Load() }

// Version is the short form of Build, as in "2026.4.1".
func (r *Runtime) Version() string {
	version, _, _ := strings.Cut(r.Build, "-")
	return version
}

func (r *Runtime) buildNumber() (string, error) {
	var version struct{ build, description *byte } // ov_version_t
	if err := r.call("ov_get_openvino_version", r.sym.getVersion, uintptr(unsafe.Pointer(&version))); err != nil {
		return "", err
	}
	build := goString(version.build)
	r.free(r.sym.versionFree, uintptr(unsafe.Pointer(&version)))
	return build, nil
}

// checkVersion refuses releases older than 2025.1. Build numbers start with
// year.release.patch.
func checkVersion(build string) error {
	parts := strings.SplitN(build, ".", 3)
	if len(parts) < 2 {
		return fmt.Errorf("cannot read the version %q: dragoman needs OpenVINO %d.%d or newer: run `dragoman runtime install`", build, oldest[0], oldest[1])
	}
	year, errYear := strconv.Atoi(parts[0])
	release, errRelease := strconv.Atoi(parts[1])
	if errYear != nil || errRelease != nil || year < oldest[0] || year == oldest[0] && release < oldest[1] {
		return fmt.Errorf("OpenVINO %s is too old: dragoman needs %d.%d or newer: run `dragoman runtime install`", build, oldest[0], oldest[1])
	}
	return nil
}

// checkElementTypes proves that the codes of this package mean the same to the
// library, by the size that it gives a tensor of one element.
func (r *Runtime) checkElementTypes() error {
	for _, c := range []struct {
		code ElementType
		want int
	}{{I64, 8}, {F32, 4}, {I8, 1}} {
		t, err := r.NewTensor(c.code, 1)
		if err != nil {
			return err
		}
		size, err := t.byteSize()
		t.Close()
		if err != nil {
			return err
		}
		if size != c.want {
			return fmt.Errorf("element type %v has %d bytes, not %d: this release of OpenVINO numbers its types in another way", c.code, size, c.want)
		}
	}
	return nil
}
