package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// writer is the one goroutine that changes the file. All who wait at the same
// time share a transaction and so a wait for the disk (group commit); each has
// a savepoint of its own, so that one's failure is not the others'.
type writer struct {
	conn *conn         // the writer's alone; nil where there is none, see exchanging
	busy time.Duration // how long to wait for a lock of another program

	mu     sync.Mutex
	queue  []*write
	closed bool
	wake   chan struct{}
	ended  chan struct{}
}

// write is one wish. Run may be called again after the transaction failed for
// another's sake, so it must set whatever it sets anew.
type write struct {
	ctx   context.Context
	how   manner
	run   func(*conn) error
	state atomic.Int32 // 0 waits, 1 began, 2 was given up
	done  chan error
}

type manner int

const (
	durable    manner = iota // on the disk when the call returns
	lazy                     // kept after a kill, perhaps not after a power cut
	outside                  // in no transaction
	exchanging               // the same, also without a connection, and may set another one
)

// conn is the writing connection with its prepared statements. Statements run
// without the caller's context: an interrupt would end the others' transaction
// too.
type conn struct {
	*sql.Conn
	db       *sql.DB
	prepared map[string]*sql.Stmt
	lazy     bool // PRAGMA synchronous as it is now
}

func (c *conn) statement(text string) (*sql.Stmt, error) {
	if st, ok := c.prepared[text]; ok {
		return st, nil
	}
	st, err := c.PrepareContext(context.Background(), text)
	if err == nil {
		c.prepared[text] = st
	}
	return st, err
}

// exec runs a statement that is needed often.
func (c *conn) exec(text string, args ...any) (sql.Result, error) {
	st, err := c.statement(text)
	if err != nil {
		return nil, err
	}
	return st.ExecContext(context.Background(), args...)
}

// row runs a query that is needed often.
func (c *conn) row(text string, args []any, into ...any) error {
	st, err := c.statement(text)
	if err != nil {
		return err
	}
	return st.QueryRowContext(context.Background(), args...).Scan(into...)
}

// once runs statements that are needed seldom.
func (c *conn) once(text string, args ...any) (sql.Result, error) {
	return c.ExecContext(context.Background(), text, args...)
}

// lockStep is how long SQLite waits for such a lock by itself. In between the writer
// finds out whether anybody still waits for it.
const lockStep = 50 * time.Millisecond

// dialWriter opens the one connection that writes.
func dialWriter(ctx context.Context, path string, busy time.Duration) (*conn, error) {
	db, err := sql.Open("sqlite", dsn(path, min(busy, lockStep)))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	only, err := db.Conn(ctx)
	if err != nil {
		db.Close()
		return nil, err
	}
	return &conn{Conn: only, db: db, prepared: map[string]*sql.Stmt{}}, nil
}

// close may be called where there is none.
func (c *conn) close() error {
	if c == nil {
		return nil
	}
	for _, st := range c.prepared {
		st.Close()
	}
	c.Conn.Close()
	return c.db.Close()
}

func startWriter(first *conn, busy time.Duration) *writer {
	w := &writer{busy: busy, conn: first, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go w.loop()
	return w
}

// durable runs f in a transaction and returns after it is on the disk.
func (w *writer) durable(ctx context.Context, f func(*conn) error) error {
	return w.do(ctx, durable, f)
}

// lazy runs f in a transaction that is not waited for.
func (w *writer) lazy(ctx context.Context, f func(*conn) error) error { return w.do(ctx, lazy, f) }

// outside runs f alone and in no transaction.
func (w *writer) outside(ctx context.Context, f func(*conn) error) error {
	return w.do(ctx, outside, f)
}

func (w *writer) do(ctx context.Context, how manner, f func(*conn) error) error {
	op := &write{ctx: ctx, how: how, run: f, done: make(chan error, 1)}
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return ErrClosed
	}
	w.queue = append(w.queue, op)
	w.mu.Unlock()
	w.signal()
	select {
	case err := <-op.done:
		return err
	case <-ctx.Done():
		if op.state.CompareAndSwap(0, 2) {
			return ctx.Err()
		}
		return <-op.done // it has begun, and the caller must know how it ended
	}
}

func (w *writer) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *writer) loop() {
	defer close(w.ended)
	for range w.wake {
		w.mu.Lock()
		queue, closed := w.queue, w.closed
		w.queue = nil
		w.mu.Unlock()
		for len(queue) > 0 {
			n := 1
			for n < len(queue) && queue[0].how < outside && queue[n].how < outside {
				n++
			}
			w.serve(queue[:n])
			queue = queue[n:]
		}
		if closed {
			return
		}
	}
}

