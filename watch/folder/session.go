package folder

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"dragoman/internal/english"
	"dragoman/watch"
)

// session is the state of one Run. Only the goroutine of Run touches it.
type session struct {
	f      *Folder
	emit   func(watch.Item)
	tell   *teller
	settle *settler
	files  map[string]file     // by path below the root
	dirs   map[string]struct{} // sub-folders that were listed
	// outputs are sub-folders that dragoman writes translations to, for another
	// language or from another start: never input, or two watches would feed
	// each other for ever.
	outputs map[string]struct{}

	// The root as it is now; id is nil while it is missing.
	id       os.FileInfo
	real     string // with symbolic links resolved
	noEvents string // why events cannot be trusted here
	hints    *hints // nil while there is no watcher

	// The walk through the folders: with hints a folder goes to be watched
	// first and is listed afterwards, so that nothing falls between.
	gen       uint32 // of the newest scan
	open      int    // folders asked for and not listed yet
	todo      []string
	unwatched int // folders of this scan that could not be watched
	nextScan  time.Time
	lastScan  time.Time
	nextCheck time.Time // of the root alone
	scanning  bool      // the walk is that of a scan
	began     time.Time // when that began

	// While the system reports no changes; see pace.
	took    [2]time.Duration // of the last scans, the newest first; 0 if there was none
	scanned bool             // once
	listed  map[string]listed
	quick   bool // only folders are listed that have changed
}

// file is what is remembered about a path. There may be many thousands.
type file struct {
	seen uint32 // the scan that saw it last
	is   status
	last stamp // when it was told or found to be an output
}

// status is what became of a file.
type status uint8

const (
	waiting status = iota // not told yet, or to be told again
	told                  // as settled
	own                   // an output of ours, never told
)

func newSession(f *Folder, emit func(watch.Item)) *session {
	return &session{
		f: f, emit: emit, tell: newTeller(f.opts.Notify), settle: newSettler(f.opts.Quiet),
		files: map[string]file{}, dirs: map[string]struct{}{}, outputs: map[string]struct{}{}, listed: map[string]listed{},
	}
}

// wake is the channel that says news has come; nil blocks for ever.
func (s *session) wake() <-chan struct{} {
	if s.hints == nil {
		return nil
	}
	return s.hints.news.wake
}

// next is when step has something to do.
func (s *session) next() time.Time {
	next := s.nextScan
	if s.nextCheck.Before(next) {
		next = s.nextCheck
	}
	if due := s.settle.nextDue; !due.IsZero() && due.Before(next) {
		next = due
	}
	return next
}

func (s *session) step(ctx context.Context, now time.Time) {
	if !now.Before(s.nextCheck) {
		s.checkRoot(ctx, now)
	}
	if !now.Before(s.nextScan) {
		s.scan(ctx, now)
	}
	if due := s.settle.nextDue; !due.IsZero() && !now.Before(due) {
		s.tellSettled(now)
	}
}

// checkRoot looks, at the pace of Poll, whether the root is still what is watched,
// and whether anything is new in folders of which nobody tells. Events do not
// always tell of the root: as long as a program has a file open in a folder that
// was removed, inotify is silent about the folder.
func (s *session) checkRoot(ctx context.Context, now time.Time) {
	s.nextCheck = now.Add(s.f.opts.Poll)
	if s.id == nil {
		return // the next scan looks
	}
	if info, err := os.Stat(s.f.root); err != nil || !os.SameFile(s.id, info) {
		s.nextScan = now
	}
	if now.Before(s.nextScan) {
		s.lookForNew(ctx, now)
	}
}

// forgetSent makes every file new again.
func (s *session) forgetSent() {
	for rel, fl := range s.files {
		fl.is = waiting
		s.files[rel] = fl
	}
	s.nextScan = time.Time{}
}

// scan starts a walk through all folders. Folders are registered again each
// time: that heals watches the system dropped and tries again where a limit was
// reached.
func (s *session) scan(ctx context.Context, now time.Time) {
	s.lastScan = now
	if !s.findRoot() {
		s.noteState()
		s.nextScan = now.Add(s.f.opts.Poll)
		return
	}
	s.startHints()
	s.gen++
	s.unwatched = 0
	s.scanning, s.began = true, time.Now()
	s.put(".")
	s.walk(ctx, now)
	if s.open > 0 {
		s.nextScan = now.Add(s.f.opts.Rescan) // until the walk has ended
	}
}

