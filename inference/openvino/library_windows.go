package openvino

import "golang.org/x/sys/windows"

func openLibrary(path string) (uintptr, error) {
	// The altered search path makes the loader look for openvino.dll and
	// tbb12.dll beside the library instead of beside dragoman.
	handle, err := windows.LoadLibraryEx(path, 0, windows.LOAD_WITH_ALTERED_SEARCH_PATH)
	return uintptr(handle), err
}

// checkFolder has nothing to do: the loader of Windows refuses what was cut short.
func checkFolder(string) error { return nil }

func findSymbol(library uintptr, name string) (uintptr, error) {
	return windows.GetProcAddress(windows.Handle(library), name)
}
