package store

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"dragoman/internal/english"
)

// What callers branch on.
var (
	// ErrNewer: a later version of dragoman made the file.
	ErrNewer = errors.New("a newer dragoman made this database: update dragoman, or move the file away to begin a new one")
	// ErrForeign: the file is the database of some other program.
	ErrForeign = errors.New("this is the database of another program: move it away, or set another folder for dragoman's state")
	// ErrBusy: another program kept the database locked for longer than
	// Options.Busy. Nothing was changed.
	ErrBusy = errors.New("another program holds the database locked: close it and try again")
	// ErrFull: there was no room on the disk. Nothing was changed, and the store
	// works again as soon as there is room.
	ErrFull = errors.New("the disk is full: make room on it")
	// ErrCorrupt: the file is damaged. Mend sets it aside and begins a new one,
	// and so does the next Open.
	ErrCorrupt = errors.New("the database is damaged: it is set aside and a new one begun")
	// ErrTaken: another row has the name already, see TakenError.
	ErrTaken = errors.New("taken")
	// ErrNotFound: there is no such row (any more).
	ErrNotFound = errors.New("not found")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the database is closed")
)

// TakenError says which files of an Accept cannot have the outputs they ask
// for. It is an ErrTaken; nothing was accepted.
type TakenError struct {
	Files []int // indexes into the argument of Accept, ascending
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("the output names of %s are taken by other inputs", english.Count(len(e.Files), "file"))
}

// Is makes a TakenError an ErrTaken.
func (e *TakenError) Is(target error) bool { return target == ErrTaken }

// code returns SQLite's extended result code, 0 if err has none.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()
	}
	return 0
}

// kind returns the sentinel that err is an instance of, nil if none.
// Codes: https://sqlite.org/rescode.html
func kind(err error) error {
	switch c := code(err); c & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return ErrBusy
	case sqlite3.SQLITE_FULL:
		return ErrFull
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return ErrCorrupt
	case sqlite3.SQLITE_CONSTRAINT:
		if c == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY { // the folder of a file
			return ErrNotFound
		}
	case sqlite3.SQLITE_IOERR:
		switch c {
		case sqlite3.SQLITE_IOERR_SHMSIZE: // the shared index of the log could not grow
			return ErrFull
		case sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS, sqlite3.SQLITE_IOERR_DATA:
			return ErrCorrupt
		}
	}
	return nil
}

// fail says what was attempted, in which file, and which of the sentinels it
// was. A damage is remembered for the next Open.
func (s *Store) fail(what string, err error) error {
	if err == nil {
		return nil
	}
	k := kind(err)
	switch k {
	case ErrCorrupt:
		s.markDamaged()
	case ErrFull:
		if !s.full.Swap(true) {
			s.troubled()
		}
	}
	if k == nil {
		return fmt.Errorf("%s in %s: %w", what, s.path, err)
	}
	return fmt.Errorf("%s in %s: %w (%w)", what, s.path, k, err)
}
