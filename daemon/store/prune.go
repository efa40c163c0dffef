package store

import (
	"context"
	"database/sql"
	"maps"
	"math"
	"slices"
)

// BoundMemory keeps the translation memory within about so many bytes from now
// on; 0 sets no bound. What was not used for longest goes first.
func (s *Store) BoundMemory(ctx context.Context, bytes int64) error {
	m := &s.memory
	m.flushing.Lock()
	defer m.flushing.Unlock()
	m.bound = bytes
	return s.pruneMemory(ctx)
}

// memorySlices are walked through one at a time, so that nobody waits for a walk
// over the whole table and none is sorted in memory. Ids are hashes, so all are of a size.
const memorySlices = 256

func memorySlice(i uint64) (first, last int64) {
	const step = math.MaxUint64/memorySlices + 1
	first = int64(i*step - 1<<63)
	return first, first + (step - 1)
}

// pruneMemory makes room for another sixteenth if the bound was passed. The
// lock on flushing is held.
func (s *Store) pruneMemory(ctx context.Context) error {
	m := &s.memory
	if m.bound <= 0 || m.bytes <= m.bound {
		return nil
	}
	// The sum may count entries twice that were written twice.
	bytes := map[int64]int64{} // by generation
	var total int64
	for i := range uint64(memorySlices) {
		first, last := memorySlice(i)
		err := s.each(ctx, func(rows *sql.Rows) error {
			var generation, n int64
			err := rows.Scan(&generation, &n)
			bytes[generation] += n
			total += n
			return err
		}, "SELECT generation, sum(octet_length(target) + ?) FROM memory WHERE id BETWEEN ? AND ? GROUP BY generation", entryBytes, first, last)
		if err != nil {
			return s.fail("measure the translation memory", err)
		}
	}
	goal := m.bound - m.bound/16
	for _, generation := range slices.Sorted(maps.Keys(bytes)) {
		if total > m.bound || total > goal && generation != m.generation.Load() {
			freed, err := s.dropGeneration(ctx, generation, total-goal)
			if err != nil {
				return s.fail("prune the translation memory", err)
			}
			total -= freed
		}
	}
	m.bytes = total
	err := s.writer.lazy(ctx, func(c *conn) error { return putMeta(c, map[string]int64{"memory_bytes": total}) })
	return s.fail("prune the translation memory", err)
}

// dropGeneration deletes entries of a generation, slice by slice, until so many
// bytes are free.
func (s *Store) dropGeneration(ctx context.Context, generation, bytes int64) (freed int64, err error) {
	for i := range uint64(memorySlices) {
		if freed >= bytes {
			break
		}
		first, last := memorySlice(i)
		var slice int64
		err := s.freeing(ctx, lazy, func(c *conn) error {
			in := []any{first, last, generation, entryBytes}
			if err := c.row("SELECT coalesce(sum(octet_length(target) + ?4), 0) FROM memory WHERE id BETWEEN ?1 AND ?2 AND generation = ?3", in, &slice); err != nil {
				return err
			}
			_, err := c.exec("DELETE FROM memory WHERE id BETWEEN ? AND ? AND generation = ?", in[:3]...)
			return err
		})
		if err != nil {
			return freed, err
		}
		freed += slice
	}
	return freed, nil
}

// EraseMemory forgets all translations for good: nothing of them is left in the
// files.
func (s *Store) EraseMemory(ctx context.Context) error {
	erase := func(c *conn) error {
		if _, err := c.exec("DELETE FROM memory"); err != nil {
			return err
		}
		return putMeta(c, map[string]int64{"memory_bytes": 0, "memory_begun": 0})
	}
	if err := s.forgetMemory(ctx, erase); err != nil {
		return s.fail("erase the translation memory", err)
	}
	return s.scrub(ctx, erase) // without the lock, which Mend takes after the one that is needed here
}

func (s *Store) forgetMemory(ctx context.Context, erase func(*conn) error) error {
	m := &s.memory
	m.flushing.Lock()
	defer m.flushing.Unlock()
	m.mu.Lock()
	m.waiting, m.used = map[memoryKey]string{}, map[memoryKey]bool{}
	m.mu.Unlock()
	if err := s.freeing(ctx, durable, erase); err != nil {
		return err
	}
	m.bytes, m.begun = 0, 0
	return nil
}
