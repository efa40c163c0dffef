package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
)

// Logs writes the service's last lines to out and, with follow, those that come
// until ctx ends.
func (m *Manager) Logs(ctx context.Context, out, problems io.Writer, follow bool, lines int) error {
	args := []string{"--unit=" + unitName, "--lines=" + strconv.Itoa(lines), "--no-pager"}
	if m.o.Scope == User {
		args[0] = "--user-unit=" + unitName
		args = append([]string{"--user"}, args...)
	}
	if follow {
		args = append(args, "--follow")
	}
	cmd := exec.CommandContext(ctx, "journalctl", args...)
	cmd.Stdout, cmd.Stderr = out, problems
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("read the journal: %w: install systemd's journalctl", err)
	case err != nil:
		return fmt.Errorf("read the journal: journalctl: %w", err)
	}
	return nil
}
