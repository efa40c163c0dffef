package blob

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// Waiting for another process is done by asking again: file locks have no other way that can be cancelled.
const (
	keyLockPoll   = 50 * time.Millisecond
	storeLockPoll = 5 * time.Millisecond
	storeLockWait = 10 * time.Second
)

// Lock makes sure that only one process at a time compiles the model of key. Under the lock, ask Get again before
// compiling: another process may just have done it.
//
//	unlock, err := store.Lock(ctx, key)
//	if err != nil { … }
//	defer unlock()
//	if blob, err := store.Get(key); err == nil { … import … }
//	… compile … store.Put(key, compiled.Export)
//
// Put and Get do not need the lock. The only error is that of ctx: where the store cannot be locked, compiling twice
// is better than not at all.
func (s *Store) Lock(ctx context.Context, key Key) (unlock func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !s.writable() {
		return func() {}, nil
	}
	lock, err := acquire(ctx, s.path(lockFolder, key.String()+".lock"), keyLockPoll)
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("wait for another process that compiles model %s: %w", key, ctx.Err())
		}
		_ = s.fail(fmt.Errorf("lock compiled model %s in %s: %w", key, s.dir, err))
		return func() {}, nil
	}
	return func() { _ = lock.Close() }, nil
}

// lockStore holds other processes off while files get and lose their names, which takes milliseconds.
func (s *Store) lockStore() (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), storeLockWait)
	defer cancel()
	lock, err := acquire(ctx, s.path(storeLock), storeLockPoll)
	if err != nil {
		return nil, fmt.Errorf("lock the store: %w", err)
	}
	return func() { _ = lock.Close() }, nil
}

// acquire locks the file at path exclusively, and makes it where it is missing. Lock files are removed by sweep, so
// it must be checked that the file that was locked still has its name.
func acquire(ctx context.Context, path string, poll time.Duration) (*flock.Flock, error) {
	for {
		lock := flock.New(path)
		ok, err := lock.TryLockContext(ctx, poll)
		if err != nil || !ok {
			_ = lock.Close()
			return nil, err
		}
		if isAt(lock, path) {
			return lock, nil
		}
		if err := lock.Close(); err != nil {
			return nil, err
		}
	}
}

func isAt(lock *flock.Flock, path string) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(locked, named)
}
