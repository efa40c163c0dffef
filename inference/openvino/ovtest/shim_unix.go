//go:build unix

package ovtest

import (
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/locate"
)

// Device is a device that is none: a runtime with a device "NPU" that is the
// processor in truth and has the faults that a test asks for. The folder shim
// holds its source, whose control.c describes the faults.
type Device struct {
	locate.Candidate
	control string
}

var shim struct {
	sync.Mutex
	device *Device
	dir    string
}

// ShimVariable names, for processes that a test starts, the folder of the
// device that they share with it.
const ShimVariable = "DRAGOMAN_TEST_SHIM"

// Shim returns the process's device, without faults until Play. A process has
// one runtime: tests with Shim and tests with Library need packages of their
// own. Call RemoveShim at the end of TestMain.
func Shim(t testing.TB) *Device {
	t.Helper()
	real := Library(t)
	compiler, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("needs gcc, to build the device that plays faults")
	}
	shim.Lock()
	defer shim.Unlock()
	if shim.device == nil {
		shim.device = newDevice(t, compiler, real)
	}
	if os.Getenv(ShimVariable) != shim.dir { // the device's owner decides about its faults
		shim.device.Play(t)
		t.Cleanup(func() { shim.device.Play(t) })
	}
	return shim.device
}

func newDevice(t testing.TB, compiler string, real locate.Candidate) *Device {
	name := filepath.Base(real.Library)
	if dir := os.Getenv(ShimVariable); dir != "" {
		shim.dir = dir
	} else {
		dir, err := os.MkdirTemp("", "dragoman-shim-")
		require.NoError(t, err)
		shim.dir = dir
		beside, err := filepath.Glob(filepath.Join(real.Dir, "lib*.so*"))
		require.NoError(t, err)
		for _, library := range beside {
			target := filepath.Join(dir, filepath.Base(library))
			if library == real.Library || filepath.Base(library) == name {
				target, library = filepath.Join(dir, name), build(t, compiler, real.Library)
			}
			require.NoError(t, os.Symlink(library, target))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "real"), []byte(real.Library), 0o600))
	}
	o := locate.Host("", "")
	o.Getenv = func(variable string) string {
		if variable == locate.EnvRuntime {
			return filepath.Join(shim.dir, name)
		}
		return ""
	}
	found, err := locate.Find(o)
	require.NoError(t, err)
	return &Device{Candidate: found, control: filepath.Join(shim.dir, "control")}
}

// build compiles the shim, once for each state of its source and each runtime.
func build(t testing.TB, compiler, real string) string {
	source := filepath.Join(Root(), "inference", "openvino", "ovtest", "shim")
	files, err := filepath.Glob(filepath.Join(source, "*"))
	require.NoError(t, err)
	sum := sha256.New()
	args := []string{"-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-fvisibility=hidden", "-I" + source}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		sum.Write(text)
		if strings.HasSuffix(file, ".c") {
			args = append(args, file)
		}
	}
	rest := passOn(t, real)
	sum.Write([]byte(rest))
	library := filepath.Join(Root(), "build", "shim", fmt.Sprintf("%x.so", sum.Sum(nil)[:12]))
	if _, err := os.Stat(library); err == nil {
		return library
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(library), 0o755))
	dir, err := os.MkdirTemp(filepath.Dir(library), "build-")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	generated, made := filepath.Join(dir, "rest.c"), filepath.Join(dir, "shim.so")
	require.NoError(t, os.WriteFile(generated, []byte(rest), 0o600))
	out, err := exec.Command(compiler, append(args, generated, "-o", made, "-ldl", "-lpthread", "-lm")...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, os.Rename(made, library))
	return library
}

// passOn is the source of a function for each of the real library's.
func passOn(t testing.TB, real string) string {
	file, err := elf.Open(real)
	require.NoError(t, err)
	defer file.Close()
	all, err := file.DynamicSymbols()
	require.NoError(t, err)
	var b strings.Builder
	b.WriteString("#include \"pass.h\"\n")
	for _, s := range all {
		if strings.HasPrefix(s.Name, "ov_") && s.Section != elf.SHN_UNDEF && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			fmt.Fprintf(&b, "PASS(%s)\n", s.Name)
		}
	}
	return b.String()
}

// Play makes the device do as the lines "key=value" say from its next call on;
// without any it is sound.
func (d *Device) Play(t testing.TB, lines ...string) {
	t.Helper()
	temp := d.control + ".new"
	require.NoError(t, os.WriteFile(temp, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	require.NoError(t, os.Rename(temp, d.control))
}

// Environment is what a process needs to use the same device.
func (d *Device) Environment() []string {
	return []string{ShimVariable + "=" + d.Dir, locate.EnvRuntime + "=" + d.Library}
}

// RemoveShim removes the device's folder, unless it is another process's.
func RemoveShim() {
	if shim.dir != "" && os.Getenv(ShimVariable) == "" {
		os.RemoveAll(shim.dir)
	}
}
