package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"
)

// HistoryEntry is a translated text that is kept.
type HistoryEntry struct {
	ID     int64
	Time   time.Time
	Origin string
	From   string
	To     string
	Source string
	Target string
}

// historyBounds are set by BoundHistory; 0 is no bound.
type historyBounds struct {
	mu             sync.Mutex
	entries, bytes int64
}

// AddHistory keeps a text and returns its id. Time is now if it is zero.
func (s *Store) AddHistory(ctx context.Context, e HistoryEntry) (id int64, err error) {
	if e.Time.IsZero() {
		e.Time = s.now()
	}
	bytes := int64(len(e.Source) + len(e.Target))
	err = s.writer.durable(ctx, func(c *conn) error {
		result, err := c.exec("INSERT INTO history (time, origin, from_lang, to_lang, source, target, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)",
			e.Time.UnixNano(), e.Origin, e.From, e.To, e.Source, e.Target, bytes)
		if err != nil {
			return err
		}
		if id, err = result.LastInsertId(); err != nil {
			return err
		}
		if _, err := c.exec("INSERT INTO history_index (rowid, source, target) VALUES (?, ?, ?)", id, e.Source, e.Target); err != nil {
			return err
		}
		if err := addTotals(c, 1, bytes); err != nil {
			return err
		}
		return s.pruneHistory(c)
	})
	return id, s.fail("keep a text", err)
}

// DeleteHistory deletes one text for good; ErrNotFound if there is none.
func (s *Store) DeleteHistory(ctx context.Context, id int64) error {
	var at int64 // ids may be others' in other files
	erase := func(c *conn) error {
		_, err := dropHistory(c, "id = ? AND time = ?", id, at)
		return err
	}
	err := s.freeing(ctx, durable, func(c *conn) error {
		err := c.row("SELECT time FROM history WHERE id = ?", []any{id}, &at)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNotFound
		} else if err != nil {
			return err
		}
		return erase(c)
	})
	if err != nil {
		return s.fail("delete a text", err)
	}
	return s.scrub(ctx, erase)
}

// EraseHistory deletes the texts from before a time for good, or all if it is
// zero, and returns their number. When it returns, no file of the store holds
// anything of them.
func (s *Store) EraseHistory(ctx context.Context, before time.Time) (erased int64, err error) {
	erase := eraseAll
	if !before.IsZero() {
		erase = func(c *conn) error {
			_, err := dropHistory(c, "time < ?", before.UnixNano())
			return err
		}
	}
	err = s.freeing(ctx, durable, func(c *conn) error {
		entries, _, err := totals(c)
		if err != nil {
			return err
		}
		if err := erase(c); err != nil {
			return err
		}
		left, _, err := totals(c)
		erased = entries - left
		return err
	})
	if err != nil {
		return 0, s.fail("erase the history", err)
	}
	return erased, s.scrub(ctx, erase)
}

// eraseAll forgets all texts.
func eraseAll(c *conn) error {
	for _, statement := range []string{
		"DELETE FROM history", "INSERT INTO history_index (history_index) VALUES ('delete-all')",
		"DELETE FROM meta WHERE name IN ('history_entries', 'history_bytes')",
	} {
		if _, err := c.exec(statement); err != nil {
			return err
		}
	}
	return nil
}

// BoundHistory keeps the history within so many entries and so many bytes of
// text from now on, by deleting the oldest; 0 sets no bound.
func (s *Store) BoundHistory(ctx context.Context, entries, bytes int64) error {
	s.history.mu.Lock()
	s.history.entries, s.history.bytes = entries, bytes
	s.history.mu.Unlock()
	return s.fail("bound the history", s.freeing(ctx, durable, s.pruneHistory))
}

func (s *Store) pruneHistory(c *conn) error {
	s.history.mu.Lock()
	maxEntries, maxBytes := s.history.entries, s.history.bytes
	s.history.mu.Unlock()
	entries, bytes, err := totals(c)
	if err != nil {
		return err
	}
	over := func() bool { return maxEntries > 0 && entries > maxEntries || maxBytes > 0 && bytes > maxBytes }
	if !over() {
		return nil
	}
	rows, err := c.QueryContext(context.Background(), "SELECT id, bytes FROM history ORDER BY id")
	if err != nil {
		return err
	}
	defer rows.Close()
	var last int64
	for over() && rows.Next() {
		var n int64
		if err := rows.Scan(&last, &n); err != nil {
			return err
		}
		entries, bytes = entries-1, bytes-n
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	_, err = dropHistory(c, "id <= ?", last)
	return err
}

// rebuildFrom so many deleted texts on, the index is made anew, which is quicker
// than taking each text's letters out of it.
const rebuildFrom = 500

// dropHistory deletes the texts that fit a condition, from the index too.
func dropHistory(c *conn, condition string, args ...any) (n int64, err error) {
	var bytes int64
	if err := c.row("SELECT count(*), coalesce(sum(bytes), 0) FROM history WHERE "+condition, args, &n, &bytes); err != nil || n == 0 {
		return 0, err
	}
	if n < rebuildFrom {
		_, err := c.exec(`INSERT INTO history_index (history_index, rowid, source, target)
			SELECT 'delete', id, source, target FROM history WHERE `+condition, args...)
		if err != nil {
			return 0, err
		}
	}
	if _, err := c.exec("DELETE FROM history WHERE "+condition, args...); err != nil {
		return 0, err
	}
	if n >= rebuildFrom {
		if _, err := c.exec("INSERT INTO history_index (history_index) VALUES ('rebuild')"); err != nil {
			return 0, err
		}
	}
	return n, addTotals(c, -n, -bytes)
}

// totals are kept as numbers, since each AddHistory looks at them.
func totals(c *conn) (entries, bytes int64, err error) {
	err = c.row(`SELECT coalesce((SELECT value FROM meta WHERE name = 'history_entries'), 0),
		coalesce((SELECT value FROM meta WHERE name = 'history_bytes'), 0)`, nil, &entries, &bytes)
	return entries, bytes, err
}

func addTotals(c *conn, entries, bytes int64) error {
	oldEntries, oldBytes, err := totals(c)
	if err != nil {
		return err
	}
	return putMeta(c, map[string]int64{"history_entries": oldEntries + entries, "history_bytes": oldBytes + bytes})
}

func (e *HistoryEntry) scan(rows *sql.Rows) error {
	var ns int64
	err := rows.Scan(&e.ID, &ns, &e.Origin, &e.From, &e.To, &e.Source, &e.Target)
	e.Time = time.Unix(0, ns).UTC()
	return err
}
