// Package catalogue lists the models that dragoman knows by name: where they are
// fetched from, what they need and how good they are known to be. It fetches
// nothing and must not import any other package of ours.
package catalogue

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
)

// Model is one entry.
type Model struct {
	Name       string `json:"name"`       // as `dragoman models use` takes it, and that of its folder
	Title      string `json:"title"`      // in a few words
	Repository string `json:"repository"` // owner/name on the hub, "" for the one that comes with dragoman
	// Revision is a commit, whose files never change, or a branch, of which a
	// fetched model's manifest says the commit.
	Revision   string  `json:"revision"`
	Licence    string  `json:"licence"`
	Languages  int     `json:"languages"`
	Parameters float64 `json:"parameters"` // millions
	// Download is the size of what is fetched and Memory that of the service with
	// the model in int8, in MB. Where Memory was not measured it is 1.3 times the
	// int8 weights, which is what dragoman promises.
	Download int64  `json:"download_mb"`
	Memory   int64  `json:"memory_mb"`
	Measured bool   `json:"memory_measured"`
	Quality  string `json:"quality"` // what is known, and from where
	// Files are those with a known checksum. Others have the hub's.
	Files []File `json:"files"`
}

// File is a file of a model whose content is known.
type File struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

//go:embed catalogue.json
var embedded []byte

// All are the models of the catalogue, the smallest first.
func All() []Model {
	d := json.NewDecoder(bytes.NewReader(embedded))
	d.DisallowUnknownFields()
	var all []Model
	if err := d.Decode(&all); err != nil {
		panic(fmt.Sprintf("catalogue.json: %v", err)) // a test reads it
	}
	return all
}

// Find returns the model called name.
func Find(name string) (Model, bool) {
	for _, m := range All() {
		if m.Name == name {
			return m, true
		}
	}
	return Model{}, false
}

// repository is an owner's model on a hub.
var repository = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*$`)

// OnHub returns a model that can be fetched: one of the catalogue by its name or its
// place on the hub, or any other by OWNER/NAME.
func OnHub(name string) (Model, bool) {
	for _, m := range All() {
		if m.Repository != "" && (m.Name == name || m.Repository == name) {
			return m, true
		}
	}
	if !repository.MatchString(name) {
		return Model{}, false
	}
	return Model{Name: path.Base(name), Repository: name, Revision: "main"}, true
}

// Sum returns the known checksum of one of the model's files, "" if there is
// none.
func (m Model) Sum(path string) string {
	for _, f := range m.Files {
		if f.Path == path {
			return f.SHA256
		}
	}
	return ""
}
