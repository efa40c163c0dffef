package store

import (
	"context"
	"database/sql"
	"errors"
)

// meta reads a number that the store keeps about itself, 0 if there is none.
func (s *Store) meta(ctx context.Context, name string, into *int64) error {
	*into = 0
	err := s.readers.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = ?", name).Scan(into)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return s.fail("read "+name, err)
}

func putMeta(c *conn, values map[string]int64) error {
	for name, value := range values {
		if _, err := c.exec("INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value); err != nil {
			return err
		}
	}
	return nil
}
