package ovruntime

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"dragoman/inference/openvino/locate"
)

// Manifest describes an installed runtime; it is manifest.json in its folder.
type Manifest struct {
	Version string `json:"version"` // "2026.4.1"
	GOOS    string `json:"goos"`
	GOARCH  string `json:"goarch"`
	// Source is the file name of the wheel or archive, SourceSHA256 its checksum.
	Source       string `json:"source"`
	SourceSHA256 string `json:"source_sha256"`
	// Pinned tells that the source is a file whose checksum dragoman knows.
	Pinned bool   `json:"pinned"`
	Files  []File `json:"files"`
}

// File is one file of a runtime. Path is relative to the runtime's folder, with
// slashes.
type File struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

// Bytes is the size of all files together.
func (m Manifest) Bytes() int64 {
	var sum int64
	for _, file := range m.Files {
		sum += file.Size
	}
	return sum
}

// ReadManifest reads the manifest of the runtime in dir.
func ReadManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, locate.ManifestFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return Manifest{}, fmt.Errorf("read the runtime's manifest: %w", err)
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return Manifest{}, fmt.Errorf("read the runtime's manifest %s: %w", path, err)
	}
	if len(m.Files) == 0 {
		return Manifest{}, fmt.Errorf("read the runtime's manifest %s: it names no files", path)
	}
	return m, nil
}

// Verify reads every file of the runtime in dir and compares it with the
// manifest. A file that differs, is missing or was added is an error that names
// it.
func Verify(dir string) error {
	m, err := ReadManifest(dir)
	if err != nil {
		return err
	}
	known := map[string]bool{locate.ManifestFile: true, holdFile: true}
	for _, file := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(file.Path)) {
			return fmt.Errorf("the runtime's manifest in %s names %q, which is outside: run `dragoman runtime install`", dir, file.Path)
		}
		known[file.Path] = true
		path := filepath.Join(dir, filepath.FromSlash(file.Path))
		sum, size, err := sumFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is missing: run `dragoman runtime install`", path)
		}
		if err != nil {
			return fmt.Errorf("verify the runtime: %w", err)
		}
		if sum != file.SHA256 || size != file.Size {
			return fmt.Errorf("%s is not what was installed: run `dragoman runtime install`", path)
		}
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("verify the runtime: %w", err)
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil {
			return fmt.Errorf("verify the runtime: %w", err)
		}
		// An added library could be loaded in place of the right one.
		if !entry.IsDir() && !known[filepath.ToSlash(relative)] {
			return fmt.Errorf("%s was not installed by dragoman: remove it, or run `dragoman runtime install`", path)
		}
		return nil
	})
}

func (m Manifest) write(dir string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("write the runtime's manifest: %w", err)
	}
	return writeSynced(filepath.Join(dir, locate.ManifestFile), append(text, '\n'))
}

// sumFile returns the SHA-256 in hexadecimal and the size of a file.
func sumFile(path string) (string, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	if err != nil {
		return "", 0, err
	}
	return hexSum(sum), n, nil
}
