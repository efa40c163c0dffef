package blob

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/edsrzf/mmap-go"
)

// Get returns the blob of key, after all of its bytes have been checked. Every error is an [ErrMiss]: where a file was
// there but not sound, it has been moved to quarantine, and the error and the status tell why.
func (s *Store) Get(key Key) (*Blob, error) {
	var why error
	for _, e := range s.entriesOf(key) {
		if s.doubtful(e.name) {
			continue
		}
		b, err := s.load(e)
		if err == nil {
			s.count(func(stats *Stats) { stats.Hits++ })
			return b, nil
		}
		if errors.Is(err, errDamaged) {
			s.setAside(e, err.Error())
		}
		if !errors.Is(err, fs.ErrNotExist) {
			why = err
		}
	}
	s.count(func(stats *Stats) { stats.Misses++ })
	if why != nil {
		return nil, fmt.Errorf("%w: %w", ErrMiss, why)
	}
	return nil, ErrMiss
}

func (s *Store) count(change func(*Stats)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.stats)
}

// load checks and maps one file, and marks it as used now.
func (s *Store) load(e entry) (*Blob, error) {
	path := s.path(e.name)
	file, lock, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	size, err := verify(file, e.key)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("compiled model %s: %w", path, err), lock.Close())
	}
	data, err := mmap.Map(file, mmap.RDONLY, 0)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("map compiled model %s: %w", path, err), lock.Close())
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // only the order of eviction depends on it; a read-only store cannot
	return &Blob{data: data, size: int(size), lock: lock}, nil
}
