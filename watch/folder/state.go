package folder

import (
	"fmt"

	"dragoman/internal/english"
)

// Mode is how a folder is watched.
type Mode int

// A folder is Starting until its first scan has ended.
const (
	Starting Mode = iota
	Watching      // by events, and by a slow scan for what they missed
	Polling       // by scans alone
	Missing       // not there, or not to be read
)

// State is how a folder is watched now.
type State struct {
	Mode   Mode
	Reason string // why it is polled or missing, and the way out where there is one
}

// State may be called from any goroutine, at no cost. After Run has ended it is
// that of a folder that is starting.
func (f *Folder) State() State { return *f.state.Load() }

// noteState publishes the state if it has changed.
func (s *session) noteState() {
	now := s.state()
	if now == s.f.State() {
		return
	}
	s.f.state.Store(&now)
	if s.f.opts.Changed != nil {
		s.f.opts.Changed()
	}
}

func (s *session) state() State {
	switch {
	case s.id == nil:
		return State{Missing, s.tell.reason("root")}
	case s.tell.reason("list .") != "":
		return State{Missing, s.tell.reason("list .")}
	case s.noEvents != "":
		return State{Polling, fmt.Sprintf("looked at every %s: %s", s.paces(), s.noEvents)}
	case s.hints == nil:
		return State{Polling, s.tell.reason("watcher")}
	case s.unwatched > 0:
		return State{Polling, s.tell.reason("watch")}
	}
	return State{Mode: Watching}
}

// paces says how often files are looked for.
func (s *session) paces() string {
	quick, slow := s.f.opts.Poll, s.pace()
	if quick == slow {
		return english.Duration(quick)
	}
	return fmt.Sprintf("%s for new files and every %s for changed ones", english.Duration(quick), english.Duration(slow))
}
