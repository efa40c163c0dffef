package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"dragoman/inference/model/catalogue"
)

// ManifestName is the file in a model's folder that says what it should hold.
const ManifestName = "dragoman-model.json"

// Manifest says where a model is from and what its files are.
type Manifest struct {
	Repository string    `json:"repository,omitempty"` // on the hub, "" for an imported folder
	Revision   string    `json:"revision,omitempty"`
	Fetched    time.Time `json:"fetched"`
	Files      []File    `json:"files"`
}

// Bytes is the size of all files.
func (m Manifest) Bytes() (n int64) {
	for _, f := range m.Files {
		n += f.Size
	}
	return n
}

// write puts the manifest and the names of all files in dir on the disk.
func (m Manifest) write(dir string) error {
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, ManifestName))
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	return errors.Join(err, f.Sync(), f.Close(), syncFolder(dir))
}

// ReadManifest reads the manifest of the model in dir. The error of a model
// without one is os.ErrNotExist.
func ReadManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, ManifestName)
	text, err := os.ReadFile(path)
	if err != nil {
		return Manifest{}, err
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return Manifest{}, fmt.Errorf("read %s: %w", path, err)
	}
	for _, f := range m.Files {
		if err := f.check(); err != nil {
			return Manifest{}, fmt.Errorf("read %s: %w", path, err)
		}
	}
	return m, nil
}

// Verify compares a model's files with its manifest and names those that differ.
func Verify(ctx context.Context, dir string) (Manifest, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return Manifest{}, err
	}
	return m, Compare(ctx, dir, m.Files)
}

// Listed are the files of a model whose checksums the catalogue has.
func Listed(m catalogue.Model) []File {
	var files []File
	for _, f := range m.Files {
		files = append(files, File{Path: f.Path, Size: f.Size, Sum: sha256Sum(f.SHA256)})
	}
	return files
}

// Compare names the files in dir that are not as they should be.
func Compare(ctx context.Context, dir string, files []File) error {
	var problems []error
	for _, f := range files {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		switch same, err := sameFile(ctx, filepath.Join(dir, f.Path), f); {
		case err != nil:
			problems = append(problems, err)
		case !same:
			problems = append(problems, fmt.Errorf("%s is missing or has changed", f.Path))
		}
	}
	return errors.Join(problems...)
}

// Describe makes the manifest of files that are in dir already, with their
// SHA-256, and writes it there.
func Describe(dir string, names []string) (Manifest, error) {
	m := Manifest{Fetched: time.Now().UTC().Truncate(time.Second)}
	for _, name := range names {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return Manifest{}, err
		}
		h := sha256Sum("").hash(0)
		n, err := io.Copy(h, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return Manifest{}, fmt.Errorf("read %s: %w", f.Name(), err)
		}
		m.Files = append(m.Files, File{Path: name, Size: n, Sum: sha256Sum(fmt.Sprintf("%x", h.Sum(nil)))})
	}
	return m, m.write(dir)
}
