package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// File is a row of the ledger: one input and one language.
type File struct {
	ID     int64
	Folder int64
	Path   string // of the input, below the folder, with slashes; any bytes
	Lang   string // translated into
	Size   int64  // of the input as it was last read or accepted
	MTime  int64  // of the input, nanoseconds since 1970
	SHA256 string // of the input; "" while it is not known
	Output string // absolute, any bytes; "" claims none
	// Place is where Output really lies, however it is reached: a path that does
	// not depend on links and mounts. It is not part of the row; where it is set,
	// Accept and Finish remember what is Written there for good, see WrittenTo.
	Place    string
	Recipe   string // whatever else shapes the output: model, settings
	Written  string // checksums of contents of the output that are ours, with spaces between
	State    FileState
	Error    string // of a failed one
	Tried    string // what a failed one was tried with, in the words of who did; "" is tried at the next look
	Attempts int
	Accepted time.Time
	Finished time.Time // zero while pending
}

// FileState is how far a file is. The numbers are in the database.
type FileState int

const (
	Pending FileState = 1 // to be translated, or begun
	Done    FileState = 2
	Failed  FileState = 3
	Moved   FileState = 4 // done, and the input was moved away
	// Cancelled is a file that a user does not want; it stays so until it has
	// another content.
	Cancelled FileState = 5
)

func (f FileState) String() string {
	switch f {
	case Pending:
		return "pending"
	case Done:
		return "done"
	case Failed:
		return "failed"
	case Moved:
		return "moved"
	case Cancelled:
		return "cancelled"
	}
	return "unknown"
}

const fileColumns = `id, folder, path, lang, size, mtime, sha256, output, recipe, state, error, attempts, accepted, finished, written, tried`

func (f *File) scan(row interface{ Scan(...any) error }) error {
	var path, output []byte
	var accepted, finished int64
	err := row.Scan(&f.ID, &f.Folder, &path, &f.Lang, &f.Size, &f.MTime, &f.SHA256, &output, &f.Recipe,
		&f.State, &f.Error, &f.Attempts, &accepted, &finished, &f.Written, &f.Tried)
	f.Path, f.Output = string(path), string(output)
	f.Accepted, f.Finished = when(accepted), when(finished)
	return err
}

// File returns the row of an input and a language; ErrNotFound if none.
func (s *Store) File(ctx context.Context, folder int64, path, lang string) (File, error) {
	return s.file(ctx, "SELECT "+fileColumns+" FROM files WHERE folder = ? AND path = ? AND lang = ?", folder, []byte(path), lang)
}

// FileByID returns a row; ErrNotFound if there is none.
func (s *Store) FileByID(ctx context.Context, id int64) (File, error) {
	return s.file(ctx, "SELECT "+fileColumns+" FROM files WHERE id = ?", id)
}

func (s *Store) file(ctx context.Context, query string, args ...any) (f File, err error) {
	st, err := s.query(ctx, query)
	if err == nil {
		err = f.scan(st.QueryRowContext(ctx, args...))
	}
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	return f, s.fail("look for the file", err)
}

// FileQuery filters Files; zero values do not.
type FileQuery struct {
	Folder int64
	Path   string
	State  FileState
	Before int64 // rows with a smaller id, for the next page
	Limit  int
	// ByTime orders by the time of acceptance instead of the id, the latest
	// first; a file that changed was accepted again. Before is then the id of the
	// last row of the page before, and BeforeTime its time.
	ByTime     bool
	BeforeTime time.Time
}

// Files returns rows with the newest id first. Those of deleted folders are
// left out unless Folder names one.
func (s *Store) Files(ctx context.Context, q FileQuery) ([]File, error) {
	query, args := "SELECT "+fileColumns+" FROM files WHERE true", []any{}
	add := func(set bool, condition string, arg any) {
		if set {
			query += condition
			args = append(args, arg)
		}
	}
	add(q.State != 0, " AND state = ?", q.State)
	add(q.Folder != 0, " AND folder = ?", q.Folder)
	add(q.Path != "", " AND path = ?", []byte(q.Path))
	switch {
	case !q.ByTime:
		add(q.Before != 0, " AND id < ?", q.Before)
	case !q.BeforeTime.IsZero():
		add(true, " AND (accepted, id) < (?, ?)", stamp(q.BeforeTime))
		args = append(args, q.Before)
	}
	if q.Folder == 0 {
		query += " AND folder IN (SELECT id FROM folders WHERE NOT removed)"
	}
	if q.ByTime {
		query += " ORDER BY accepted DESC, id DESC"
	} else {
		query += " ORDER BY id DESC"
	}
	add(q.Limit > 0, " LIMIT ?", q.Limit)
	var files []File
	err := s.each(ctx, func(rows *sql.Rows) error {
		var f File
		err := f.scan(rows)
		files = append(files, f)
		return err
	}, query, args...)
	return files, s.fail("list the files", err)
}

// Counts says how many files of a folder are in which state.
type Counts struct {
	Pending, Done, Failed, Moved, Cancelled int64

	LastPath     string    // what was done last, below the folder
	LastFinished time.Time // zero if nothing was
}

// Counts returns the counts of all folders that have rows, by folder. It does
// not depend on the number of files.
func (s *Store) Counts(ctx context.Context) (map[int64]Counts, error) {
	counts := map[int64]Counts{}
	err := s.each(ctx, func(rows *sql.Rows) error {
		var folder, files int64
		var state FileState
		var last sql.Null[[]byte]
		var finished sql.Null[int64]
		if err := rows.Scan(&folder, &state, &files, &last, &finished); err != nil {
			return err
		}
		c := counts[folder]
		switch state {
		case Pending:
			c.Pending = files
		case Done:
			c.Done = files
		case Failed:
			c.Failed = files
		case Moved:
			c.Moved = files
		case Cancelled:
			c.Cancelled = files
		}
		c.LastPath, c.LastFinished = string(last.V), when(finished.V)
		counts[folder] = c
		return nil
	}, `SELECT c.folder, c.state, c.files, f.path, f.finished FROM counts c
		JOIN folders d ON d.id = c.folder LEFT JOIN files f ON f.id = d.last WHERE NOT d.removed`)
	return counts, s.fail("count the files", err)
}

func when(ns int64) time.Time {
	if ns == 0 {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}

func stamp(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}
