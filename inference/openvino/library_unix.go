//go:build unix

package openvino

import "github.com/ebitengine/purego"

func openLibrary(path string) (uintptr, error) {
	// Plugins are loaded by the library itself and look up its symbols.
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
}

func findSymbol(library uintptr, name string) (uintptr, error) {
	return purego.Dlsym(library, name)
}
