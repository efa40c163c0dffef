package drop

import (
	"os"
	"path/filepath"
	"strings"
)

// spot is where a path really leads, whatever links, junctions and mounts it
// goes through: two paths with one spot are one folder or file. What does not
// exist yet is where it would be made.
type spot struct {
	disk string // only good for comparing, and only until the next start of the system
	path string // within the disk's file system, with slashes
	name string // the path without links, for people
}

// inside says whether s is top or below it.
func (s spot) inside(top spot) bool {
	below, above := sameCase(s.path), strings.TrimSuffix(sameCase(top.path), "/")
	return s.disk == top.disk && (below == above || strings.HasPrefix(below, above+"/"))
}

// join is the spot of rel, separated by slashes, if there are no links in it.
func (s spot) join(rel string) spot {
	s.path = strings.TrimSuffix(s.path, "/") + "/" + rel
	return s
}

// deepest splits a path into the part that exists, links followed, and the rest.
func deepest(path string, resolve func(string) (string, error)) (real, rest string) {
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		if real, err := resolve(at); err == nil {
			return real, rest
		}
		if at == filepath.Dir(at) {
			return at, rest
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// leadsInto says whether path is the folder top or lies in it, by whatever name
// it is reached. For what spots cannot tell (a name in another case on a disk
// that does not care, a share reached in two ways) every folder above is compared
// with top.
func leadsInto(path, top string, at locator) bool {
	if at.spot(path).inside(at.spot(top)) {
		return true
	}
	info, err := os.Stat(top)
	if err != nil {
		return false
	}
	real, _ := deepest(path, filepath.EvalSymlinks)
	for {
		if above, err := os.Stat(real); err == nil && os.SameFile(above, info) {
			return true
		}
		if real == filepath.Dir(real) {
			return false
		}
		real = filepath.Dir(real)
	}
}
