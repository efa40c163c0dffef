package folder

import "time"

// stamp is what can be known about a file without reading it.
type stamp struct {
	size  int64 // bytes
	mtime int64 // Unix nanoseconds; compared for equality only, never with a clock
}

// candidate is a file that waits for its quiet period to end.
type candidate struct {
	stamp stamp
	due   time.Time
	tries int // failed attempts to open it
}

// settler decides when a file has been quiet for long enough. It measures with
// our own clock alone: a file dated in the future settles like any other. There
// is no upper limit, so a file that grows is never taken half.
type settler struct {
	quiet   time.Duration
	pending map[string]*candidate
	nextDue time.Time // not after the first due; zero when nothing waits
}

// A file that cannot be opened is tried again after firstPause, twice that and
// so on; the sixth time, after half a minute, it counts as failed.
const (
	firstPause = time.Second
	maxTries   = 6
)

func newSettler(quiet time.Duration) *settler {
	return &settler{quiet: quiet, pending: map[string]*candidate{}}
}

// see notes the state of a file. The quiet period starts again if the state
// differs from the last one or if the file is known to have been written.
func (s *settler) see(path string, st stamp, written bool, now time.Time) {
	c, known := s.pending[path]
	if known && c.stamp == st && !written {
		return
	}
	if !known {
		c = &candidate{}
		s.pending[path] = c
	}
	c.stamp = st
	s.wait(c, now.Add(s.quiet))
}

// busy puts off a file that could not be opened. It returns true when the file
// has just failed for good; it is tried on, at the given pace.
func (s *settler) busy(path string, pace time.Duration, now time.Time) (failed bool) {
	c := s.pending[path]
	if c == nil {
		return false
	}
	c.tries++
	pause := pace
	if c.tries < maxTries {
		pause = firstPause << (c.tries - 1)
	}
	s.wait(c, now.Add(pause))
	return c.tries == maxTries
}

func (s *settler) wait(c *candidate, due time.Time) {
	c.due = due
	if s.nextDue.IsZero() || due.Before(s.nextDue) {
		s.nextDue = due
	}
}

func (s *settler) forget(path string) {
	if _, known := s.pending[path]; !known {
		return
	}
	delete(s.pending, path)
	if len(s.pending) == 0 {
		s.pending = map[string]*candidate{} // a map keeps the room of what was in it
	}
}

// due returns the files whose quiet period is over. They stay until forgotten.
// It looks through all, so call it only when nextDue has come.
func (s *settler) due(now time.Time) []string {
	var ready []string
	s.nextDue = time.Time{}
	for path, c := range s.pending {
		if !c.due.After(now) {
			ready = append(ready, path)
			continue
		}
		s.wait(c, c.due)
	}
	return ready
}
