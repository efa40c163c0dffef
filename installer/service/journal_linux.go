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
// until ctx ends. They come from the journal, or from the log file of a user's
// daemon that runs in the foreground, because there is no manager or because no
// service is installed.
func Logs(ctx context.Context, o Options, out, problems io.Writer, follow bool, lines int) error {
	m, err := New(o)
	switch {
	case errors.Is(err, ErrNoManager) && o.Scope == User:
		return tailLog(ctx, o, out, follow, lines)
	case err != nil:
		return err
	}
	if o.Scope == User && logged(o.LogFile) {
		if status, err := m.Status(ctx); err == nil && status.State == NotInstalled {
			return tailLog(ctx, o, out, follow, lines)
		}
	}
	return m.journal(ctx, out, problems, follow, lines)
}

// logged says whether there is something in a log file.
func logged(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() > 0
}

func (m *Manager) journal(ctx context.Context, out, problems io.Writer, follow bool, lines int) error {
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
