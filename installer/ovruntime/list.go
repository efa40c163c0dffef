package ovruntime

import (
	"path/filepath"

	"dragoman/inference/openvino/locate"
)

// Installed is one runtime in the data folder.
type Installed struct {
	Dir      string
	Manifest Manifest // zero with a Problem
	Current  bool     // it is the one in use
	Problem  error    // its manifest cannot be read; Verify finds more
}

// List returns the runtimes in dataDir, by name.
func List(dataDir string) []Installed {
	current, err := locate.Current(dataDir)
	if err != nil {
		current = "" // locate.All says what is wrong with the choice
	}
	var list []Installed
	for _, dir := range runtimes(filepath.Join(dataDir, locate.RuntimeFolder)) {
		m, err := ReadManifest(dir)
		list = append(list, Installed{Dir: dir, Manifest: m, Current: dir == current, Problem: err})
	}
	return list
}
