package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"golang.org/x/sys/windows"
)

// session names the desktop session: a person may be logged in twice.
func session() string {
	var id uint32
	if windows.ProcessIdToSessionId(windows.GetCurrentProcessId(), &id) != nil {
		return "none"
	}
	return strconv.FormatUint(uint64(id), 10)
}

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
