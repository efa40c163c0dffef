package blob

import (
	"fmt"
	"os"
	"slices"
)

// quarantineKeep is the number of files that are kept in quarantine for a look at what went wrong.
const quarantineKeep = 2

// makeRoom evicts until size bytes more are within the quota. The store is locked. The quarantine goes first, then
// older blobs of key, since they are about to be replaced, then what was not used for the longest time; what any
// process has open stays.
func (s *Store) makeRoom(size int64, key Key) error {
	if s.quota <= 0 {
		return nil
	}
	if size > s.quota {
		return fmt.Errorf("its %d bytes are more than the quota of %d bytes: raise the quota", size, s.quota)
	}
	entries := s.entries()
	slices.SortStableFunc(entries, func(a, b entry) int {
		switch {
		case a.key == key && b.key != key:
			return -1
		case a.key != key && b.key == key:
			return 1
		}
		return 0
	})
	quarantine := s.quarantined()
	excess := totalSize(entries) + totalSize(quarantine) + size - s.quota
	for _, q := range quarantine {
		if excess <= 0 {
			return nil
		}
		if os.Remove(s.path(quarantineFolder, q.name)) == nil {
			excess -= q.size
		}
	}
	for _, e := range entries {
		if excess <= 0 {
			return nil
		}
		if s.remove(e) {
			excess -= e.size
			s.count(func(stats *Stats) { stats.Evicted++ })
		}
	}
	if excess > 0 {
		return fmt.Errorf("the quota of %d bytes is taken by compiled models in use: raise the quota", s.quota)
	}
	return nil
}
