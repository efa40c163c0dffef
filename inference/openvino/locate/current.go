package locate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// What the installer and this package agree on about dragoman's data folder.
const (
	RuntimeFolder = "runtime"       // in the data folder: one folder a runtime
	CurrentFile   = "current"       // in RuntimeFolder: one line, the name of the folder in use
	ManifestFile  = "manifest.json" // in a runtime's folder: version, source, files
)

// Current returns the folder of the runtime that is in use in dataDir. The
// choice is a small text file and no symbolic link, because replacing a file
// works the same on Windows and needs no privilege there. Without such a file
// the result is "" and no error.
func Current(dataDir string) (string, error) {
	path := filepath.Join(dataDir, RuntimeFolder, CurrentFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read which runtime is in use: %w", err)
	}
	name := strings.TrimSpace(string(text))
	// A name and nothing else: the file must not lead out of the folder.
	if name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) {
		return "", fmt.Errorf("%s does not name a runtime's folder: run `dragoman runtime install`", path)
	}
	return filepath.Join(dataDir, RuntimeFolder, name), nil
}
