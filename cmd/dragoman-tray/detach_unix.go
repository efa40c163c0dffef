//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// detach lets a program outlive this one.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
