//go:build !linux && !windows

package drop

import "path/filepath"

// mounts are not told by this system in a way that this program knows.
type mounts struct{}

func readMounts() mounts { return mounts{} }

func (l *locator) find(path string) spot {
	real, rest := deepest(path, filepath.EvalSymlinks)
	l.real[path] = real
	real = filepath.Join(real, rest)
	return spot{path: filepath.ToSlash(real), name: real}
}

func sameCase(path string) string { return path }
