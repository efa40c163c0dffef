package store

import (
	"context"
	"fmt"
	"time"
)

// Mended is what Mend did.
type Mended struct {
	// Message tells the user what had happened, what was done and what can be
	// done about it; "" if all was well.
	Message string
	// Begun says that a new database was begun: rows of the ledger have to be
	// looked at again.
	Begun bool
}

// Trouble has an entry when there may be something for Mend or HasRoom to do
// before the next look would be due.
func (s *Store) Trouble() <-chan struct{} { return s.trouble }

func (s *Store) troubled() {
	select {
	case s.trouble <- struct{}{}:
	default:
	}
}

// Mend looks whether the store still works on the file at its path, and on a
// whole one, and sees to it that it does again. Call it from time to time; where
// all is well it costs a few system calls.
//
// Where the file, or one that SQLite has beside it, was removed or replaced
// under way, everything would be lost at the end though all seems to work: the
// file that is still open is written anew, and nothing is lost. Another file that
// was put in its place is renamed, see Mended.Message: the running store is the
// one that clients have seen, and whoever puts a copy back must stop the daemon
// first.
//
// A file that was found damaged is set aside and a new one begun, as by Open.
// Folders that cannot be read from it are taken from known.
//
// With an error the store is as it was, or answers ErrCorrupt to all writes;
// Mend can be called again.
func (s *Store) Mend(ctx context.Context, known func() []Folder) (Mended, error) {
	s.mending.Lock()
	defer s.mending.Unlock()
	if s.damaged.Load() {
		return s.mendDamaged(ctx, known)
	}
	if what := s.files.lost(s.path); what != nothing {
		return s.mendLost(ctx, what)
	}
	return Mended{}, nil
}

// mendLost writes the file anew from the connection that still has it.
func (s *Store) mendLost(ctx context.Context, what loss) (Mended, error) {
	var other string
	err := s.writer.do(ctx, exchanging, func(old *conn) error {
		if err := copyOut(old, s.path); err != nil {
			return err
		}
		var err error
		if other, err = putInPlace(s.path, s.files, s.now()); err != nil {
			return err
		}
		next, err := s.connectWriter(ctx)
		if err != nil {
			return err
		}
		return s.reading.exchange(s.readers, func() error {
			s.writer.conn = next
			_ = old.close() // its file is no more
			return nil
		})
	})
	if err != nil {
		return Mended{}, s.fail("write the database anew, which was "+what.String(), err)
	}
	s.files = noteFiles(s.path)
	message := fmt.Sprintf("The database %s, or a file that belongs to it, was removed while the service was using it. "+
		"It was written anew and nothing is lost. To begin a new one stop the service first (`dragoman service stop`, or end dragomand where it runs in the foreground)", s.path)
	if other != "" {
		message = fmt.Sprintf("Another file was put in the place of the database %s while the service was using it; it is now %s. "+
			"The database was written anew and nothing is lost. To use the other file: stop the service (`dragoman service stop`, or end dragomand where it runs in the foreground), rename the file to %[1]s, and start the service", s.path, other)
	}
	return Mended{Message: message}, nil
}

// mendDamaged sets the file aside and begins a new one.
func (s *Store) mendDamaged(ctx context.Context, known func() []Folder) (Mended, error) {
	m := &s.memory
	m.flushing.Lock() // nothing is counted meanwhile
	defer m.flushing.Unlock()
	var saved salvaged
	err := s.writer.do(ctx, exchanging, func(old *conn) error {
		return s.reading.exchange(s.readers, func() error {
			_ = old.close() // a damaged file need not be closed as usual
			s.writer.conn = nil
			if s.mendingFrom == "" {
				aside, err := setAside(s.path, s.now())
				if err != nil {
					return err
				}
				s.mendingFrom = aside
			}
			next, err := s.connectWriter(ctx)
			if err != nil {
				return err
			}
			s.writer.conn = next
			s.damaged.Store(false)
			saved = s.salvage(ctx, next, s.mendingFrom)
			return nil
		})
	})
	if err != nil {
		return Mended{}, fmt.Errorf("begin a new database at %s: %w", s.path, err)
	}
	aside := s.mendingFrom
	s.mendingFrom, s.files = "", noteFiles(s.path)
	m.bytes, m.begun = 0, 0
	m.generation.Store(0)
	added, err := s.addMissing(ctx, known())
	if err != nil {
		s.log.Error("keep the folders", "error", err)
	}
	saved.folders += added
	s.revisions.mu.Lock()
	err = s.reserveBlock(ctx)
	s.revisions.mu.Unlock()
	if err != nil {
		s.log.Warn("reserve revision numbers", "error", err)
	}
	s.keepRoom()
	return Mended{Message: saved.tell(s.path, aside), Begun: true}, nil
}

// connectWriter opens the file for the writer, and makes it if need be.
func (s *Store) connectWriter(ctx context.Context) (*conn, error) {
	if err := makeFile(s.path); err != nil {
		return nil, err
	}
	next, err := dialWriter(ctx, s.path, s.writer.busy)
	if err != nil {
		return nil, err
	}
	if err = migrate(ctx, next, schema); err == nil {
		err = boundLog(next)
	}
	if err != nil {
		_ = next.close()
		return nil, err
	}
	return next, nil
}

// addMissing keeps folders that are not kept, under their ids.
func (s *Store) addMissing(ctx context.Context, folders []Folder) (added int, err error) {
	err = s.writer.durable(ctx, func(c *conn) error {
		added = 0
		for _, f := range folders {
			result, err := c.exec("INSERT OR IGNORE INTO folders (id, path, settings, inherited) VALUES (?, ?, ?, 1)",
				f.ID, []byte(f.Path), append([]byte{}, f.Settings...))
			if err != nil {
				return err
			}
			n, err := result.RowsAffected()
			if err != nil {
				return err
			}
			added += int(n)
		}
		return nil
	})
	return added, err
}

// mendStamp names files by the time.
func mendStamp(now time.Time) string { return now.UTC().Format("20060102T150405.000Z") }
