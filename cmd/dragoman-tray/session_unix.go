//go:build unix

package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// session names the desktop session: a person may be logged in at two displays.
func session() string {
	// The screen's number does not matter: an X server has one clipboard.
	x, _, _ := strings.Cut(os.Getenv("DISPLAY"), ".")
	display := cmp.Or(os.Getenv("WAYLAND_DISPLAY"), x, "none")
	return strings.Map(func(r rune) rune {
		if r == '/' || r == ':' {
			return '-'
		}
		return r
	}, display)
}

// restart puts a new process in the place of this one.
func restart() error {
	program, err := os.Executable()
	if err == nil {
		err = syscall.Exec(program, os.Args, os.Environ())
	}
	return fmt.Errorf("start again: %w", err)
}
