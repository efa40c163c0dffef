package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"dragoman/watch"
)

// put asks for the folder rel to be watched, if there are hints, and listed.
func (s *session) put(rel string) {
	s.open++
	if s.hints != nil {
		s.hints.put(s.abs(rel))
		return
	}
	s.todo = append(s.todo, rel)
}

// walk lists what needs no registration and, when every folder of the scan was
// listed, looks at the files it did not meet.
func (s *session) walk(ctx context.Context, now time.Time) {
	for len(s.todo) > 0 && ctx.Err() == nil {
		rel := s.todo[0]
		s.todo = s.todo[1:]
		s.open--
		s.list(ctx, rel, now)
	}
	if s.open > 0 || ctx.Err() != nil {
		return
	}
	if !s.scanning { // a folder that is new
		if sooner := now.Add(s.pace()); sooner.Before(s.nextScan) {
			s.nextScan = sooner
		}
		s.noteState()
		return
	}
	s.scanning = false
	s.measured(time.Since(s.began))
	s.forgetUnlisted()
	if s.unwatched == 0 && s.hints != nil {
		s.tell.over("watch")
	}
	s.nextScan = now.Add(s.pace())
	s.noteState()
	for rel, fl := range s.files {
		if fl.seen < s.gen {
			s.look(rel, false, now)
		}
	}
}

// list looks at everything directly in the folder rel.
func (s *session) list(ctx context.Context, rel string, now time.Time) {
	s.noteListed(rel)
	entries, err := os.ReadDir(s.abs(rel))
	for _, entry := range entries {
		if ownFile(entry.Name()) && s.claim(rel, now) {
			return
		}
	}
	above := rel + "/"
	if rel == "." {
		above = ""
	}
	for _, entry := range entries {
		if ctx.Err() != nil {
			return
		}
		below := above + entry.Name()
		if _, known := s.files[below]; !known && s.f.rules.Ignored(below) != "" {
			continue // spares a system call a file
		}
		if info, err := entry.Info(); err == nil {
			s.meet(below, info, false, now)
		}
	}
	switch {
	case err == nil, errors.Is(err, os.ErrNotExist):
		s.tell.over("list " + rel)
	default:
		s.tell.problem("list "+rel, fmt.Errorf("look into %s: %w; allow this user to read it", s.abs(rel), cause(err)))
	}
}

// ownFile tells the names of what dragoman keeps in a folder of translations.
// Its temporary files are no mark: they also lie among inputs, where that is
// where outputs go.
func ownFile(name string) bool {
	return strings.HasPrefix(name, watch.OwnPrefix) && !strings.HasSuffix(name, ".tmp")
}

// claim notes that the folder rel holds translations, and forgets what was
// seen in it. The root cannot be one, whatever lies in it.
func (s *session) claim(rel string, now time.Time) bool {
	if rel == "." {
		return false
	}
	if _, known := s.outputs[rel]; !known {
		s.outputs[rel] = struct{}{}
		for below := range s.files {
			if s.output(below) {
				s.forget(below, now)
			}
		}
	}
	return true
}

// output tells whether rel lies in a folder of translations.
func (s *session) output(rel string) bool {
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		if _, ok := s.outputs[dir]; ok {
			return true
		}
	}
	return false
}

// touch follows a hint about rel.
func (s *session) touch(rel string, op fsnotify.Op, now time.Time) {
	switch {
	case s.id == nil:
		return
	case ownFile(path.Base(rel)):
		s.claim(path.Dir(rel), now)
		return
	case rel == ".":
		// On Linux the last thing heard of a root that was moved or removed.
		// Windows sends Write for a folder whenever something in it changes.
		if op.Has(fsnotify.Remove) || op.Has(fsnotify.Rename) {
			s.scanSoon(now)
		}
		return
	case shortNames && strings.Contains(path.Base(rel), "~"):
		s.put(path.Dir(rel)) // maybe an alias; the listing has the real name
		return
	}
	if _, known := s.dirs[rel]; known && !op.Has(fsnotify.Create) && !op.Has(fsnotify.Remove) && !op.Has(fsnotify.Rename) {
		return // its files have events of their own
	}
	s.look(rel, true, now)
}

