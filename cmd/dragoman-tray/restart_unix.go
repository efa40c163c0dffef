//go:build unix

package main

import (
	"fmt"
	"os"
	"syscall"
)

// restart puts a new process in the place of this one.
func restart() error {
	program, err := os.Executable()
	if err == nil {
		err = syscall.Exec(program, os.Args, os.Environ())
	}
	return fmt.Errorf("start again: %w", err)
}
