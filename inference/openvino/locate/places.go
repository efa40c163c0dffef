package locate

import (
	"path/filepath"
	"slices"
	"strings"
)

// besideExecutable returns the folders that a package of dragoman may keep the
// runtime in.
func (o Options) besideExecutable() []string {
	if o.Executable == "" {
		return nil
	}
	exe := o.Executable
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	dir := filepath.Dir(exe)
	return []string{dir, filepath.Join(dir, "openvino"), filepath.Join(dir, "..", "lib", "dragoman")}
}

// system returns the folders in which the loader or Intel's installer keep
// libraries. Relative entries of the search path are left out: they would make
// the folder that a user happens to stand in a source of code.
func (o Options) system() []string {
	variable, separator := "LD_LIBRARY_PATH", ":"
	if o.GOOS == "windows" {
		variable, separator = "PATH", ";"
	}
	var dirs []string
	for _, dir := range strings.Split(o.Getenv(variable), separator) {
		if filepath.IsAbs(dir) {
			dirs = append(dirs, dir)
		}
	}
	patterns := o.LibraryDirs
	if patterns == nil {
		patterns = o.defaultLibraryDirs()
	}
	for _, pattern := range patterns {
		matches, err := filepath.Glob(pattern)
		if err != nil {
			continue // a pattern that is none; ours are tested
		}
		slices.Reverse(matches) // of openvino_2026.4 and _2025.4 the later first
		dirs = append(dirs, matches...)
	}
	return dirs
}

func (o Options) defaultLibraryDirs() []string {
	if o.GOOS == "windows" {
		var dirs []string
		for _, variable := range []string{"ProgramFiles(x86)", "ProgramFiles"} {
			if root := o.Getenv(variable); root != "" {
				dirs = append(dirs, filepath.Join(root, "Intel", "openvino*", "runtime", "bin", "intel64", "Release"))
			}
		}
		return dirs
	}
	triplet, intel := "x86_64-linux-gnu", "intel64"
	if o.GOARCH == "arm64" {
		triplet, intel = "aarch64-linux-gnu", "aarch64"
	}
	return []string{
		"/usr/lib/" + triplet, "/usr/local/lib", "/usr/lib64", "/usr/lib",
		"/opt/intel/openvino*/runtime/lib/" + intel,
	}
}

// python returns the folders of the openvino package in the active Python
// environment, if one is active.
func (o Options) python() []string {
	var dirs []string
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		root := o.Getenv(variable)
		if root == "" {
			continue
		}
		if o.GOOS == "windows" {
			dirs = append(dirs, filepath.Join(root, "Lib", "site-packages", "openvino", "libs"))
			continue
		}
		matches, err := filepath.Glob(filepath.Join(root, "lib", "python*", "site-packages", "openvino", "libs"))
		if err != nil || len(matches) == 0 {
			matches = []string{filepath.Join(root, "lib", "python*", "site-packages", "openvino", "libs")}
		}
		dirs = append(dirs, matches...)
	}
	return dirs
}
