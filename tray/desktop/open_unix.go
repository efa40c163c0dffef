//go:build unix

package desktop

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// openPatience is how long the opener is waited for: it ends at once where it
// fails, and on some desktops lives as long as the program that it started.
const openPatience = 5 * time.Second

// Open opens a file or folder with the program that the user has for it
// (xdg-open of the Desktop's xdg-utils).
func Open(ctx context.Context, path string) error {
	program, err := exec.LookPath("xdg-open")
	if err != nil {
		return fmt.Errorf("open %s: this desktop has no xdg-open: install xdg-utils, or open it by hand", path)
	}
	cmd := exec.Command(program, path)
	// The program outlives the tray.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("open %s: %w", path, explain(err))
		}
	case <-time.After(openPatience):
	case <-ctx.Done():
	}
	return nil
}

// explain says what the exit codes of xdg-open(1) mean.
func explain(err error) error {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return err
	}
	switch exit.ExitCode() {
	case 2:
		return errors.New("it does not exist")
	case 3, 4:
		return errors.New("no program is known that opens it: open it by hand")
	}
	return err
}
