package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options change how a store works; the zero value serves.
type Options struct {
	Busy time.Duration // how long to wait for a lock of another program; 5 s if 0
	Log  *slog.Logger  // for what happens in the background; slog.Default() if nil
}

// Store is an open database. Its methods may be called from several
// goroutines; times are rounded to nanoseconds of UTC.
type Store struct {
	path    string
	log     *slog.Logger
	aside   string // see SetAside
	now     func() time.Time
	damaged atomic.Bool
	full    atomic.Bool // the disk, see Full

	mending     sync.Mutex // guards the next two
	files       inUse
	mendingFrom string        // what was set aside by a Mend that failed then
	trouble     chan struct{} // capacity 1, see Trouble

	writer  *writer
	readers *sql.DB
	reading *connector // of readers
	reads   sync.Map   // query to *sql.Stmt of readers

	background context.Context // ends with the store
	stop       context.CancelFunc
	tasks      sync.WaitGroup

	revisions revisions
	memory    memory
	history   historyBounds
}

// Readers are few: each has a page cache, and reads take microseconds.
const readers = 2

// Open opens the database at path, or makes it, readable by this user only. The
// folder is made if needed. An earlier schema is brought up to date.
//
// A damaged file is set aside and a new one begun, see SetAside. Errors:
// ErrNewer, ErrForeign, ErrBusy, ErrFull.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if o.Busy == 0 {
		o.Busy = 5 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if err := finishCopy(path, time.Now()); err != nil {
		return nil, err
	}
	aside := ""
	if exists(path + damagedSuffix) {
		if aside, err = setAside(path, time.Now()); err != nil {
			return nil, err
		}
	}
	s, err := open(ctx, path, o)
	if errors.Is(err, ErrCorrupt) && aside == "" {
		if aside, err = setAside(path, time.Now()); err != nil {
			return nil, err
		}
		s, err = open(ctx, path, o)
	}
	if err != nil {
		return nil, err
	}
	if aside != "" {
		if err := s.writer.outside(ctx, func(c *conn) error {
			s.aside = s.salvage(ctx, c, aside).tell(path, aside)
			return nil
		}); err != nil {
			s.Close()
			return nil, s.fail("save what is left of a damaged database", err)
		}
	}
	if err := s.reserveRevisions(ctx); err != nil {
		s.Close()
		return nil, err
	}
	s.tasks.Go(func() { s.sweepLeft(s.background) })
	s.keepRoom() // where there is some
	s.files = noteFiles(path)
	return s, nil
}

// open opens the file as it is.
func open(ctx context.Context, path string, o Options) (*Store, error) {
	// After a clean end SQLite removes its log.
	unclean := size(path+"-wal") > 0
	if err := makeFile(path); err != nil {
		return nil, err
	}
	s := &Store{path: path, log: o.Log, now: time.Now, trouble: make(chan struct{}, 1)}
	s.background, s.stop = context.WithCancel(context.Background())
	first, err := dialWriter(ctx, path, o.Busy)
	if err != nil {
		s.stop()
		return nil, s.fail("open the tables", err)
	}
	s.writer = startWriter(first, o.Busy)
	if err := s.prepare(ctx, o, unclean); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) prepare(ctx context.Context, o Options, unclean bool) error {
	var err error
	// Without mode=rw SQLite would make an empty file where ours was removed.
	s.readers, s.reading, err = openReaders(dsn(s.path, o.Busy)+"&mode=rw&_pragma=query_only(1)&_pragma=cache_size(-1024)", readers)
	if err != nil {
		return s.fail("open the tables", err)
	}
	if err := s.writer.outside(ctx, func(c *conn) error { return migrate(ctx, c, schema) }); err != nil {
		return s.fail("bring the tables up to date", err)
	}
	if err := s.writer.outside(ctx, boundLog); err != nil {
		return s.fail("bound the log", err)
	}
	if unclean {
		if err := s.checkLedger(ctx); err != nil {
			return err
		}
		s.tasks.Go(s.checkAll)
	}
	if err := s.warm(ctx); err != nil {
		return err
	}
	return s.openMemory(ctx)
}

// dsn says how to open the file. No temporary file ever holds text of users
// (temp_store), and what is deleted is overwritten (secure_delete).
func dsn(path string, busy time.Duration) string {
	return address(path) + fmt.Sprintf(
		"?_pragma=busy_timeout(%d)&_pragma=foreign_keys(1)&_pragma=secure_delete(1)&_pragma=temp_store(memory)", busy.Milliseconds())
}

// address is path as a URI (https://sqlite.org/uri.html), so that any byte may
// be in it.
func address(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/...
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: slashed}).String()
}

// makeFile makes the file before SQLite does, which would let others read it.
func makeFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the database: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open the database: %w: this user must be able to read and write it; give it to this user or move it away", err)
	}
	defer f.Close()
	if err := f.Chmod(0o600); err != nil {
		return fmt.Errorf("keep others from reading the database: %w", err)
	}
	return nil
}

// Close writes what waits and leaves one file that holds everything. It waits
// neither for a check that goes on nor, for longer than closeWait, for a lock of
// another program: what is lost then is the end of the translation memory.
func (s *Store) Close() error {
	s.stop()
	err := s.closeMemory()
	s.tasks.Wait()
	if s.readers != nil {
		s.readers.Close()
	}
	s.leaveRoom() // the log has to fit into the file
	// The last connection to go copies the log into the file and removes it.
	if closeErr := s.writer.close(); err == nil {
		err = s.fail("close the database", closeErr)
	}
	return err
}

// warm opens all connections that read, so that none has to be opened after the
// file was removed, before Mend.
func (s *Store) warm(ctx context.Context) error {
	var open []*sql.Conn
	defer func() {
		for _, c := range open {
			c.Close()
		}
	}()
	for range readers {
		c, err := s.readers.Conn(ctx)
		if err != nil {
			return s.fail("open the tables", err)
		}
		open = append(open, c)
	}
	return nil
}

// query prepares a statement once for all readers.
func (s *Store) query(ctx context.Context, text string) (*sql.Stmt, error) {
	if st, ok := s.reads.Load(text); ok {
		return st.(*sql.Stmt), nil
	}
	st, err := s.readers.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	if other, loaded := s.reads.LoadOrStore(text, st); loaded {
		st.Close()
		return other.(*sql.Stmt), nil
	}
	return st, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
