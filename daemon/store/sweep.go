package store

import (
	"context"
	"fmt"
)

// Where the disk is full a deletion has only the room of the log, while
// overwriting what is deleted (secure_delete) writes all of it to the log first.
// A large deletion then goes in two steps: one transaction that frees pages as
// they are, for which SQLite writes little, and a sweep that takes the free pages
// into use a few at a time, filled with zeros, and gives them back. The first step
// leaves a mark, so that the next start sweeps after a kill in between.
const unswept = "unswept"

// sweepTable holds the zeros.
const sweepTable = "sweep"

// sweepPages are taken into use at a time: they fit into the room of the log.
const sweepPages = logPages / 2

// unseen runs a write that deletes in a transaction of its own, without
// overwriting anything.
func unseen(ctx context.Context, c *conn, f func(*conn) error) error {
	return withoutOverwriting(c, func() error {
		return c.transaction(func() error {
			if err := putMeta(c, map[string]int64{unswept: 1}); err != nil {
				return err
			}
			return f(c)
		})
	})
}

func withoutOverwriting(c *conn, f func() error) error {
	if _, err := c.once("PRAGMA secure_delete=0"); err != nil {
		return err
	}
	err := f()
	if _, again := c.once("PRAGMA secure_delete=1"); err == nil {
		err = again
	}
	return err
}

// transaction runs f in a transaction on a connection that is in none.
func (c *conn) transaction(f func() error) error {
	if _, err := c.once("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := f()
	if err == nil {
		_, err = c.once("COMMIT")
	}
	if err != nil {
		c.once("ROLLBACK")
	}
	return err
}

// sweepLeft goes on where a kill ended a sweep.
func (s *Store) sweepLeft(ctx context.Context) {
	if err := s.sweep(ctx); err != nil && ctx.Err() == nil {
		s.log.Warn("what was erased is not overwritten yet, which is tried again at the next start", "error", err)
	}
}

// sweep overwrites the free pages if a deletion has left them as they were. Others
// may write in between.
func (s *Store) sweep(ctx context.Context) error {
	var left int64
	if err := s.meta(ctx, unswept, &left); err != nil || left == 0 {
		return err
	}
	for done := false; !done; {
		err := s.writer.outside(ctx, func(c *conn) (err error) {
			if done, err = sweepSome(c); err != nil {
				return err
			}
			return cutLog(ctx, c)
		})
		if err != nil {
			return s.fail("overwrite what was erased", err)
		}
	}
	return s.giveBack(ctx)
}

// sweepSome fills some free pages, or drops what filled them when none is left.
func sweepSome(c *conn) (done bool, err error) {
	var free, page int
	if err := c.row("SELECT (SELECT freelist_count FROM pragma_freelist_count), (SELECT page_size FROM pragma_page_size)", nil, &free, &page); err != nil {
		return false, err
	}
	if free == 0 {
		return true, withoutOverwriting(c, func() error {
			return c.transaction(func() error {
				_, err := c.once(fmt.Sprintf("DROP TABLE IF EXISTS %s; DELETE FROM meta WHERE name = '%s'", sweepTable, unswept))
				return err
			})
		})
	}
	// Overflow pages hold all of their size but four bytes of a blob
	// (https://sqlite.org/fileformat2.html, section 1.6).
	return false, c.transaction(func() error {
		_, err := c.once(fmt.Sprintf("CREATE TABLE IF NOT EXISTS %[1]s (zeros BLOB); INSERT INTO %[1]s VALUES (zeroblob(%d))",
			sweepTable, min(free, sweepPages)*(page-4)))
		return err
	})
}

// giveBack gives the free pages back to the disk, a few at a time: those that are
// in use at the end of the file are moved, through the log.
func (s *Store) giveBack(ctx context.Context) error {
	for free := 1; free > 0; {
		err := s.writer.outside(ctx, func(c *conn) error {
			var before int
			if err := c.row("PRAGMA freelist_count", nil, &before); err != nil {
				return err
			}
			if err := vacuum(ctx, c, sweepPages); err != nil {
				return err
			}
			if err := c.row("PRAGMA freelist_count", nil, &free); err != nil {
				return err
			}
			if free == before {
				free = 0 // there is nothing that can be moved
			}
			return cutLog(ctx, c)
		})
		if err != nil {
			return s.fail("give room back to the disk", err)
		}
	}
	return nil
}
