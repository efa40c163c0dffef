package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// Scope is what, besides the source sentence, decides a translation.
type Scope struct {
	Model  string // of the weights, such as a checksum
	Recipe string // how the model is used: decoding, splitting, versions
	From   string
	To     string
}

// Pair is a sentence and its translation.
type Pair struct {
	Source, Target string
}

// memoryKey is a part of a hash over scope and source. Different sentences have
// the same with a probability of n²/2¹²⁹, n being the entries. The source
// itself is not kept.
type memoryKey struct {
	id, tag int64
}

func (scope Scope) key(source string) memoryKey {
	h := sha256.New()
	var length [8]byte
	for _, part := range [...]string{scope.Model, scope.Recipe, scope.From, scope.To, source} {
		binary.LittleEndian.PutUint64(length[:], uint64(len(part)))
		h.Write(length[:])
		h.Write([]byte(part))
	}
	var sum [sha256.Size]byte
	h.Sum(sum[:0])
	return memoryKey{int64(binary.LittleEndian.Uint64(sum[:])), int64(binary.LittleEndian.Uint64(sum[8:]))}
}

// Entries are written when so many wait or have waited so long.
const (
	flushRows  = 256
	flushDelay = 3 * time.Second
	// Where nothing can be written (a full disk), so many are kept waiting.
	maxWaiting = 16 * flushRows
)

// memory is the translation memory: a cache in front of the table.
//
// Use is counted in generations, which end when a sixteenth of the bound was
// written: unlike days they are not confused by clocks, and a machine that was
// off for a month has forgotten nothing. An entry that is used moves to the
// current generation, with at most one write in each.
type memory struct {
	mu      sync.Mutex
	waiting map[memoryKey]string
	writing map[memoryKey]string // being flushed
	used    map[memoryKey]bool   // to be moved to the current generation
	timer   *time.Timer
	armed   urgency
	closed  bool

	flushing   sync.Mutex // held by who writes; guards what follows
	bytes      int64      // at most what the table holds; exact after a prune
	begun      int64      // bytes of the current generation
	bound      int64      // 0 is none
	generation atomic.Int64
}

// Recall returns the translation of a sentence that was remembered in the same
// scope.
func (s *Store) Recall(ctx context.Context, scope Scope, source string) (target string, ok bool, err error) {
	m, key := &s.memory, scope.key(source)
	m.mu.Lock()
	target, ok = m.waiting[key]
	if !ok {
		target, ok = m.writing[key]
	}
	m.mu.Unlock()
	if ok {
		return target, true, nil
	}
	st, err := s.query(ctx, "SELECT target, generation FROM memory WHERE id = ? AND tag = ?")
	var generation int64
	if err == nil {
		err = st.QueryRowContext(ctx, key.id, key.tag).Scan(&target, &generation)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	} else if err != nil {
		return "", false, s.fail("look into the translation memory", err)
	}
	if generation != m.generation.Load() {
		m.mu.Lock()
		m.used[key] = true
		s.arm()
		m.mu.Unlock()
	}
	return target, true, nil
}

// Remember keeps translations for Recall, which finds them at once. They are
// written some seconds later, when many came together, or by Close; a power cut
// may lose the last ones. It does not wait for the disk.
func (s *Store) Remember(_ context.Context, scope Scope, pairs []Pair) error {
	m := &s.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	if s.damaged.Load() {
		return s.fail("remember translations", ErrCorrupt)
	}
	for _, p := range pairs {
		if len(m.waiting) >= maxWaiting {
			break // a cache need not keep everything
		}
		m.waiting[scope.key(p.Source)] = p.Target
	}
	s.arm()
	return nil
}

// urgency of the next flush.
type urgency int

const (
	idle   urgency = iota // nothing waits
	later                 // the timer runs
	atOnce                // and is not to be hurried
)

// arm sees to it that what waits is written. The lock is held.
func (s *Store) arm() {
	m := &s.memory
	switch rows := len(m.waiting) + len(m.used); {
	case m.closed || rows == 0:
	case rows >= flushRows && m.armed < atOnce:
		m.armed = atOnce
		m.timer.Reset(0)
	case m.armed == idle:
		m.armed = later
		m.timer.Reset(flushDelay)
	}
}

