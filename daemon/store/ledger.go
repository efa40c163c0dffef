package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Accept makes rows pending, all or none of them: after it returned, a kill or
// a power cut loses none. Call it before an output appears.
//
// A new row claims its Output, so that no other row gets it; *TakenError names
// those that cannot have theirs. A known row (same Folder, Path and Lang) keeps
// its id and the output it claimed, and takes everything else. Accept fills in
// ID, Output, State, Accepted (now, if zero) and clears Error, Tried and Finished.
func (s *Store) Accept(ctx context.Context, files []File) error {
	kept := make([]File, len(files))
	now := s.now().UTC()
	err := s.writer.durable(ctx, func(c *conn) error {
		copy(kept, files)
		var taken []int
		claims := claims{conn: c, free: map[string]bool{}}
		for i := range kept {
			if i%256 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			f := &kept[i]
			f.State, f.Error, f.Tried, f.Finished = Pending, "", "", time.Time{}
			if f.Accepted.IsZero() {
				f.Accepted = now
			}
			err := accept(claims, f)
			if err == nil {
				err = keepWritten(c, f, false)
			}
			switch {
			case errors.Is(err, ErrTaken):
				taken = append(taken, i)
			case err != nil:
				return err
			}
		}
		if taken != nil {
			return &TakenError{Files: taken}
		}
		return nil
	})
	if err == nil {
		copy(files, kept)
	}
	return s.fail("accept files", err)
}

func accept(claims claims, f *File) error {
	c := claims.conn
	var output []byte
	err := c.row("SELECT id, output FROM files WHERE folder = ? AND path = ? AND lang = ?",
		[]any{f.Folder, []byte(f.Path), f.Lang}, &f.ID, &output)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if err == nil {
		if len(output) > 0 {
			f.Output = string(output)
		} else if err := claims.claim(f.Output, f.ID); err != nil {
			return err
		}
		_, err = c.exec(`UPDATE files SET size = ?, mtime = ?, sha256 = ?, output = ?, recipe = ?, state = ?, error = '',
			attempts = ?, accepted = ?, finished = 0, written = ?, tried = '' WHERE id = ?`,
			f.Size, f.MTime, f.SHA256, []byte(f.Output), f.Recipe, Pending, f.Attempts, stamp(f.Accepted), f.Written, f.ID)
		return err
	}
	result, err := c.exec(`INSERT INTO files (folder, path, lang, size, mtime, sha256, output, recipe, state, error, attempts, accepted, finished, written)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, 0, ?)`,
		f.Folder, []byte(f.Path), f.Lang, f.Size, f.MTime, f.SHA256, []byte(f.Output), f.Recipe, Pending, f.Attempts, stamp(f.Accepted), f.Written)
	if err != nil {
		return err
	}
	if f.ID, err = result.LastInsertId(); err != nil {
		return err
	}
	return claims.claim(f.Output, f.ID)
}

// Claim gives a row another output, after the user changed where outputs go or
// how they are named. What it claimed before stays known as an output, since it
// may still be on the disk. ErrTaken, ErrNotFound.
func (s *Store) Claim(ctx context.Context, id int64, output string) error {
	err := s.writer.durable(ctx, func(c *conn) error {
		if err := changed(c.exec("UPDATE files SET output = ? WHERE id = ?", []byte(output), id)); err != nil {
			return err
		}
		return claims{conn: c, free: map[string]bool{}}.claim(output, id)
	})
	return s.fail("name an output", err)
}

// Finish records how the work on a row ended: its State (Done, Failed, Moved or
// Cancelled), Error, Tried, Attempts, Finished (now, if zero) and what was read
// (Size, MTime, SHA256, Recipe) and written (Written). The row is found by ID, or
// by Folder, Path and Lang if that is 0. Call it after the output is in place; when it returns, the row
// is on the disk. Calls at the same time share the wait for that.
//
// ErrNotFound if the row was forgotten meanwhile.
func (s *Store) Finish(ctx context.Context, f File) error {
	if f.Finished.IsZero() {
		f.Finished = s.now()
	}
	err := s.writer.durable(ctx, func(c *conn) error {
		id, folder := f.ID, f.Folder
		if id == 0 {
			err := c.row("SELECT id FROM files WHERE folder = ? AND path = ? AND lang = ?", []any{folder, []byte(f.Path), f.Lang}, &id)
			if errors.Is(err, sql.ErrNoRows) {
				return ErrNotFound
			} else if err != nil {
				return err
			}
		}
		err := c.row(`UPDATE files SET size = ?, mtime = ?, sha256 = ?, recipe = ?, state = ?, error = ?, attempts = ?, finished = ?, written = ?, tried = ?
			WHERE id = ? RETURNING folder`, []any{f.Size, f.MTime, f.SHA256, f.Recipe, f.State, f.Error, f.Attempts, stamp(f.Finished), f.Written, f.Tried, id}, &folder)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNotFound
		} else if err != nil {
			return err
		}
		if f.State != Done && f.State != Moved {
			return nil
		}
		if err := keepWritten(c, &f, true); err != nil {
			return err
		}
		_, err = c.exec("UPDATE folders SET last = ? WHERE id = ?", id, folder)
		return err
	})
	return s.fail("record a finished file", err)
}

// FilesAfter returns rows of a folder by path and language, after those given,
// for reading all of them page by page.
func (s *Store) FilesAfter(ctx context.Context, folder int64, path, lang string, limit int) ([]File, error) {
	var files []File
	err := s.each(ctx, func(rows *sql.Rows) error {
		var f File
		err := f.scan(rows)
		files = append(files, f)
		return err
	}, filesAfter, folder, []byte(path), lang, limit)
	return files, s.fail("list the files", err)
}

const filesAfter = "SELECT " + fileColumns + " FROM files WHERE folder = ? AND (path, lang) > (?, ?) ORDER BY path, lang LIMIT ?"

// RetryFailed has the failed files of a folder tried again at the next look,
// with whatever they were tried before.
func (s *Store) RetryFailed(ctx context.Context, folder int64) error {
	err := s.writer.durable(ctx, func(c *conn) error {
		_, err := c.exec("UPDATE files SET tried = '' WHERE folder = ? AND state = ? AND tried <> ''", folder, Failed)
		return err
	})
	return s.fail("have failed files tried again", err)
}

// Forget deletes the rows of an input in all languages, and what they claimed.
// Call it when input and outputs are gone: an output that is still there would
// be taken for an input, unless it is what was written, see WrittenTo.
func (s *Store) Forget(ctx context.Context, folder int64, path string) error {
	err := s.writer.durable(ctx, func(c *conn) error {
		_, err := c.exec("DELETE FROM files WHERE folder = ? AND path = ?", folder, []byte(path))
		return err
	})
	return s.fail("forget a file", err)
}