// look asks the disk about rel. written says that it is known to have been
// written to, even if size and time stayed the same.
func (s *session) look(rel string, written bool, now time.Time) {
	info, err := os.Lstat(s.abs(rel))
	switch {
	case err == nil:
		s.meet(rel, info, written, now)
	case errors.Is(err, os.ErrNotExist):
		s.gone(rel, now)
	}
}

// meet takes note of what lies at rel, as Lstat sees it.
func (s *session) meet(rel string, info fs.FileInfo, written bool, now time.Time) {
	fl, known := s.files[rel] // and so by the rules
	if !known && s.f.rules.Ignored(rel) != "" || s.output(rel) || (hiddenAttribute(info) && !s.f.opts.TakeHidden) {
		return
	}
	if info.IsDir() {
		s.forget(rel, now) // it may have been a file before
		if _, unchanged := s.listed[rel]; s.f.opts.Recursive && (!s.quick || !unchanged) {
			s.dirs[rel] = struct{}{}
			s.put(rel)
		}
		return
	}
	if known {
		// It was taken before.
	} else if !s.f.rules.Included(rel) || (s.f.opts.Accept != nil && !s.f.opts.Accept(rel)) {
		return
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		var err error
		if info, err = s.stat(rel); err != nil {
			s.gone(rel, now)
			return
		}
	}
	if !info.Mode().IsRegular() {
		s.forget(rel, now)
		return // reading a pipe or a device might never end
	}
	st := stampOf(info)
	fl.seen = s.gen
	if fl.is != waiting && fl.last == st {
		s.files[rel] = fl
		s.settle.forget(rel)
		return
	}
	if !known && s.f.opts.Known != nil && s.f.opts.Known(rel, st.size, st.mtime) {
		s.files[rel] = file{seen: s.gen, is: told, last: st}
		return
	}
	if s.f.opts.Own != nil && s.f.opts.Own(rel) {
		s.settle.forget(rel)
		s.files[rel] = file{seen: s.gen, is: own, last: st}
		return
	}
	if fl.is == own {
		fl.is = waiting
	}
	s.files[rel] = fl
	s.settle.see(rel, st, written, now)
}

func stampOf(info fs.FileInfo) stamp {
	return stamp{size: info.Size(), mtime: info.ModTime().UnixNano()}
}

// stat returns what rel is, following a symbolic link that stays inside the
// root and does not lead to what is excluded. Others do not exist for us: a
// drop folder must not be a way to read the rest of the disk. Links to folders
// are not followed at all, so there are no cycles; what they show inside the
// root has its own name.
func (s *session) stat(rel string) (fs.FileInfo, error) {
	info, err := os.Lstat(s.abs(rel))
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return info, err
	}
	target, err := filepath.EvalSymlinks(s.abs(rel))
	if err != nil {
		return nil, err
	}
	inside, err := filepath.Rel(s.real, target)
	rules := Rules{Hidden: true, Temp: true, Skip: s.f.rules.Skip, FoldCase: s.f.rules.FoldCase}
	if err != nil || !filepath.IsLocal(inside) || rules.Ignored(filepath.ToSlash(inside)) != "" {
		return nil, fmt.Errorf("follow %s: it leads out of the folder: %w", rel, os.ErrNotExist)
	}
	if info, err = os.Lstat(target); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("follow %s: it does not lead to a file: %w", rel, os.ErrNotExist)
	}
	return info, err
}

// gone forgets rel, and all below it if it was a folder, and tells it. While
// the whole root is missing (a drive that was pulled out) nothing is gone.
func (s *session) gone(rel string, now time.Time) {
	_, isDir := s.dirs[rel]
	if _, known := s.files[rel]; !known && !isDir {
		return
	}
	if info, err := os.Stat(s.f.root); err != nil || !os.SameFile(s.id, info) {
		s.settle.forget(rel)
		s.nextScan = now
		return
	}
	s.forget(rel, now)
	if !isDir {
		return
	}
	for dir := range s.dirs {
		if within(dir, rel, false) {
			delete(s.dirs, dir)
		}
	}
	for below := range s.files {
		if within(below, rel, false) {
			s.forget(below, now)
		}
	}
}

func (s *session) forget(rel string, now time.Time) {
	fl, known := s.files[rel]
	if !known {
		return
	}
	delete(s.files, rel)
	s.settle.forget(rel)
	s.tell.over("file " + rel)
	if fl.is == told {
		s.emit(watch.Item{Kind: watch.FileGone, Root: s.f.root, Path: rel, Seen: now})
	}
}
