package libretranslate

import (
	"crypto/rand"
	"slices"
	"sync"
	"time"
)

// What waits on a shelf at once at most: the oldest go first.
const (
	shelfFiles = 32
	shelfBytes = 8 << 20
)

// shelf keeps translated files until they are fetched or their time is over. It
// is in memory, so that nothing of them is left behind.
type shelf struct {
	lifetime time.Duration

	mu    sync.Mutex
	files []*shelved // oldest first
	bytes int
}

type shelved struct {
	token string
	name  string
	data  []byte
	timer *time.Timer
}

func newShelf(lifetime time.Duration) *shelf { return &shelf{lifetime: lifetime} }

// put returns the token by which the file is taken.
func (s *shelf) put(name string, data []byte) (token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	file := &shelved{token: rand.Text(), name: name, data: data}
	file.timer = time.AfterFunc(s.lifetime, func() { s.take(file.token) })
	s.files = append(s.files, file)
	s.bytes += len(data)
	for len(s.files) > 1 && (len(s.files) > shelfFiles || s.bytes > shelfBytes) {
		s.remove(0)
	}
	return file.token
}

// take returns a file and forgets it.
func (s *shelf) take(token string) (*shelved, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.files, func(f *shelved) bool { return f.token == token })
	if i < 0 {
		return nil, false
	}
	return s.remove(i), true
}

// remove takes the i-th file off; s.mu is held.
func (s *shelf) remove(i int) *shelved {
	file := s.files[i]
	file.timer.Stop()
	s.files = slices.Delete(s.files, i, i+1)
	s.bytes -= len(file.data)
	return file
}

func (s *shelf) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.files) > 0 {
		s.remove(0)
	}
}