// FlushMemory writes what waits.
func (s *Store) FlushMemory(ctx context.Context) error {
	m := &s.memory
	m.flushing.Lock()
	defer m.flushing.Unlock()
	m.mu.Lock()
	rows, used := m.waiting, m.used
	m.waiting, m.writing, m.used = map[memoryKey]string{}, rows, map[memoryKey]bool{}
	m.armed = idle
	m.timer.Stop()
	m.mu.Unlock()
	var err error
	if len(rows)+len(used) > 0 {
		err = s.writeMemory(ctx, rows, used)
	}
	m.mu.Lock()
	m.writing = nil
	if err != nil {
		for key, target := range rows {
			if _, newer := m.waiting[key]; !newer && len(m.waiting) < maxWaiting {
				m.waiting[key] = target
			}
		}
		if !m.closed {
			m.armed = atOnce // and no sooner, whatever else comes
			m.timer.Reset(10 * flushDelay)
		}
	}
	m.mu.Unlock()
	if err != nil {
		return s.fail("write the translation memory", err)
	}
	return s.pruneMemory(ctx)
}

// entryBytes is about what an entry takes on the disk besides its target.
const entryBytes = 32

func (s *Store) writeMemory(ctx context.Context, rows map[memoryKey]string, used map[memoryKey]bool) error {
	m := &s.memory
	bytes, generation, begun := m.bytes, m.generation.Load(), m.begun
	for _, target := range rows {
		bytes += entryBytes + int64(len(target))
		begun += entryBytes + int64(len(target))
	}
	if m.bound > 0 && begun > m.bound/16 {
		generation, begun = generation+1, 0
	}
	err := s.writer.lazy(ctx, func(c *conn) error {
		for key, target := range rows {
			_, err := c.exec(`INSERT INTO memory VALUES (?, ?, ?, ?) ON CONFLICT (id) DO
				UPDATE SET tag = excluded.tag, generation = excluded.generation, target = excluded.target`, key.id, key.tag, generation, target)
			if err != nil {
				return err
			}
		}
		for key := range used {
			if _, err := c.exec("UPDATE memory SET generation = ? WHERE id = ? AND tag = ?", generation, key.id, key.tag); err != nil {
				return err
			}
		}
		return putMeta(c, map[string]int64{"memory_bytes": bytes, "memory_generation": generation, "memory_begun": begun})
	})
	if err == nil {
		m.bytes, m.begun = bytes, begun
		m.generation.Store(generation)
	}
	return err
}

func (s *Store) openMemory(ctx context.Context) error {
	m := &s.memory
	var generation int64
	for name, into := range map[string]*int64{"memory_bytes": &m.bytes, "memory_generation": &generation, "memory_begun": &m.begun} {
		if err := s.meta(ctx, name, into); err != nil {
			return err
		}
	}
	m.generation.Store(generation)
	m.waiting, m.used = map[memoryKey]string{}, map[memoryKey]bool{}
	m.timer = time.AfterFunc(time.Hour, func() {
		s.mayStart(func() {
			if err := s.FlushMemory(s.background); err != nil && s.background.Err() == nil {
				s.log.Warn("the translation memory waits to be written", "error", err)
			}
		})
	})
	m.timer.Stop()
	return nil
}

// mayStart runs f unless the store is being closed, which waits for it.
func (s *Store) mayStart(f func()) {
	m := &s.memory
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return
	}
	s.tasks.Add(1)
	m.mu.Unlock()
	defer s.tasks.Done()
	f()
}

// closeMemory writes the last entries. There are none before it was opened.
func (s *Store) closeMemory() error {
	m := &s.memory
	if m.timer == nil {
		return nil
	}
	m.mu.Lock()
	again := m.closed
	m.closed = true
	m.timer.Stop()
	m.mu.Unlock()
	if again {
		return nil
	}
	s.tasks.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	return s.FlushMemory(ctx)
}

// closeWait is how long Close waits for a lock of another program.
const closeWait = time.Second
