//go:build unix

package openvino

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/ebitengine/purego"
)

func openLibrary(path string) (uintptr, error) {
	if err := checkWhole(path); err != nil {
		return 0, err
	}
	// The text of a failure is kept by thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// Plugins are loaded by the library itself and look up its symbols.
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
}

func findSymbol(library uintptr, name string) (uintptr, error) {
	return purego.Dlsym(library, name)
}

// checkFolder looks at the libraries beside one before any is loaded.
func checkFolder(path string) error {
	beside, err := filepath.Glob(filepath.Join(filepath.Dir(path), "libopenvino*.so*"))
	if err != nil {
		return err
	}
	for _, library := range beside {
		if err := checkWhole(library); err != nil {
			return err
		}
	}
	return nil
}

// checkWhole finds a library that was cut short, as a full disk or an
// interrupted installation leaves it: the loader maps it without a look at its
// length and the process dies of a bus error.
func checkWhole(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	file, err := elf.NewFile(f)
	if err != nil {
		return fmt.Errorf("%s is no library, or was cut short: %w", path, err)
	}
	for _, segment := range file.Progs {
		if end := segment.Off + segment.Filesz; segment.Type == elf.PT_LOAD && end > uint64(info.Size()) {
			return fmt.Errorf("%s was cut short: it has %d bytes of at least %d", path, info.Size(), end)
		}
	}
	return nil
}
