package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
)

// logPages is how long the log grows, in pages of 4 KiB, before it is copied
// into the file and begun anew. SQLite's own choice is 1000; on a small disk
// that filled everything with the log, which then could neither grow nor be
// copied.
const logPages = 128

// roomBytes are kept free for what makes room: a deletion first writes to the
// log what it overwrites, and the log must fit into the file before it can be
// begun anew.
const roomBytes = logPages * 4096

// boundLog sets how long the log is. It is kept at that length, since overwriting
// needs no room.
func boundLog(c *conn) error {
	_, err := c.once(fmt.Sprintf("PRAGMA wal_autocheckpoint=%d; PRAGMA journal_size_limit=%d", logPages, roomBytes))
	return err
}

// roomFile holds the room that is kept, as a file beside the database.
func (s *Store) roomFile() string { return s.path + "-room" }

// Full says whether the disk was found full. A later HasRoom finds out when that
// is over; single small writes may succeed before.
func (s *Store) Full() bool { return s.full.Load() }

// HasRoom says whether there is room on the disk, after it was full. Call it from
// time to time; where the disk was not found full it does nothing.
//
// Emptying the log wins room that the log takes again at once. So there has to be
// room for the log and for as much in the file, besides what is kept: else the disk
// would be full again with the next writes, and each look would tell the opposite.
func (s *Store) HasRoom(ctx context.Context) bool {
	if !s.full.Load() {
		return true
	}
	// A log that fills the disk first, then what a sweep that failed has left, and
	// what is free in the file.
	err := s.writer.outside(ctx, func(c *conn) error { return cutLog(ctx, c) })
	if err == nil {
		err = s.sweep(ctx)
	}
	if err == nil {
		err = s.giveBack(ctx)
	}
	if err != nil || !s.keepRoom() || !s.fits(2*roomBytes) {
		return false
	}
	s.full.Store(false)
	s.log.Info("there is room for the database again", "file", s.path)
	return true
}

// keepRoom keeps the room, unless it is kept already, and says whether there is
// any. Each start does so, and writes it only where the file system cannot do
// without.
func (s *Store) keepRoom() bool {
	if size(s.roomFile()) == roomBytes {
		return true
	}
	temp := s.roomFile() + ".tmp"
	defer os.Remove(temp)
	return take(temp, roomBytes) == nil && os.Rename(temp, s.roomFile()) == nil
}

// fits says whether there is room for so many bytes more.
func (s *Store) fits(bytes int64) bool {
	temp := s.roomFile() + ".tmp"
	defer os.Remove(temp)
	return take(temp, bytes) == nil
}

// take makes a file that has so many bytes of the disk.
func take(file string, bytes int64) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = reserve(f, bytes)
	if errors.Is(err, errors.ErrUnsupported) {
		_, err = f.Write(noise(bytes))
		err = errors.Join(err, f.Sync()) // which may be what finds no room
	}
	return errors.Join(err, f.Close())
}

// noise takes room on every disk, where zeros might take none.
func noise(bytes int64) []byte {
	noise := make([]byte, bytes)
	_, _ = rand.Read(noise) // never fails
	for i := range noise {
		noise[i] &= 0x7f // nobody who looks for traces of texts should find one by chance
	}
	return noise
}

func (s *Store) leaveRoom() { _ = os.Remove(s.roomFile()) } // else it is no room to anybody

// freeing runs a write that deletes. Where the disk is full it gets the room that
// was kept, and that of the log.
func (s *Store) freeing(ctx context.Context, how manner, f func(*conn) error) error {
	err := s.writer.do(ctx, how, f)
	if kind(err) != ErrFull {
		return err
	}
	s.full.Store(true)
	s.leaveRoom()
	err = s.writer.do(ctx, outside, func(c *conn) error {
		// The log has to be copied for what it holds; else it would only grow.
		if err := cutLog(ctx, c); err != nil {
			return err
		}
		err := c.transaction(func() error { return f(c) })
		if kind(err) == ErrFull { // more than fits into the log
			err = unseen(ctx, c, f)
		}
		return err
	})
	if err != nil {
		return err
	}
	return s.sweep(ctx)
}
