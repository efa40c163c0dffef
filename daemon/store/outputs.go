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

// IsOutput says whether a file, by its absolute path, is the output of some row
// of any folder, also of one that was deleted with its ledger kept. Names that
// differ only in case or normal form are the same.
func (s *Store) IsOutput(ctx context.Context, file string) (bool, error) {
	st, err := s.query(ctx, "SELECT 1 FROM outputs WHERE folded = ?")
	if err == nil {
		var one int
		err = st.QueryRowContext(ctx, []byte(fold(file))).Scan(&one)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, s.fail("look for an output", err)
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
