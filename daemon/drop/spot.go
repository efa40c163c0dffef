package drop

import (
	"io/fs"
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

// locator finds spots, for one look at things as they are: what it was asked for
// once it knows, so it must not be kept for a later look.
type locator struct {
	mounts mounts
	spots  map[string]spot
	real   map[string]string // the part of a path that exists, without links
	infos  map[string]fs.FileInfo
}

func newLocator() *locator {
	return &locator{mounts: readMounts(), spots: map[string]spot{}, real: map[string]string{}, infos: map[string]fs.FileInfo{}}
}

func (l *locator) spot(path string) spot {
	s, known := l.spots[path]
	if !known {
		s = l.find(path)
		l.spots[path] = s
	}
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

// existing is the part of a path that exists, without links.
func (l *locator) existing(path string) string {
	real, known := l.real[path]
	if !known {
		real, _ = deepest(path, filepath.EvalSymlinks)
		l.real[path] = real
	}
	return real
}

// info is nil where nothing is, or nothing may be seen.
func (l *locator) info(path string) fs.FileInfo {
	info, known := l.infos[path]
	if !known {
		if found, err := os.Stat(path); err == nil {
			info = found
		}
		l.infos[path] = info
	}
	return info
}

// leadsInto says whether path is the folder top or lies in it, by whatever name
// it is reached. For what spots cannot tell (a name in another case on a disk
// that does not care, a share reached in two ways) every folder above is compared
// with top.
func (l *locator) leadsInto(path, top string) bool {
	if l.spot(path).inside(l.spot(top)) {
		return true
	}
	info := l.info(top)
	if info == nil {
		return false
	}
	for at := l.existing(path); ; at = filepath.Dir(at) {
		if above := l.info(at); above != nil && os.SameFile(above, info) {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}
