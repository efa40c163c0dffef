//go:build !linux && !windows

package cores

func found() []core { return nil }
