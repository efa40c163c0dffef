package folder

import (
	"context"
	"os"
	"path"
	"time"
)

// Where the system reports no changes, folders are looked at in two ways. A file
// that is made, renamed or removed gives the folder it is in another time, so
// that asking for the folders' times at the pace of Poll finds new files. One
// that is written in place does not, and on some file systems nothing does: for
// those every file is asked for. That costs as much as there are files, so that
// it is done the more seldom the longer it takes.

// share is how much more time passes than a look at every file takes: five
// folders that are polled need at most 0.2 % of a processor together.
const share = 2500

// polled says whether changes are found by looking only.
func (s *session) polled() bool { return s.hints == nil || s.noEvents != "" || s.unwatched > 0 }

// pace is the time between looks at every file. It is that of Poll doubled a few
// times, so that it does not change with each look.
func (s *session) pace() time.Duration {
	switch {
	case s.id == nil:
		return s.f.opts.Poll
	case !s.polled():
		return s.f.opts.Rescan
	}
	pace := s.f.opts.Poll
	for pace < min(s.took[0], s.took[1])*share && pace < s.f.opts.Rescan {
		pace *= 2
	}
	return min(pace, s.f.opts.Rescan)
}

// measured notes how long a look at every file took. The first one does not
// count, in which all is new, and of the last two the shorter one: the machine
// may have been busy.
func (s *session) measured(took time.Duration) {
	if !s.scanned {
		return
	}
	if s.took[0] == 0 {
		s.took[0] = took
	}
	s.took[0], s.took[1] = took, s.took[0]
}

// listed is a folder as it was when it was listed.
type listed struct {
	mtime int64
	seen  uint32 // the scan that saw it last
	// again says that it had just changed: more may have come at a time that the
	// file system does not tell from that one.
	again bool
}

// noteListed is called before a folder is listed.
func (s *session) noteListed(rel string) {
	if !s.polled() {
		return
	}
	info, err := os.Lstat(s.abs(rel))
	if err != nil {
		return // looked at again by the next scan
	}
	before, known := s.listed[rel]
	now := listed{mtime: info.ModTime().UnixNano(), seen: s.gen}
	now.again = known && before.mtime != now.mtime || !known && s.scanned
	s.listed[rel] = now
}

// forgetUnlisted drops the folders that a scan has not met.
func (s *session) forgetUnlisted() {
	s.scanned = true
	for rel, l := range s.listed {
		if l.seen != s.gen || !s.polled() {
			delete(s.listed, rel)
		}
	}
}

// lookForNew lists the folders whose time has changed.
func (s *session) lookForNew(ctx context.Context, now time.Time) {
	if s.open > 0 || !s.polled() {
		return
	}
	changed := map[string]bool{}
	for rel, before := range s.listed {
		info, err := os.Lstat(s.abs(rel))
		if err != nil || before.again || info.ModTime().UnixNano() != before.mtime {
			changed[rel] = true
		}
		if err != nil {
			delete(s.listed, rel)
		}
	}
	if len(changed) == 0 {
		return
	}
	s.gen++
	s.quick = true
	for rel := range changed {
		s.list(ctx, rel, now)
	}
	s.walk(ctx, now) // folders that are new
	s.quick = false
	for rel, fl := range s.files {
		if fl.seen != s.gen && changed[path.Dir(rel)] {
			s.look(rel, false, now)
		}
	}
}
