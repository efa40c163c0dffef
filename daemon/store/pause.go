package store

import (
	"context"
	"time"
)

// endless is kept of a pause until someone resumes.
const endless = -1

// KeepPause remembers across restarts that batch work waits, until a time or, if
// that is zero, until someone resumes; paused false that it does not.
func (s *Store) KeepPause(ctx context.Context, paused bool, until time.Time) error {
	var kept int64
	switch {
	case paused && until.IsZero():
		kept = endless
	case paused:
		kept = until.UnixNano()
	}
	return s.fail("keep the pause", s.writer.durable(ctx, func(c *conn) error {
		return putMeta(c, map[string]int64{"pause": kept})
	}))
}

// KeptPause returns what KeepPause was told last. The time may have passed.
func (s *Store) KeptPause(ctx context.Context) (paused bool, until time.Time, err error) {
	var kept int64
	if err := s.meta(ctx, "pause", &kept); err != nil {
		return false, time.Time{}, err
	}
	if kept == endless {
		return true, time.Time{}, nil
	}
	return kept != 0, when(kept), nil
}
