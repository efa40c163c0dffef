package host

import (
	"slices"
	"time"
)

// solos tell whether one thread alone is faster at a step than the team, by how many rows
// it has. Beside other programs it may be: each of the hundreds of times that members
// wait for each other lasts until the system gives the slower one a processor again.
//
// Steps are compared with others of as many rows, from exactRows on of about as many:
// what more rows take must not pass for a disturbance.
type solos [exactRows + 32]solo

const (
	exactRows = 64
	aboutRows = 16 // rows that count as one number
)

// of is that of a number of rows.
func (s *solos) of(rows int) *solo {
	if rows > exactRows {
		rows = min(exactRows+1+(rows-exactRows-1)/aboutRows, len(s))
	}
	return &s[rows-1]
}

// solo is that of some number of rows.
type solo struct {
	steps       int
	team, alone times
	best        time.Duration // of the team, forgotten slowly
}

// times are the latest that some steps took.
type times struct {
	latest [5]time.Duration
	n      int
}

func (t *times) add(took time.Duration) {
	t.latest[t.n%len(t.latest)] = took
	t.n++
}

// median is that of the latest, 0 where there are too few for one.
func (t *times) median() time.Duration {
	if t.n < len(t.latest) {
		return 0
	}
	sorted := t.latest
	slices.Sort(sorted[:])
	return sorted[len(sorted)/2]
}

const retry = 16 // of so many steps one goes the other way where the team is disturbed

// next tells whether the next step is one thread's.
func (s *solo) next() bool {
	s.steps++
	team, alone := s.team.median(), s.alone.median()
	switch {
	case team <= 2*s.best: // which none but the disturbed exceeds
		return false
	case alone == 0:
		return true
	}
	return (alone < team) != (s.steps%retry == 0)
}

// took notes what a step took.
func (s *solo) took(alone bool, took time.Duration) {
	if alone {
		s.alone.add(took)
		return
	}
	s.team.add(took)
	if s.best += s.best / 1000; s.best == 0 || took < s.best {
		s.best = took
	}
}

// run has the team, or the caller alone, work on a step of so many rows.
func (m *Model) run(rows int) error { return m.runAs(m.solos.of(rows)) }

// runAs is run for steps that are compared with those of a kind.
func (m *Model) runAs(s *solo) error {
	if m.team.size == 1 {
		m.step.alone = true
		return m.team.alone()
	}
	m.step.alone = s.next()
	start := time.Now()
	work := m.team.run
	if m.step.alone {
		work = m.team.alone
	}
	err := work()
	if err == nil {
		s.took(m.step.alone, time.Since(start))
	}
	return err
}
