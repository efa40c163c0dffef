package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"strings"
)

// What was written where is kept apart from the rows and for good, as checksums
// of places and contents only: an output that was forgotten with its input, or
// that belongs to a folder that was added again by another path, is known as such
// as long as it is what was written.

// placeKey stands for a place, see File.Place.
func placeKey(place string) []byte {
	sum := sha256.Sum256([]byte(fold(place)))
	return sum[:16] // enough that no two are the same by chance
}

// keepWritten keeps what was or is about to be written to f.Place. With only, what
// was there earlier is forgotten.
func keepWritten(c *conn, f *File, only bool) error {
	if f.Place == "" {
		return nil
	}
	key := placeKey(f.Place)
	var keep [][]byte
	for sum := range strings.FieldsSeq(f.Written) {
		content, err := hex.DecodeString(sum)
		if err != nil {
			return err
		}
		keep = append(keep, content)
		if _, err := c.exec("INSERT OR IGNORE INTO written (place, content) VALUES (?, ?)", key, content); err != nil {
			return err
		}
	}
	if !only || len(keep) != 1 {
		return nil
	}
	_, err := c.exec("DELETE FROM written WHERE place = ? AND content <> ?", key, keep[0])
	return err
}

// IsOutput says what is known about a file, by its absolute path and by its
// place (see File.Place): whether some row of any folder claims that path, also
// of one that was deleted with its ledger kept, and whether anything was ever
// written to that place, see WrittenTo. Names that differ only in case or normal
// form are the same.
func (s *Store) IsOutput(ctx context.Context, file, place string) (claimed, written bool, err error) {
	st, err := s.query(ctx, "SELECT EXISTS (SELECT 1 FROM outputs WHERE folded = ?), EXISTS (SELECT 1 FROM written WHERE place = ?)")
	if err == nil {
		err = st.QueryRowContext(ctx, []byte(fold(file)), placeKey(place)).Scan(&claimed, &written)
	}
	return claimed, written, s.fail("look for an output", err)
}

// WrittenTo returns the checksums of what was written to a place: of the last
// output, and before that was recorded as done also of those before.
func (s *Store) WrittenTo(ctx context.Context, place string) (sums []string, err error) {
	err = s.each(ctx, func(rows *sql.Rows) error {
		var content []byte
		err := rows.Scan(&content)
		sums = append(sums, hex.EncodeToString(content))
		return err
	}, "SELECT content FROM written WHERE place = ?", placeKey(place))
	return sums, s.fail("look for what was written", err)
}

// Claimant returns the row that claims an output, by its absolute path, now or
// earlier; ErrNotFound if none does.
func (s *Store) Claimant(ctx context.Context, file string) (File, error) {
	return s.file(ctx, "SELECT "+fileColumns+" FROM files WHERE id = (SELECT file FROM outputs WHERE folded = ?)", []byte(fold(file)))
}

// Inherited says whether a folder had outputs that this ledger does not know of
// when it was begun, as SetInherited was told; known is false before that.
func (s *Store) Inherited(ctx context.Context, folder int64) (inherited, known bool, err error) {
	var is sql.Null[bool]
	st, err := s.query(ctx, "SELECT inherited FROM folders WHERE id = ?")
	if err == nil {
		err = st.QueryRowContext(ctx, folder).Scan(&is)
	}
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	return is.V, is.Valid, s.fail("look for the folder", err)
}

// SetInherited keeps what Inherited returns. ErrNotFound if there is no such folder.
func (s *Store) SetInherited(ctx context.Context, folder int64, inherited bool) error {
	err := s.writer.durable(ctx, func(c *conn) error {
		return changed(c.exec("UPDATE folders SET inherited = ? WHERE id = ?", inherited, folder))
	})
	return s.fail("keep what is known of the folder", err)
}
