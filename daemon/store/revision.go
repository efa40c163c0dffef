package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// revisionBlock numbers are reserved with one write. What a run leaves of its
// block is never used.
const revisionBlock = 1 << 20

// unreservedBlock numbers are counted before the next try where nothing can be
// written.
const unreservedBlock = 1000

type revisions struct {
	mu       sync.Mutex
	last     uint64
	reserved uint64 // up to here no other run counts
}

// NextRevision returns a number greater than all that it returned before, also
// in earlier runs, beginning with 1. It does not write, but for each millionth
// time.
func (s *Store) NextRevision() uint64 {
	r := &s.revisions
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == r.reserved {
		if err := s.reserveBlock(s.background); err != nil {
			// Going on is better than standing still: only a restart before the
			// next success would count from an earlier number.
			s.log.Warn("reserve revision numbers", "error", err)
			r.reserved += unreservedBlock
		}
	}
	r.last++
	return r.last
}

// reserveRevisions begins where earlier runs may have counted to. A full disk
// does not keep the store from being opened.
func (s *Store) reserveRevisions(ctx context.Context) error {
	r := &s.revisions
	r.mu.Lock()
	defer r.mu.Unlock()
	var earlier int64
	if err := s.meta(ctx, "revision", &earlier); err != nil {
		return err
	}
	r.last, r.reserved = uint64(earlier), uint64(earlier)
	if err := s.reserveBlock(ctx); err != nil && !errors.Is(err, ErrFull) {
		return err
	}
	return nil
}

func (s *Store) reserveBlock(ctx context.Context) error {
	var end int64
	err := s.writer.durable(ctx, func(c *conn) error {
		return c.row(`INSERT INTO meta VALUES ('revision', ?1) ON CONFLICT (name) DO
			UPDATE SET value = max(value, ?2) + ?1 RETURNING value`, []any{revisionBlock, int64(s.revisions.last)}, &end)
	})
	if err != nil {
		return s.fail(fmt.Sprintf("reserve %d revision numbers", revisionBlock), err)
	}
	s.revisions.reserved = uint64(end)
	return nil
}
