package service

import (
	"context"
	"io"
)

// Logs writes the last lines of the log file to out and, with follow, those
// that come until ctx ends.
func Logs(ctx context.Context, o Options, out, _ io.Writer, follow bool, lines int) error {
	return tailLog(ctx, o, out, follow, lines)
}
