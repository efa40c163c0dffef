package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"golang.org/x/sys/windows"
)

// activator is the COM class by which Windows tells clicks on toasts.
const activator = "{6B0C5B4E-6A3C-4C83-9E0E-5C3B0E0E7D1A}"

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
