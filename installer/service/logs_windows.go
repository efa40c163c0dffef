package service

import (
	"context"
	"errors"
	"io"
)

// Logs writes the last lines of the log file to out and, with follow, those
// that come until ctx ends.
func (m *Manager) Logs(ctx context.Context, out, _ io.Writer, follow bool, lines int) error {
	if m.o.LogFile == "" {
		return errors.New("the place of the log file is not known")
	}
	return tail(ctx, m.o.LogFile, out, follow, lines)
}