// findRoot looks whether the root is there and still the same folder.
func (s *session) findRoot() bool {
	info, err := os.Stat(s.f.root)
	problem := rootError(s.f.root, info, err)
	var real string
	if problem == nil {
		if real, err = filepath.EvalSymlinks(s.f.root); err != nil {
			problem = rootError(s.f.root, nil, err)
		}
	}
	if problem != nil {
		// The watch of a folder that was moved or removed is dead or, on
		// Windows, follows it and keeps it from being removed.
		s.stopHints()
		s.id = nil
		s.settle = newSettler(s.f.opts.Quiet) // all are seen anew when it is back
		s.tell.problem("root", problem)
		return false
	}
	if s.id == nil || real != s.real || !os.SameFile(s.id, info) {
		s.stopHints()
		os.SameFile(info, info) // makes Windows read the identity now, not when the path has changed
		s.id, s.real, s.noEvents = info, real, ""
		switch {
		case s.f.opts.NoEvents:
			s.noEvents = "by its settings"
		case sendsNoEvents(real):
			s.noEvents = "its file system does not report all changes"
		}
	}
	s.tell.over("root")
	return true
}

func (s *session) startHints() {
	if s.hints != nil || s.f.opts.NoEvents {
		return
	}
	n, err := s.f.open()
	if err != nil {
		s.tell.problem("watcher", fmt.Errorf("watch %s: %w; until then it is looked at every %s", s.f.root, explainLimit(err), english.Duration(s.f.opts.Poll)))
		return
	}
	s.tell.over("watcher")
	s.hints = startHints(n)
}

func (s *session) stopHints() {
	if s.hints != nil {
		s.hints.stop()
		s.hints = nil
	}
	s.open, s.todo, s.scanning = 0, nil, false
}

// takeNews handles what the hints have gathered.
func (s *session) takeNews(ctx context.Context, now time.Time) {
	touched, registered, lost := s.hints.news.take()
	for _, r := range registered {
		rel := s.rel(r.dir)
		if r.err != nil && !errors.Is(r.err, os.ErrNotExist) {
			s.unwatched++
			s.tell.problem("watch", fmt.Errorf("watch %s: %w; until then the rest is looked at every %s", r.dir, explainLimit(r.err), english.Duration(s.f.opts.Poll)))
		}
		s.open--
		s.list(ctx, rel, now)
	}
	if len(registered) > 0 {
		s.walk(ctx, now)
	}
	for path, op := range touched {
		s.touch(s.rel(path), op, now)
	}
	if lost != nil {
		slog.WarnContext(ctx, "Watch lost events, looking at everything", "root", s.f.root, "err", lost)
		if errors.Is(lost, errBroken) {
			s.stopHints()
		}
		s.scanSoon(now)
	}
}

// scanSoon asks for a scan, but not for one after the other while errors rain.
func (s *session) scanSoon(now time.Time) {
	soon := s.lastScan.Add(s.f.opts.Quiet)
	if soon.Before(now) {
		soon = now
	}
	if soon.Before(s.nextScan) {
		s.nextScan = soon
	}
}

// rel is the path below the root with slashes, "." for the root itself.
func (s *session) rel(abs string) string {
	rel, err := filepath.Rel(s.real, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "." // not ours: look at everything
	}
	return filepath.ToSlash(rel)
}

func (s *session) abs(rel string) string { return filepath.Join(s.real, filepath.FromSlash(rel)) }

// tellSettled emits the files whose quiet period is over, unless they changed
// after all or cannot be opened yet.
func (s *session) tellSettled(now time.Time) {
	for _, rel := range s.settle.due(now) {
		c := s.settle.pending[rel]
		if c == nil {
			continue // below a folder that has just gone
		}
		info, err := s.stat(rel)
		if errors.Is(err, os.ErrNotExist) {
			s.gone(rel, now)
			continue
		}
		if err == nil && !info.Mode().IsRegular() {
			s.forget(rel, now)
			continue
		}
		if err == nil {
			st := stampOf(info)
			if st != c.stamp {
				s.settle.see(rel, st, false, now)
				continue
			}
			if err = tryOpen(s.abs(rel)); err == nil {
				s.settle.forget(rel)
				s.tell.over("file " + rel)
				fl := s.files[rel]
				fl.is, fl.last = told, st
				s.files[rel] = fl
				s.emit(watch.Item{Kind: watch.FileSettled, Root: s.f.root, Path: rel, Seen: now})
				continue
			}
		}
		if s.settle.busy(rel, s.f.opts.Poll, now) {
			hint := "allow this user to read it"
			if inUse(err) {
				hint = "close the program that has it open"
			}
			s.tell.problem("file "+rel, fmt.Errorf("open %s: %w; %s", s.abs(rel), cause(err), hint))
		}
	}
}
