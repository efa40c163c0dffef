package store

import (
	"context"
	"errors"
	"fmt"
)

// scrub removes what deleted rows left, and does the same in the files beside the
// database that hold texts too; erase is what was done here.
func (s *Store) scrub(ctx context.Context, erase func(*conn) error) error {
	if err := s.writer.outside(ctx, func(c *conn) error { return clean(ctx, c) }); err != nil {
		return s.fail("clear what was erased", err)
	}
	return errors.Join(s.removeDamaged(), s.removeCopy(), s.eraseFromOthers(ctx, erase))
}

// clean clears a file of what was deleted in it: secure_delete has overwritten it
// in the log, from where the zeroes go into the file; then the log, which still
// has the old pages, is cut to nothing. Freed pages go back to the disk only
// after that, since a page cut off would keep what it held.
func clean(ctx context.Context, c *conn) error {
	if err := cutLog(ctx, c); err != nil {
		return err
	}
	if err := vacuum(ctx, c, 0); err != nil {
		return err
	}
	return cutLog(ctx, c)
}

// vacuum gives so many free pages back to the disk, all if 0.
func vacuum(ctx context.Context, c *conn, pages int) error {
	rows, err := c.QueryContext(ctx, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", pages))
	if err != nil {
		return err
	}
	for rows.Next() { // each step frees a page
	}
	return errors.Join(rows.Err(), rows.Close())
}

// cutLog copies the log into the file and empties it. It waits for readers as
// long as for a lock; the check after an unclean end may take longer.
func cutLog(ctx context.Context, c *conn) error {
	for try := 0; ; try++ {
		var busy, pages, copied int
		err := c.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &copied)
		if err != nil || busy == 0 {
			return err
		}
		if try == 2 {
			return ErrBusy
		}
	}
}
