package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"
)

// connector opens connections that read. All of them can be turned over to
// another file at the same path: those at work end with what they do, and
// statements are prepared again on new ones, of which database/sql's users
// notice nothing.
type connector struct {
	driver.Connector
	gate       sync.RWMutex // write-held while the file is exchanged
	generation atomic.Int64
	open       atomic.Int64
}

// sqliteConn is what a connection of modernc.org/sqlite is, and what
// database/sql looks for in one.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// readingConn is a connection to a file that may be exchanged.
type readingConn struct {
	sqliteConn
	of         *connector
	generation int64
	closed     func()
}

var errNoSQLite = errors.New("the driver's connections are not those of SQLite")

// openReaders makes a pool of n connections.
func openReaders(dsn string, n int) (*sql.DB, *connector, error) {
	base, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, nil, err
	}
	c := &connector{Connector: base}
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, c, nil
}

// Connect is for database/sql.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	c.gate.RLock()
	defer c.gate.RUnlock()
	inner, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	conn, ok := inner.(sqliteConn)
	if !ok {
		return nil, errors.Join(errNoSQLite, inner.Close())
	}
	c.open.Add(1)
	return &readingConn{sqliteConn: conn, of: c, generation: c.generation.Load(), closed: sync.OnceFunc(func() { c.open.Add(-1) })}, nil
}

func (c *readingConn) stale() bool { return c.generation != c.of.generation.Load() }

// ResetSession lets database/sql take another connection instead of a stale one.
func (c *readingConn) ResetSession(ctx context.Context) error {
	if c.stale() {
		return driver.ErrBadConn
	}
	return c.sqliteConn.ResetSession(ctx)
}

// IsValid keeps a stale connection from going back to the pool.
func (c *readingConn) IsValid() bool { return !c.stale() && c.sqliteConn.IsValid() }

// Close is for database/sql.
func (c *readingConn) Close() error {
	defer c.closed()
	return c.sqliteConn.Close()
}

// readWait is how long an exchange waits for reads that are under way. Most take
// microseconds; on Windows a file that is still open cannot be renamed.
const readWait = 2 * time.Second

// exchange runs f while no connection is opened, after all others were let go
// as far as they were not at work. db is the pool of the connector.
func (c *connector) exchange(db *sql.DB, f func() error) error {
	c.gate.Lock()
	defer c.gate.Unlock()
	c.generation.Add(1)
	db.SetMaxIdleConns(-1) // closes them
	defer db.SetMaxIdleConns(readers)
	for end := time.Now().Add(readWait); c.open.Load() > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return f()
}
