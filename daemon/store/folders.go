package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"
)

// Folder is a drop folder.
type Folder struct {
	ID       int64  // 0 for a new one
	Path     string // absolute, any bytes
	Settings json.RawMessage
}

// PutFolder keeps a new folder (ID 0) or new settings of a known one, and
// returns its id. A new folder at the path of one that was deleted with its
// ledger kept gets that id and ledger. ErrTaken if another folder has the path,
// ErrNotFound if there is no folder of that id.
func (s *Store) PutFolder(ctx context.Context, f Folder) (id int64, err error) {
	settings := append([]byte{}, f.Settings...)
	err = s.writer.durable(ctx, func(c *conn) error {
		if f.ID != 0 {
			id = f.ID
			return changed(c.exec("UPDATE folders SET path = ?, settings = ? WHERE id = ? AND NOT removed", []byte(f.Path), settings, f.ID))
		}
		return c.row(`INSERT INTO folders (path, settings) VALUES (?, ?) ON CONFLICT (path) DO
			UPDATE SET settings = excluded.settings, removed = 0 WHERE removed RETURNING id`, []any{[]byte(f.Path), settings}, &id)
	})
	if f.ID == 0 && errors.Is(err, sql.ErrNoRows) || code(err) == sqlite3.SQLITE_CONSTRAINT_UNIQUE {
		err = fmt.Errorf("another folder has this path: %w", ErrTaken)
	}
	return id, s.fail("keep the folder", err)
}

// DeleteFolder forgets a folder, and its ledger unless that is to be kept for
// the day the folder is added again; until then its outputs are still known as
// such. ErrNotFound if there is no such folder.
func (s *Store) DeleteFolder(ctx context.Context, id int64, keepLedger bool) error {
	statement := "DELETE FROM folders WHERE id = ? AND NOT removed"
	if keepLedger {
		statement = "UPDATE folders SET removed = 1 WHERE id = ? AND NOT removed"
	}
	err := s.writer.durable(ctx, func(c *conn) error { return changed(c.exec(statement, id)) })
	return s.fail("delete the folder", err)
}

// Folders returns all folders, oldest first.
func (s *Store) Folders(ctx context.Context) ([]Folder, error) {
	var folders []Folder
	err := s.each(ctx, func(rows *sql.Rows) error {
		var f Folder
		var path, settings []byte
		if err := rows.Scan(&f.ID, &path, &settings); err != nil {
			return err
		}
		f.Path, f.Settings = string(path), settings
		folders = append(folders, f)
		return nil
	}, "SELECT id, path, settings FROM folders WHERE NOT removed ORDER BY id")
	return folders, s.fail("list the folders", err)
}

// each calls yield for each row that a reader's query finds.
func (s *Store) each(ctx context.Context, yield func(*sql.Rows) error, query string, args ...any) error {
	st, err := s.query(ctx, query)
	if err != nil {
		return err
	}
	rows, err := st.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := yield(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// changed is ErrNotFound where a statement changed nothing.
func changed(result sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	return err
}