// serve runs neighbours in the queue that may share a transaction.
func (w *writer) serve(group []*write) {
	switch {
	case w.conn == nil && group[0].how != exchanging:
		for _, op := range begunOf(group) {
			op.done <- ErrCorrupt
		}
		return
	case group[0].how >= outside:
		if group[0].begin() {
			group[0].done <- w.alone(group[0].run)
		}
		return
	}
	begun, errs, err := w.transact(group)
	if err != nil && len(begun) > 1 && kind(err) != ErrBusy {
		// One's trouble (a full disk, say) ended the transaction of all.
		for _, op := range begun {
			_, alone, err := w.transact([]*write{op})
			if err == nil {
				err = alone[0]
			}
			op.done <- err
		}
		return
	}
	for i, op := range begun {
		switch {
		case err == nil:
			op.done <- errs[i]
		case op.ctx.Err() != nil:
			op.done <- op.ctx.Err()
		default:
			op.done <- err
		}
	}
}

// begin says whether a write is still wanted; then its caller waits for its end.
func (op *write) begin() bool { return op.state.CompareAndSwap(0, 1) || op.state.Load() == 1 }

// alone runs f in no transaction. SQLite waits for locks there.
func (w *writer) alone(f func(*conn) error) error {
	if w.conn != nil {
		if err := w.wait(w.busy); err != nil {
			return err
		}
	}
	err := f(w.conn)
	if w.conn == nil {
		return err
	}
	if again := w.wait(min(w.busy, lockStep)); err == nil {
		err = again
	}
	return err
}

// wait sets how long SQLite waits for a lock.
func (w *writer) wait(limit time.Duration) error {
	_, err := w.conn.once(fmt.Sprintf("PRAGMA busy_timeout=%d", limit.Milliseconds()))
	return err
}

// begin waits for the lock as long as anybody waits for a write, and returns
// the writes that still are wanted.
func (w *writer) begin(group []*write) (begun []*write, err error) {
	for limit := time.Now().Add(w.busy); ; {
		_, err = w.conn.exec("BEGIN IMMEDIATE")
		wanted := slices.ContainsFunc(group, func(op *write) bool { return op.ctx.Err() == nil })
		if kind(err) != ErrBusy || !wanted || w.closing() || !time.Now().Before(limit) {
			break
		}
	}
	return begunOf(group), err
}

func begunOf(group []*write) (begun []*write) {
	for _, op := range group {
		if op.begin() {
			begun = append(begun, op)
		}
	}
	return begun
}

func (w *writer) closing() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
}

// transact commits those of a group that are still wanted. errs are the failures
// of single writes, which are undone; with err everything is undone.
func (w *writer) transact(group []*write) (begun []*write, errs []error, err error) {
	wantLazy := true
	for _, op := range group {
		wantLazy = wantLazy && op.how == lazy
	}
	if wantLazy != w.conn.lazy {
		pragma := "PRAGMA synchronous=FULL"
		if wantLazy {
			pragma = "PRAGMA synchronous=NORMAL"
		}
		// It takes effect while it is compiled: a prepared one would do nothing.
		if _, err := w.conn.once(pragma); err != nil {
			return begunOf(group), nil, err
		}
		w.conn.lazy = wantLazy
	}
	if begun, err = w.begin(group); err != nil {
		return begun, nil, err
	}
	defer func() {
		if err != nil {
			// SQLite may have rolled back already; then this fails and is right.
			w.conn.exec("ROLLBACK")
		}
	}()
	errs = make([]error, len(begun))
	failed := 0
	for i, op := range begun {
		if errs[i], err = w.step(op, len(begun) > 1); err != nil {
			return begun, nil, err
		}
		if errs[i] != nil {
			failed++
		}
	}
	if failed == len(begun) {
		_, err := w.conn.exec("ROLLBACK")
		if err != nil && len(begun) == 1 {
			err = errs[0]
		}
		return begun, errs, err
	}
	_, err = w.conn.exec("COMMIT")
	return begun, errs, err
}

// step runs one write, in a savepoint if it shares the transaction.
func (w *writer) step(op *write, shared bool) (own, all error) {
	if err := op.ctx.Err(); err != nil {
		return err, nil
	}
	if !shared {
		return op.run(w.conn), nil
	}
	if _, err := w.conn.exec("SAVEPOINT one"); err != nil {
		return nil, err
	}
	own = op.run(w.conn)
	if own != nil {
		if _, err := w.conn.exec("ROLLBACK TO one"); err != nil {
			return nil, own // the transaction is gone
		}
	}
	_, all = w.conn.exec("RELEASE one")
	return own, all
}

// close ends the goroutine after all that waits.
func (w *writer) close() error {
	w.mu.Lock()
	again := w.closed
	w.closed = true
	w.mu.Unlock()
	if again {
		return nil
	}
	w.signal()
	<-w.ended
	return w.conn.close()
}
