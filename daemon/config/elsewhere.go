package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
)

// Elsewhere tells the way out of an error that a place of dragoman's cannot be
// written, as in a home that is read-only, or locked, as on NFS whose server keeps
// no locks. It is "" for other errors, and where the error names it.
func (p Paths) Elsewhere(err error) string {
	if errors.Is(err, syscall.ENOLCK) && !strings.Contains(err.Error(), "DRAGOMAN_") {
		return "the file system, which may be a network's, takes no locks: set " +
			strings.Join([]string{EnvConfig + " (a file)", EnvData, EnvState, EnvCache}, ", ") + " to places on a disk of this machine"
	}
	var at *fs.PathError
	if !errors.As(err, &at) || !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		return ""
	}
	var names []string
	for _, place := range []struct{ name, dir string }{
		{EnvConfig, filepath.Dir(p.ConfigFile)}, {EnvData, p.DataDir}, {EnvState, p.StateDir}, {EnvCache, p.CacheDir},
	} {
		// A folder above it is what cannot be made where it is missing.
		if !isBelow(at.Path, place.dir) && !isBelow(place.dir, at.Path) {
			continue
		}
		if strings.Contains(err.Error(), place.name) {
			return ""
		}
		name := place.name
		if name == EnvConfig {
			name += " (a file)"
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	return "set " + strings.Join(names, " and ") + " to a place that can be written"
}

// isBelow says whether path is dir or below it.
func isBelow(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
