//go:build !linux && !windows

package drop

import "path/filepath"

// locator finds spots.
type locator struct{}

func newLocator() locator { return locator{} }

func (locator) spot(path string) spot {
	real, rest := deepest(path, filepath.EvalSymlinks)
	real = filepath.Join(real, rest)
	return spot{path: filepath.ToSlash(real), name: real}
}

func sameCase(path string) string { return path }
