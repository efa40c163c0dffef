package main

import (
	"fmt"
	"os"
	"os/exec"
)

// restart starts a new process, after which this one ends.
func restart() error {
	program, err := os.Executable()
	if err == nil {
		err = exec.Command(program, os.Args[1:]...).Start()
	}
	if err != nil {
		return fmt.Errorf("start again: %w", err)
	}
	return nil
}
