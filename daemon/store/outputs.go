package store

import (
	"context"
	"database/sql"
	"errors"
	"path"
	"path/filepath"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// fold makes names equal that a case-insensitive or normalising file system
// takes for one. Bytes that are no UTF-8 stay as they are.
func fold(name string) string {
	return cases.Fold().String(norm.NFC.String(filepath.ToSlash(name)))
}

// claims gives output names to rows, within one transaction.
type claims struct {
	conn *conn
	free map[string]bool // folders, folded, with outputs in them
}

// claim gives output to a row, unless another row has that name, or one of them
// would have to be a folder for the other to be in: ErrTaken.
func (c claims) claim(output string, file int64) error {
	if output == "" {
		return nil
	}
	folded := fold(output)
	var owner int64
	err := c.conn.row("SELECT file FROM outputs WHERE folded = ?", []any{[]byte(folded)}, &owner)
	switch {
	case err == nil && owner == file:
		_, err := c.conn.exec("UPDATE outputs SET output = ? WHERE folded = ?", []byte(output), []byte(folded))
		return err
	case err == nil:
		return ErrTaken
	case !errors.Is(err, sql.ErrNoRows):
		return err
	}
	// Names in the folder "x" are those between "x/" and "x0".
	err = c.conn.row("SELECT 1 FROM outputs WHERE folded > ? AND folded < ? LIMIT 1", []any{[]byte(folded + "/"), []byte(folded + "0")}, &owner)
	if err == nil {
		return ErrTaken
	} else if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	var above []string
	for dir := path.Dir(folded); !c.free[dir] && dir != path.Dir(dir); dir = path.Dir(dir) {
		err := c.conn.row("SELECT 1 FROM outputs WHERE folded = ?", []any{[]byte(dir)}, &owner)
		if err == nil {
			return ErrTaken
		} else if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		above = append(above, dir)
	}
	if _, err := c.conn.exec("INSERT INTO outputs (folded, file, output) VALUES (?, ?, ?)", []byte(folded), file, []byte(output)); err != nil {
		return err
	}
	for _, dir := range above {
		c.free[dir] = true
	}
	return nil
}

// Claims returns the outputs that the rows of an input claim or claimed, in all
// languages.
func (s *Store) Claims(ctx context.Context, folder int64, path string) (outputs []string, err error) {
	err = s.each(ctx, func(rows *sql.Rows) error {
		var output []byte
		err := rows.Scan(&output)
		outputs = append(outputs, string(output))
		return err
	}, "SELECT o.output FROM files f JOIN outputs o ON o.file = f.id WHERE f.folder = ? AND f.path = ?", folder, []byte(path))
	return outputs, s.fail("list the outputs", err)
}

// Outputs calls yield with each output that rows of the folder claim or claimed,
// in no order, until yield returns false.
func (s *Store) Outputs(ctx context.Context, folder int64, yield func(output string) bool) error {
	err := s.each(ctx, func(rows *sql.Rows) error {
		var output sql.RawBytes
		if err := rows.Scan(&output); err != nil {
			return err
		}
		if !yield(string(output)) {
			return errEnough
		}
		return nil
	}, "SELECT o.output FROM files f JOIN outputs o ON o.file = f.id WHERE f.folder = ?", folder)
	if errors.Is(err, errEnough) {
		err = nil
	}
	return s.fail("list the outputs", err)
}

// errEnough ends a loop over rows early.
var errEnough = errors.New("enough")
